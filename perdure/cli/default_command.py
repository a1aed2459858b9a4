"""A group of commands that does what one of them does where none is named."""

from __future__ import annotations

from typing import Any, ClassVar

from typer.core import TyperGroup


class ShowsByDefault(TyperGroup):
    """Does what its command `show` does, with the options of that, where no command is named."""

    default: ClassVar[str] = "show"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = args and (not args[0].startswith("-") or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named else [self.default, *args])


class ListsByDefault(ShowsByDefault):
    """Does what its command `list` does, with the options of that, where no command is named."""

    default = "list"

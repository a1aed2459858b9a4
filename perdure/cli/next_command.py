"""The command that a message tells a person to type next."""

from __future__ import annotations

import shlex

from perdure.graph.context import Context

_TOLD = ("user", "tenant")


def next_command(name: str, context: Context, *arguments: str) -> str:
    """The command for the same user: without their name it would look into another one's memory."""
    named = [field for field in _TOLD if getattr(context, field) != Context.model_fields[field].default]
    flags = [word for field in named for word in (f"--{field}", getattr(context, field))]
    return shlex.join(["perdure", name, *arguments, *flags])

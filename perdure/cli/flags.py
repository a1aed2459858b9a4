"""The flags of a run, made from the fields of `Context`: name, type, bounds, default and help are written there once."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Annotated, Any, get_args

import typer
from pydantic import AwareDatetime
from pydantic.fields import FieldInfo

from perdure.graph.context import Context
from perdure.time import SystemClock, zone_of
from perdure.when import parse_when

Command = Callable[..., Coroutine[Any, Any, None]]

SCOPE = ("user", "tenant", "agent")
MOMENTS = ("as_of", "as_known_at")
ZONE = "time_zone"
"""For commands that read dates or show them."""


def context_flags(*names: str) -> Callable[[Command], Command]:
    """Give a command one option for each of these fields of `Context` (for all of them, if none is named).

    They take the place of the parameter `context: Context`, which the command receives made of what was typed. Raises
    `InvalidTime` for a date or a time zone that cannot be read and `InvalidScope` for a name that cannot be one, before the command
    does anything.
    """
    fields = {name: Context.model_fields[name] for name in names or Context.model_fields}

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        async def with_context(**arguments: Any) -> None:
            typed = {name: arguments.pop(name) for name in fields}
            now = SystemClock().now().astimezone(zone_of(typed.get(ZONE, Context.model_fields[ZONE].default)))
            context = Context(**{name: _value(fields[name], value, now) for name, value in typed.items()})
            _ = context.scope  # a name that cannot be one is refused here, not after the database has been opened
            await command(**arguments, context=context)

        options = [_option(name, field) for name, field in fields.items()]
        replace_parameter(with_context, command, "context", options)
        return with_context

    return decorate


def replace_parameter(wrapper: object, command: Command, name: str, options: list[inspect.Parameter]) -> None:
    """Make `wrapper` look like `command` with `options` in the place of its parameter `name`: typer reads that."""
    signature = inspect.signature(command, eval_str=True)
    others = [parameter for parameter in signature.parameters.values() if parameter.name != name]
    vars(wrapper)["__signature__"] = signature.replace(parameters=[*others, *options])


def _option(name: str, field: FieldInfo) -> inspect.Parameter:
    bounds: dict[str, Any] = {}
    for constraint in field.metadata:
        bounds |= {
            option: getattr(constraint, bound)
            for option, bound in (("min", "ge"), ("max", "le"))
            if hasattr(constraint, bound)
        }
    dated = _is_moment(field)
    option = typer.Option(
        f"--{name.replace('_', '-')}",
        help=field.description,
        metavar="DATE" if dated else None,
        show_default=bool(field.default),
        **bounds,
    )
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=field.default,
        annotation=Annotated[(str | None) if dated else field.annotation, option],
    )


def _value(field: FieldInfo, value: Any, now: datetime) -> Any:
    return parse_when(value, now, edge="end") if value is not None and _is_moment(field) else value


def _is_moment(field: FieldInfo) -> bool:
    return AwareDatetime in get_args(field.annotation)

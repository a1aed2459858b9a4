"""`perdure remember`, `correct`, `end` and `retract`: changes of memory made by hand."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer

from perdure.cli.flags import SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import receipt_line
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.cli.typed_text import typed_text
from perdure.errors import InvalidInput
from perdure.facts import Kind, Receipt
from perdure.graph.context import Context
from perdure.text import VALUE_LIMIT, check_text
from perdure.time import SystemClock
from perdure.when import parse_when

Target = Annotated[str, typer.Argument(help="The fact's id, the beginning of it, or the name of an attribute.")]
Moment = Annotated[str | None, typer.Option(metavar="DATE", help="When it stopped; now, if left out.")]
Since = Annotated[str | None, typer.Option("--from", metavar="DATE", help="Since when it holds.")]
Until = Annotated[str | None, typer.Option("--to", metavar="DATE", help="Until when it held.")]
Value = Annotated[str | None, typer.Option(help="The attribute's value; the content, if left out.")]


@runs
@context_flags(*SCOPE, ZONE)
async def remember(
    content: Annotated[str, typer.Argument(help="The sentence to remember; - reads it from standard input.")],
    *,
    attribute: Annotated[str | None, typer.Option(metavar="NAME", help="What it is about, such as home.city.")] = None,
    value: Value = None,
    valid_from: Since = None,
    valid_to: Until = None,
    kind: Annotated[Kind, typer.Option(help="What kind of thing it is.")] = "fact",
    importance: Annotated[int, typer.Option(min=1, max=10, help="How much it matters.")] = 5,
    context: Context,
    output: Output,
) -> None:
    """Remember a fact; what held before for the same attribute ends where it begins."""
    text = typed_text(content, "the content")
    if value is not None and attribute is None:
        raise InvalidInput("a value needs to be told of what: add --attribute, or leave --value out")
    name = "" if attribute is None else check_text(attribute, "the attribute", limit=VALUE_LIMIT)
    worth = (_value(value) or text) if name else ""
    since, until = _moment(valid_from, context), _moment(valid_to, context)
    async with opened(output) as memory:
        receipt = await memory.remember(
            text,
            attribute=name,
            value=worth,
            valid_from=since,
            valid_to=until,
            kind=kind,
            importance=importance,
            context=context,
        )
        _show(receipt, context, output)


@runs
@context_flags(*SCOPE, ZONE)
async def correct(
    target: Target,
    content: Annotated[str, typer.Argument(help="The sentence that is right; - reads it from standard input.")],
    *,
    value: Value = None,
    valid_from: Since = None,
    context: Context,
    output: Output,
) -> None:
    """Replace a fact that was never true by the one that was."""
    name, text = _named(target), typed_text(content, "the content")
    worth, since = _value(value), _moment(valid_from, context)
    async with opened(output) as memory:
        receipt = await memory.correct(name, text, value=worth, valid_from=since, context=context)
        _show(receipt, context, output)


@runs
@context_flags(*SCOPE, ZONE)
async def end(target: Target, *, at: Moment = None, context: Context, output: Output) -> None:
    """Say that a fact stopped being true, now or at --at; nothing takes its place."""
    name, moment = _named(target), _moment(at, context)
    async with opened(output) as memory:
        _show(await memory.end(name, at=moment, context=context), context, output)


@runs
@context_flags(*SCOPE, ZONE)
async def retract(target: Target, *, context: Context, output: Output) -> None:
    """Say that a fact was never true; what it had closed is open again."""
    name = _named(target)
    async with opened(output) as memory:
        _show(await memory.retract(name, context=context), context, output)


def _show(receipt: Receipt, context: Context, output: Output) -> None:
    output.answer(receipt, receipt_line(receipt.to_json(), context.zone))


def _named(target: str) -> str:
    """An empty one, such as a variable that is not set, would fit any fact."""
    return check_text(target, "the name of the fact", limit=VALUE_LIMIT)


def _value(value: str | None) -> str:
    return "" if value is None else check_text(value, "the value", limit=VALUE_LIMIT)


def _moment(text: str | None, context: Context) -> datetime | None:
    return None if text is None else parse_when(text, SystemClock().now().astimezone(context.zone))

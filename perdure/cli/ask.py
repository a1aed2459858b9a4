"""`perdure ask`: one turn."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from perdure.cli.flags import context_flags
from perdure.cli.output import Output
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.cli.turn_report import report_turn
from perdure.cli.typed_text import typed_text
from perdure.graph.context import Context
from perdure.scope import check_name
from perdure.text import MESSAGE_LIMIT
from perdure.time import SystemClock
from perdure.when import parse_when, zone_told

DEFAULT_THREAD = "default"
Thread = Annotated[str, typer.Option("--thread", help="The conversation that the turn belongs to.")]


@runs
@context_flags()
async def ask(
    text: Annotated[str, typer.Argument(help="What the user says; - reads it from standard input.")],
    *,
    thread: Thread = DEFAULT_THREAD,
    sent_at: Annotated[
        str | None, typer.Option(metavar="DATE", help="When it was said, if not now: its dates are relative to this.")
    ] = None,
    context: Context,
    output: Output,
) -> None:
    """Say something, print the reply."""
    said = typed_text(text, "the message", limit=MESSAGE_LIMIT)
    check_name(thread, "thread")
    at = _sent_at(sent_at, context) if sent_at is not None else None
    async with opened(output) as memory:
        with output.working("thinking"):
            answer = await memory.ask(said, thread=thread, context=context, sent_at=at)
        output.answer(answer, answer.text)
        report_turn(answer, thread, output, context)


def _sent_at(text: str, context: Context) -> datetime:
    """With the offset that it tells: where the user's zone is not known, the message is read by it."""
    at = parse_when(text, SystemClock().now().astimezone(context.zone))
    return at.astimezone(zone_told(text) or UTC)

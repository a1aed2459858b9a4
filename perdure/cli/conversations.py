"""`perdure conversations`: what was said, word for word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Annotated

import typer

from perdure.cli.flags import SCOPE, ZONE, context_flags
from perdure.cli.output import Output, console
from perdure.cli.recall import From, Until, typed_span
from perdure.cli.render import asked_lines, minute, short, shown
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.cli.typed_text import typed_text
from perdure.graph.context import Context
from perdure.recall import Hit
from perdure.scope import check_name

if TYPE_CHECKING:  # rich is slow to import, and `--help` does without it
    from rich.table import Table

LINES = 3
"""So many lines of the terminal are shown of what each of the two said."""
_SPEAKERS = ("user", "assistant")


@runs
@context_flags(*SCOPE, ZONE)
async def conversations(
    query: Annotated[
        str | None,
        typer.Argument(help="What was talked about; - reads it from standard input. The latest, without it."),
    ] = None,
    *,
    since: From = None,
    until: Until = None,
    thread: Annotated[str | None, typer.Option("--thread", help="Only this conversation.")] = None,
    k: Annotated[int, typer.Option("-k", "--limit", min=1, max=100, help="How many exchanges at most.")] = 10,
    context: Context,
    output: Output,
) -> None:
    """Find what was said, in all threads: the exchanges that are most about the query, or the latest ones."""
    text = "" if query is None else typed_text(query, "the query")
    name = "" if thread is None else check_name(thread, "thread")
    during = typed_span(since, until, context)
    async with opened(output) as memory:
        with output.working("searching"):
            found = await memory.conversations(text, context=context, k=k, during=during, thread=name)
        document = found.to_json()
        for line in asked_lines(document["time"], context.zone):
            output.remark(line)
        output.answer(document, *exchanges_shown(found, context.zone, console().width))


def exchanges_shown(exchanges: Sequence[Hit], zone: tzinfo, width: int) -> Iterator[Table | str]:
    """When and where each was said, and the words, cut to some lines of a terminal `width` columns wide."""
    if not exchanges:
        yield "no exchanges"
    for exchange in exchanges:
        yield f"{minute(exchange.valid_from, zone)}  {short(exchange.id)}  thread {shown(exchange.thread)}"
        yield _words(exchange.content, width)


def _words(content: str, width: int) -> Table:
    """A row for each of the two. What is no exchange of user and assistant is a row without a name."""
    from rich.table import Table
    from rich.text import Text

    said, separator, answered = content.partition("\nassistant: ")
    rows = zip(_SPEAKERS, (said.removeprefix("user: "), answered), strict=True) if separator else [("", content)]
    table = Table.grid(padding=(0, 1))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for speaker, words in rows:
        text = Text(shown(words))
        text.truncate(max(1, LINES * (width - len("  assistant "))), overflow="ellipsis")
        table.add_row(f"  {speaker}", text)
    return table

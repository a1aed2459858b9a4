"""`perdure recall`: search the memory."""

from __future__ import annotations

from typing import Annotated

import typer

from perdure.asked_time import Span
from perdure.cli.flags import MOMENTS, SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import asked_lines, hits_table
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.cli.typed_text import typed_text
from perdure.cli.why import why_shown
from perdure.graph.context import Context
from perdure.text import VALUE_LIMIT, check_text
from perdure.time import SystemClock
from perdure.when import Edge, parse_when

From = Annotated[
    str | None, typer.Option("--from", metavar="DATE", help="Only what was so, or happened, from then on.")
]
Until = Annotated[
    str | None, typer.Option("--until", metavar="DATE", help="Only what was so, or happened, before then.")
]


@runs
@context_flags(*SCOPE, *MOMENTS, ZONE, "preset", "time_reader")
async def recall(
    query: Annotated[str, typer.Argument(help="What to look for; - reads it from standard input.")],
    *,
    since: From = None,
    until: Until = None,
    attribute: Annotated[
        list[str] | None,
        typer.Option("--attribute", metavar="NAME", help="Of the facts, only this attribute's; can be repeated."),
    ] = None,
    least: Annotated[
        float | None,
        typer.Option("--least", min=0, max=1, metavar="R", help="Least relevance of the best one; 0 finds all."),
    ] = None,
    k: Annotated[int, typer.Option("-k", "--limit", min=1, max=100, help="How many memories at most.")] = 10,
    why: Annotated[bool, typer.Option("--why", help="Show how each was ranked, and where it comes from.")] = False,
    context: Context,
    output: Output,
) -> None:
    """Find memories, best first. A time that the query names is the one that is asked about: “last year”, “작년에”."""
    text, during = typed_text(query, "the query"), typed_span(since, until, context)
    names = [check_text(name, "the attribute", limit=VALUE_LIMIT) for name in attribute or ()]
    async with opened(output) as memory:
        with output.working("searching"):
            found = await memory.recall(
                text,
                context=context,
                k=k,
                as_of=context.as_of,
                during=during,
                as_known_at=context.as_known_at,
                preset=context.preset,
                attributes=names,
                threshold=least,
                explain=why,
            )
        document = found.to_json()
        for line in asked_lines(document["time"], context.zone):
            output.remark(line)
        shown = why_shown(found, context.zone) if why and found else [hits_table(found, context.zone)]
        output.answer(document, *shown)


def typed_span(since: str | None, until: str | None, context: Context) -> Span | None:
    """The period between two dates as they are typed; None where neither is. Raises `InvalidTime`."""
    if since is None and until is None:
        return None
    now = SystemClock().now().astimezone(context.zone)
    ends: tuple[tuple[str | None, Edge], ...] = ((since, "start"), (until, "end"))
    return Span(*(None if text is None else parse_when(text, now, edge=edge) for text, edge in ends))

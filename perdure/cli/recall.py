"""`perdure recall`: search the memory."""

from __future__ import annotations

from typing import Annotated

import typer

from perdure.cli.flags import MOMENTS, SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import hits_table
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.cli.typed_text import typed_text
from perdure.graph.context import Context


@runs
@context_flags(*SCOPE, *MOMENTS, ZONE)
async def recall(
    query: Annotated[str, typer.Argument(help="What to look for; - reads it from standard input.")],
    *,
    k: Annotated[int, typer.Option("-k", "--limit", min=1, max=100, help="How many memories at most.")] = 10,
    context: Context,
    output: Output,
) -> None:
    """Find memories, best first, with what the ranking saw in --json."""
    text = typed_text(query, "the query")
    async with opened(output) as memory:
        with output.working("searching"):
            hits = await memory.recall(text, context=context, k=k, as_of=context.as_of, as_known_at=context.as_known_at)
        output.answer(hits, hits_table(hits, context.zone))

"""`perdure fading`: which memories the upkeep will archive next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from perdure.cli.flags import ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import day, short, shown, table_of
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.graph.context import Context

if TYPE_CHECKING:  # rich is slow to import, and `--help` does without it
    from rich.table import Table

    from perdure.fading import Fading


@runs
@context_flags("user", "tenant", ZONE)
async def fading(
    *,
    k: Annotated[int, typer.Option("-k", "--limit", min=1, max=1000, help="How many at most.")] = 10,
    context: Context,
    output: Output,
) -> None:
    """List the memories that fade first, with their strength and the day on which they go to the archive.

    What is of use before stays longer. PERDURE_RETENTION says which kinds fade at all, and after how many days.
    """
    async with opened(output) as memory:
        found = await memory.fading.next(k=k, context=context)
        output.answer(found, _table(found, context))


def _table(memories: Sequence[Fading], context: Context) -> Table | str:
    if not memories:
        return "nothing fades"
    table = table_of("id", "kind", "strength", "uses", "until", "content")
    for one in memories:
        table.add_row(
            short(one.id),
            one.kind,
            f"{one.strength:.2f}",
            str(one.uses),
            day(one.fades_at, context.zone),
            shown(one.content),
        )
    return table

"""`perdure profile`: who the user is, one value for each thing that has one."""

from __future__ import annotations

from perdure.cli.flags import MOMENTS, SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import day, shown, table_of
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.graph.context import Context


@runs
@context_flags(*SCOPE, *MOMENTS, ZONE)
async def profile(*, context: Context, output: Output) -> None:
    """Show what holds of each thing that has one value, and since when."""
    async with opened(output) as memory:
        found = await memory.profile.of(context=context)
    table = table_of("attribute", "value", "since")
    for attribute, entry in found.items():
        table.add_row(shown(attribute), shown(entry.value), day(entry.since, context.zone))
    output.answer(found, table if found else "nothing is known yet")

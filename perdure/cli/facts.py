"""`perdure facts`: what is held to be true."""

from __future__ import annotations

from typing import Annotated

import typer

from perdure.cli.flags import MOMENTS, SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import facts_table
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.graph.context import Context
from perdure.text import VALUE_LIMIT, check_text
from perdure.time import SystemClock


@runs
@context_flags(*SCOPE, *MOMENTS, ZONE)
async def facts(
    *,
    attribute: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this attribute, by its name or an alias of it.")
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="Also what held before.")] = False,
    context: Context,
    output: Output,
) -> None:
    """List the facts that hold, or that held at --as-of."""
    name = None if attribute is None else check_text(attribute, "the attribute", limit=VALUE_LIMIT)
    async with opened(output) as memory:
        found = await memory.facts.facts(
            context.scope,
            attribute=name,
            as_of=context.as_of,
            as_known_at=context.as_known_at,
            history=history,
        )
        output.answer(found, facts_table(found, context.as_of or SystemClock().now(), context.zone))

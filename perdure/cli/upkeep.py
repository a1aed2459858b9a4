"""`perdure migrate` and `perdure rebuild`: the schema brought up to date, the facts made anew."""

from __future__ import annotations

from typing import Annotated

import typer

from perdure.cli.flags import SCOPE, context_flags
from perdure.cli.output import Output
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.graph.context import Context


@runs
@context_flags(*SCOPE)
async def rebuild(
    *,
    check: Annotated[bool, typer.Option("--check", help="Only compare; exit 1 if they differ.")] = False,
    context: Context,
    output: Output,
) -> None:
    """Make a user's facts anew from the statements that they follow from."""
    async with opened(output) as memory:
        report = await memory.facts.rebuild(context.scope, check=check)
    kept = f"{report.facts} facts follow from {report.statements} statements"
    found = "identical to those stored" if report.identical else "different from those stored"
    done = "" if check or report.identical else ", which have been replaced"
    output.answer({**report.to_json(), "identical": report.identical}, f"{kept}: {found}{done}")
    if check and not report.identical:
        raise typer.Exit(1)


@runs
async def migrate(*, output: Output) -> None:
    """Bring the schema up to date. Opening the memory does it too; this is for doing it when you choose."""
    with output.working("migrating"):
        from perdure.database import open_databases
        from perdure.models.embedder import open_embedder
        from perdure.settings import Settings
        from perdure.stores import migrations
        from perdure.stores.checkpoints import setup_once
        from perdure.stores.pool import open_pool

        settings = Settings()
        async with open_databases(settings) as databases:
            embedder = await open_embedder(settings)
            applied = await migrations.migrate(databases.memory, embedder.model, embedder.dimension)
            async with open_pool(databases.checkpoints, size=1) as pool:
                await setup_once(pool)
    output.remark(databases.place)
    output.answer({"applied": applied}, f"applied: {', '.join(applied) or 'nothing, it was up to date'}")

"""`perdure doctor`: is everything there that Perdure needs, and is anything left undone?"""

from __future__ import annotations

from typing import Annotated

import typer

from perdure.cli.flags import context_flags
from perdure.cli.output import Output
from perdure.cli.run import runs
from perdure.graph.context import Context

MARKS = {"ok": "✓", "warn": "!", "fail": "✗"}


@runs
@context_flags("user", "tenant")
async def doctor(
    *,
    online: Annotated[bool, typer.Option("--online", help="Also make one small call of the chat model.")] = False,
    context: Context,
    output: Output,
) -> None:
    """Check the installation, the database and the models, and what a user's turns left undone.

    Exit 1 if something fails.
    """
    from perdure.cli.checkup import checkup
    from perdure.settings import Settings

    checks = []
    with output.working("looking"):
        async for check in checkup(Settings(), context, online=online):
            checks.append(check)
    lines = [f"{MARKS[c.state]} {c.name}: {c.found}" + (f"\n    {c.advice}" if c.advice else "") for c in checks]
    output.answer(checks, *lines)
    if any(check.state == "fail" for check in checks):
        raise typer.Exit(1)

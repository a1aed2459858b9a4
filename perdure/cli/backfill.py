"""`perdure backfill`: what a failing model left is extracted later."""

from __future__ import annotations

from datetime import tzinfo
from itertools import count
from typing import TYPE_CHECKING, Annotated

import typer

from perdure.cli.flags import ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import shown, written_lines
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.errors import ModelUnavailable
from perdure.graph.context import Context

if TYPE_CHECKING:
    from perdure.backfill import MadeUp


@runs
@context_flags("user", "tenant", ZONE, "recall_k", "policy", "extract_model")
async def backfill(
    *,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Take up at most so many exchanges.")] = None,
    context: Context,
    output: Output,
) -> None:
    """Extract what is in exchanges for which the model failed; stopped, it goes on where it was when run again."""
    async with opened(output) as memory:
        total = await memory.episode_store.count_unextracted(context.scope)
        with output.bar("extracting", total if limit is None else min(limit, total)) as bar:
            done = count(1)

            def tell(made_up: MadeUp) -> None:
                for line in _lines(made_up, context.zone):
                    output.remark(line)
                bar(next(done))

            report = await memory.backfill(limit=limit, tell=tell, context=context)
        counts = f"{report.written} written, {report.waiting} waiting for a decision, {report.failed} failed"
        output.answer(report, f"{counts}; {report.left} left")
        if report.waiting:
            output.remark("`perdure pending` lists what waits for a decision")
    if report.failed:
        raise typer.Exit(ModelUnavailable.exit_code)


def _lines(made_up: MadeUp, zone: tzinfo) -> list[str]:
    of = f"{shown(made_up.thread) or 'no thread'}: "
    if made_up.outcome == "written":
        return [of + line for line in written_lines(made_up.written, zone)]
    return [f"{of}{made_up.outcome}: {shown(made_up.why)}"]

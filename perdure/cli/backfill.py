"""`perdure backfill`: what a failing model left is extracted later."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import tzinfo
from typing import TYPE_CHECKING, Annotated

import typer

from perdure.cli.flags import ZONE, context_flags
from perdure.cli.output import Output, console
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
        with _progress(output, total if limit is None else min(limit, total), context.zone) as tell:
            report = await memory.backfill(limit=limit, tell=tell, context=context)
        counts = f"{report.written} written, {report.waiting} waiting for a decision, {report.failed} failed"
        output.answer(report, f"{counts}; {report.left} left")
        if report.waiting:
            output.remark("`perdure pending` lists what waits for a decision")
    if report.failed:
        raise typer.Exit(ModelUnavailable.exit_code)


@contextmanager
def _progress(output: Output, total: int, zone: tzinfo) -> Iterator[Callable[[MadeUp], None]]:
    """What to tell of each exchange: a bar where a person sees it, and beneath it what came of each."""

    def tell(made_up: MadeUp) -> None:
        for line in _lines(made_up, zone):
            output.remark(line)

    if output.as_json or not sys.stderr.isatty():
        yield tell
        return
    from rich.progress import Progress

    with Progress(console=console(stderr=True), transient=True) as progress:
        task = progress.add_task("extracting", total=total)

        def advance(made_up: MadeUp) -> None:
            for line in _lines(made_up, zone):
                progress.console.print(line, style="dim", soft_wrap=True)
            progress.advance(task)

        yield advance


def _lines(made_up: MadeUp, zone: tzinfo) -> list[str]:
    of = f"{shown(made_up.thread) or 'no thread'}: "
    if made_up.outcome == "written":
        return [of + line for line in written_lines(made_up.written, zone)]
    return [f"{of}{made_up.outcome}: {shown(made_up.why)}"]

"""`perdure reembed`: another embedding model, while the memory is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from perdure.cli.output import Output
from perdure.cli.run import runs
from perdure.errors import InvalidInput

if TYPE_CHECKING:
    from perdure.reembed import ReembeddingReport, ReembeddingStatus
    from perdure.stores.reembedding import Reembedding


@runs
async def reembed(
    *,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="As in PERDURE_EMBEDDING_MODEL; left out, it goes on with what was begun."),
    ] = None,
    dimensions: Annotated[
        int | None, typer.Option(min=1, max=16_000, metavar="N", help="As in PERDURE_EMBEDDING_DIMENSIONS.")
    ] = None,
    status: Annotated[bool, typer.Option("--status", help="Only tell how far it is.")] = False,
    abort: Annotated[bool, typer.Option("--abort", help="Drop what was begun.")] = False,
    output: Output,
) -> None:
    """Go over to another embedding model: for all users, while the memory is in use; stopped, it goes on when run again.

    New vectors are made beside the old ones, and take their place at once when all are there. Running processes follow;
    set PERDURE_EMBEDDING_MODEL to the new model for those that start afterwards.
    """
    if status + abort + (model is not None) > 1 or (dimensions and not model):
        raise InvalidInput("give one of --model (which --dimensions belongs to), --status and --abort")
    with output.working("opening the database"):
        from perdure.database import open_databases
        from perdure.reembed import Reembed
        from perdure.settings import Settings
        from perdure.stores import migrations
        from perdure.time import SystemClock

        settings = Settings()
    async with open_databases(settings) as databases:
        output.remark(databases.place)
        found = await migrations.status(databases.memory)
        if found.embedder is None or found.dimension is None:
            raise InvalidInput(
                "the database holds no vectors yet: set PERDURE_EMBEDDING_MODEL to the model that it shall have"
            )
        await migrations.migrate(databases.memory, found.embedder, found.dimension)
        work = Reembed(databases.memory, settings, SystemClock())
        if status:
            told = await work.status()
            output.answer(told, _status_line(told))
        elif abort:
            dropped = await work.abort()
            output.answer({"dropped": dropped.to_json() if dropped else None}, _abort_line(dropped))
        else:
            with output.bar("embedding") as bar:
                report = await work.run(
                    model, dimensions, lambda step: bar(step.done, of=step.total or None, doing=step.phase)
                )
            output.answer(report, _report_line(report))


def _status_line(status: ReembeddingStatus) -> str:
    if status.under_way is None:
        return f"{status.in_force} is in force; no re-embedding has begun"
    to = status.under_way.model
    if status.under_way.decided:
        return f"{status.in_force} is in force; vectors of other models are left to be tidied up: run `perdure reembed`"
    done = status.total - status.left
    return f"{status.in_force} is in force; {done} of {status.total} rows have vectors of {to} too"


def _abort_line(dropped: Reembedding | None) -> str:
    return f"dropped the vectors of {dropped.model}" if dropped else "no re-embedding has begun: nothing was dropped"


def _report_line(report: ReembeddingReport) -> str:
    if report.before == report.after:
        return f"{report.after} is in force already"
    return (
        f"went over from {report.before} to {report.after}: {report.rows} rows, {report.embedded} texts embedded."
        " Set PERDURE_EMBEDDING_MODEL to it for processes that start from now on"
    )

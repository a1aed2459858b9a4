"""`perdure maintain`: what is due is done, for all users of a tenant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from perdure.cli.flags import context_flags
from perdure.cli.output import Output
from perdure.cli.render import shown, table_of
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.graph.context import Context
from perdure.scope import check_name

if TYPE_CHECKING:  # rich is slow to import, and `--help` does without it
    from rich.table import Table

    from perdure.maintenance import MaintenanceReport


@runs
@context_flags("tenant")
async def maintain(
    *,
    user: Annotated[str | None, typer.Option(help="Only this user; all users of the tenant, if left out.")] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="CHORE", help="Only this chore, as the report names it; may be repeated."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what is due.")] = False,
    context: Context,
    output: Output,
) -> None:
    """Do what is due: erase what expired, end idle conversations, draw lessons, archive what faded or lies idle, prune.

    In batches, beside live traffic; stopped, it goes on where it was when run again. Exits with 1 if it failed for a user,
    with 5 if another process is at it.
    """
    name = None if user is None else check_name(user, "user")
    async with opened(output) as memory:
        with output.bar("looking") as bar:
            report = await memory.maintenance.run(
                tenant=context.tenant,
                user=name,
                only=only or (),
                dry_run=dry_run,
                tell=lambda at: bar(at.users, of=at.of_users, doing=f"{at.chore} ({at.done})"),
            )
        output.answer(report, _table(report, dry_run=dry_run))
        for chore in report.chores:
            for failure in chore.failures:
                output.remark(f"{chore.chore} failed for {shown(failure)}")
    if report.failed:
        raise typer.Exit(1)


def _table(report: MaintenanceReport, *, dry_run: bool) -> Table:
    """A row for each chore."""
    table = table_of("chore", "users", *(("due",) if dry_run else ("done", "left alone", "failed")))
    for chore in report.chores:
        counts = (chore.due,) if dry_run else (chore.done, chore.left, len(chore.failures))
        table.add_row(chore.chore, str(chore.users), *map(str, counts))
    return table

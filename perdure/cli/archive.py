"""`perdure archive`: what is no longer in the database, and how it comes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from perdure.cli.default_command import ListsByDefault
from perdure.cli.flags import ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import day, shown, table_of
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.errors import ArchiveUnusable
from perdure.graph.context import Context
from perdure.scope import check_name

if TYPE_CHECKING:  # rich is slow to import, and `--help` does without it
    from rich.table import Table

    from perdure.archive_file import ArchiveRecord
    from perdure.archives import VerifiedArchive

archive = typer.Typer(cls=ListsByDefault, help="Idle threads and faded memories, archived: list, restore, verify.")


@archive.command("list")
@runs
@context_flags("user", "tenant", ZONE)
async def list_archives(*, context: Context, output: Output) -> None:
    """List what is in the archive, the latest first."""
    async with opened(output) as memory:
        found = await memory.archives.entries(context=context)
        output.answer(found, _table(found, context))


@archive.command()
@runs
@context_flags("user", "tenant")
async def restore(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The thread, or the name that is listed.")],
    *,
    context: Context,
    output: Output,
) -> None:
    """Bring a thread, or what had faded, back into the database, exactly as it was."""
    check_name(name, "archive")
    async with opened(output) as memory:
        with output.working("restoring"):
            record = await memory.archives.restore(name, context=context)
        output.answer(record, f"restored {shown(record.name)}: {_rows(record)}")


@archive.command()
@runs
@context_flags("user", "tenant")
async def verify(*, context: Context, output: Output) -> None:
    """Read every archive, and tell which cannot be restored; exit 1 if there is one."""
    async with opened(output) as memory:
        with output.working("reading the archives"):
            found = await memory.archives.verify(context=context)
        broken = [one for one in found if one.problem]
        output.answer(found, _verdict(found, broken))
    if broken:
        raise typer.Exit(ArchiveUnusable.exit_code)


def _table(archives: Sequence[ArchiveRecord], context: Context) -> Table | str:
    if not archives:
        return "no archives"
    table = table_of("name", "archived", "rows", "bytes", "path")
    for record in archives:
        table.add_row(
            shown(record.name),
            day(record.archived_at, context.zone),
            str(sum(record.rows.values())),
            str(record.bytes),
            record.path,
        )
    return table


def _rows(record: ArchiveRecord) -> str:
    return ", ".join(f"{count} {table}" for table, count in sorted(record.rows.items()))


def _verdict(found: Sequence[VerifiedArchive], broken: Sequence[VerifiedArchive]) -> str:
    if broken:
        return "\n".join(shown(one.problem) for one in broken)
    return f"{len(found)} archives, all as they were written"

"""`perdure export` and `perdure import`: memories moved between databases, and taken over from other memories."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from perdure.cli.flags import context_flags
from perdure.cli.moving_files import STANDARD, lines_of, written
from perdure.cli.output import Output
from perdure.cli.render import table_of
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.errors import InvalidInput
from perdure.graph.context import Context

if TYPE_CHECKING:
    from rich.table import Table

    from perdure.moving.importing import ImportReport

Origin = Literal["perdure", "mem0", "langgraph-store"]
AllUsers = Annotated[bool, typer.Option("--all", help="All users of the tenant, and what they share.")]
_DSN = re.compile(r"^postgres(?:ql)?://|(?:^|\s)(?:host|dbname|service)\s*=")


@runs
@context_flags("user", "tenant")
async def export(
    file: Annotated[str, typer.Argument(help="Where to; .gz is compressed, - is standard output.")] = STANDARD,
    *,
    all_users: AllUsers = False,
    context: Context,
    output: Output,
) -> None:
    """Write what is known of a user to a file, with all its history; facts and vectors follow from it."""
    async with opened(output) as memory:
        if not all_users and (archived := await memory.archives.entries(context=context)):
            output.remark(f"{len(archived)} archives are not in the file: `perdure archive restore` brings them back")
        with written(file) as out, output.working("reading") as tell:
            done, line = 0, b""
            async for line in memory.moving.export(all_users=all_users, context=context):
                out.write(line)
                done += 1
                if done % 500 == 0:
                    tell(f"{done} records exported")
    counts = _counts(line)
    if file != STANDARD:
        told = ", ".join(f"{count} {_plural(kind, count)}" for kind, count in counts.items()) or "nothing is known"
        output.answer({"file": file, "counts": counts}, f"{file}: {told}")


@runs
@context_flags("user", "tenant")
async def import_(
    file: Annotated[str, typer.Argument(help="Where from; - is standard input. A database URL for langgraph-store.")],
    *,
    origin: Annotated[Origin, typer.Option("--from", help="What has written it.")] = "perdure",
    all_users: AllUsers = False,
    as_user: Annotated[str, typer.Option(metavar="NAME", help="Make it this user's.")] = "",
    as_tenant: Annotated[str, typer.Option(metavar="NAME", help="Put it into this tenant.")] = "",
    as_agent: Annotated[str, typer.Option(metavar="NAME", help="Make what agents have of their own this one's.")] = "",
    namespace: Annotated[
        str, typer.Option(metavar="A.B", help="Items of a store whose namespace begins so; {user} tells the user.")
    ] = "",
    field: Annotated[str, typer.Option(metavar="NAME", help="Field of an item that is the text.")] = "",
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Leave out what cannot be used, and say so.")] = False,
    context: Context,
    output: Output,
) -> None:
    """Store what a file holds, of the user named (or of --all); what is stored already stays as it is."""
    from perdure.moving.destination import Destination
    from perdure.moving.store_items import StoreItems

    user = None if all_users else context.user
    into = Destination(context.tenant, user, as_tenant=as_tenant, as_user=as_user, as_agent=as_agent)
    if origin != "langgraph-store" and (namespace or field):
        raise InvalidInput("--namespace and --field are for --from langgraph-store")
    async with opened(output) as memory:
        with output.working("reading") as say:

            def tell(count: int) -> None:
                say(f"{count} records imported")

            labels = tuple(namespace.split(".")) if namespace else ()
            if origin == "langgraph-store" and _DSN.search(file):
                report = await memory.moving.import_store(
                    file, labels, field=field, into=into, skip_bad=skip_bad, tell=tell
                )
            else:
                with lines_of(file) as lines:
                    items = StoreItems(labels, field)
                    report = await memory.moving.import_(
                        lines, origin=origin, into=into, items=items, skip_bad=skip_bad, tell=tell
                    )
    output.answer(report, *_summary(report))


def _counts(end: bytes) -> dict[str, int]:
    counts: dict[str, int] = json.loads(end)["counts"]
    return counts


def _summary(report: ImportReport) -> Iterator[Table | str]:
    table = table_of("record", "read", "new", "there already")
    for kind, read in report.read.items():
        new = report.new[kind]
        table.add_row(kind, str(read), str(new), str(read - new))
    yield table if report.read else "nothing was read"
    for skipped in report.skipped:
        places = ", ".join(map(str, skipped.places)) + (", …" if skipped.count > len(skipped.places) else "")
        yield f"left out: {skipped.count} (number {places}): {skipped.why}"


def _plural(kind: str, count: int) -> str:
    return kind if count == 1 else f"{kind.removesuffix('y')}ies" if kind.endswith("y") else f"{kind}s"

"""`perdure consolidate`: memories that say the same in other words are made one; every merge can be undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from perdure.alike import SIMILARITY
from perdure.cli.flags import SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import shown, table_of
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.errors import InvalidInput
from perdure.graph.context import Context

if TYPE_CHECKING:  # rich is slow to import, and `--help` does without it
    from rich.table import Table

    from perdure.consolidation import Progress
    from perdure.merging import Merge

Similarity = Annotated[
    float, typer.Option(min=0.01, max=1.0, help="Cosine from which on two facts are looked at; their words decide.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be merged, and write nothing.")]
Listing = Annotated[bool, typer.Option("--list", help="List the merges that were made.")]
Undo = Annotated[str | None, typer.Option("--undo", metavar="ID", help="Take this merge back; its facts stay apart.")]


@runs
@context_flags(*SCOPE, ZONE, "extract_model", "reviewer")
async def consolidate(
    *,
    similarity: Similarity = SIMILARITY,
    dry_run: DryRun = False,
    listing: Listing = False,
    undo: Undo = None,
    context: Context,
    output: Output,
) -> None:
    """Make one of memories that say the same in other words; stopped, it goes on where it was when run again."""
    if sum((dry_run, listing, undo is not None)) > 1:
        raise InvalidInput("--dry-run, --list and --undo exclude each other: give one of them")
    async with opened(output) as memory:
        if undo is not None:
            merge = await memory.consolidation.undo(undo, context=context)
            output.answer(merge, f"undone: {len(merge.sources)} facts are as they were before {merge.merge}")
            return
        if listing:
            merges = await memory.consolidation.list(context=context)
            output.answer(merges, _table(merges, context))
            return
        total = await memory.consolidation.count(context=context)
        with output.bar("comparing", total) as bar:

            def tell(progress: Progress) -> None:
                for line in _lines(progress.done):
                    output.remark(line)
                bar(progress.surveyed)

            report = await memory.consolidation.run(similarity=similarity, dry_run=dry_run, tell=tell, context=context)
    done = "would be merged (nothing was written)" if dry_run else "merged"
    output.answer(
        report, f"{report.surveyed} facts compared: {report.merged} groups {done}, {report.left_alone} left alone"
    )


def _lines(done: Sequence[dict[str, Any]]) -> Iterator[str]:
    for one in done:
        yield f"{one['merge']}: {one['outcome']}, {one['why']}"
        for source in one["sources"]:
            yield f"  - {shown(source['content'])}"
        if one["outcome"] != "left alone":
            yield f"  = {shown(one['content'])}"


def _table(merges: Sequence[Merge], context: Context) -> Table:
    table = table_of("merge", "when", "sentence", "instead of", "")
    for one in merges:
        at = one.at.astimezone(context.zone).strftime("%Y-%m-%d %H:%M")
        sources = " / ".join(shown(content) for content in one.sources.values())
        table.add_row(one.merge, at, shown(one.content), sources, "undone" if one.undone else "")
    return table

"""`perdure consolidate`: memories that say the same in other words are made one; every merge can be undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from perdure.alike import SIMILARITY
from perdure.cli.flags import SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import minute, shown
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.errors import InvalidInput
from perdure.graph.context import Context

if TYPE_CHECKING:
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
            output.answer(merge, f"undone: the facts are as they were before {merge.merge}")
            return
        if listing:
            merges = await memory.consolidation.list(context=context)
            output.answer(merges, *merge_lines(merges, context))
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


def merge_lines(merges: Sequence[Merge], context: Context) -> Iterator[str]:
    """As a run tells of them, so that an id can be copied in whole."""
    if not merges:
        yield "no merges"
    for one in merges:
        yield f"{one.merge}, {minute(one.at, context.zone)}{' (undone)' if one.undone else ''}"
        for content in one.sources.values():
            yield f"  - {shown(content)}"
        yield f"  = {shown(one.content)}"

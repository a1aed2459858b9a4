"""`python -m bench.quality`: how well memories are found, beside plain floors and LangGraph's own store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_cache_path
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench.cached_vectors import CachedVectors
from bench.measure import load
from bench.quality_abstention import SUITE as ABSTENTION
from bench.quality_floors import Fused, Vectors, Words
from bench.quality_korean import SUITE as KOREAN
from bench.quality_langgraph import LangGraphStore, open_langgraph_store
from bench.quality_locomo import SUITE as LOCOMO
from bench.quality_longmemeval import SUITE as LONGMEMEVAL
from bench.quality_naia import SUITE as NAIA
from bench.quality_newest import SUITE as NEWEST
from bench.quality_perdure import Perdure
from bench.quality_precision import SUITE as PRECISION
from bench.quality_suite import Bench, Row, Split, Suite
from bench.quality_timelines import SUITE as TIMELINES
from bench.rankers import Contest, Ranker
from bench.server import throwaway_server
from perdure.cli.output import console
from perdure.models.local_embedder import LocalEmbedder
from perdure.plain import plain
from perdure.presets import PRESETS, Fusion, preset_of
from perdure.stores.migrations import migrate
from perdure.stores.pool import open_pool

SUITES = (LOCOMO, KOREAN, NAIA, NEWEST, TIMELINES, PRECISION, ABSTENTION, LONGMEMEVAL)
CONTESTANTS = (Perdure.name, Words.name, Vectors.name, Fused.name, LangGraphStore.name)


@asynccontextmanager
async def opened(
    data: Path, cache: Path, split: Split, seed: int, progress: Progress, *, preset: str, fusion: Fusion | None
) -> AsyncIterator[Bench]:
    """All contestants, on a database that is thrown away."""
    embedder = LocalEmbedder()
    async with AsyncExitStack() as stack:
        server = stack.enter_context(throwaway_server())
        vectors = stack.enter_context(closing(CachedVectors(cache, embedder)))
        await migrate(server.dsn, embedder.model, embedder.dimension)
        perdure = Perdure(await stack.enter_async_context(open_pool(server.dsn)), vectors, preset, fusion)
        peer = await stack.enter_async_context(open_langgraph_store(server.dsn, vectors))
        rankers: list[Ranker] = [perdure, Words(), Vectors(vectors), Fused(vectors), peer]
        yield Bench(data, Contest(rankers, vectors, progress), perdure, split, seed)


async def measure(suites: Sequence[Suite], bench: Bench) -> list[Row]:
    return [row for suite in suites for row in await suite.run(bench)]


def main(
    suite: Annotated[list[str] | None, typer.Option(help=f"Only these: {', '.join(s.name for s in SUITES)}.")] = None,
    data: Annotated[Path, typer.Option(help="Folder of the data sets.")] = Path("../shared/data"),
    cache: Annotated[Path | None, typer.Option(help="Folder of the vectors that are kept for the next run.")] = None,
    split: Annotated[
        str, typer.Option(help="all, dev, or held-out, which nothing is tuned on; a suite without halves is whole.")
    ] = "all",
    preset: Annotated[str, typer.Option(help=f"Of Perdure: {', '.join(PRESETS)}.")] = "balanced",
    fusion: Annotated[Fusion | None, typer.Option(help="Of Perdure's two legs, another one than the preset's.")] = None,
    seed: Annotated[int, typer.Option(help="Of the order in which dated facts are written.")] = 7,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    wanted = _wanted(suite or [])
    missing = {one.name: [file for file in one.files if not (data / file).exists()] for one in wanted}
    able = [one for one in wanted if not missing[one.name]]
    for name, files in missing.items():
        if files:
            typer.echo(f"{name} left out: no {', '.join(files)} in {data} (give --data)", err=True)
    if not able:
        raise typer.Exit(1)
    folder = cache or user_cache_path("perdure", appauthor=False)
    rows = asyncio.run(_run(able, data, folder, _split(split), seed, preset_of(preset).name, fusion))
    if as_json:
        report = {"machine": load(), "split": split, "seed": seed, "missing": {k: v for k, v in missing.items() if v}}
        typer.echo(json.dumps({**report, "rows": [_as_json(row) for row in rows]}, ensure_ascii=False))
    else:
        notes = dict.fromkeys(row.note for row in rows if row.note)
        console().print(_table(rows, f"{split}; {load()}"), *notes, sep="\n")


async def _run(
    suites: Sequence[Suite], data: Path, cache: Path, split: Split, seed: int, preset: str, fusion: Fusion | None
) -> list[Row]:
    with Progress(console=Console(stderr=True), transient=True) as progress:
        async with opened(data, cache, split, seed, progress, preset=preset, fusion=fusion) as bench:
            return await measure(suites, bench)


def _wanted(names: Sequence[str]) -> list[Suite]:
    known = {suite.name: suite for suite in SUITES}
    if unknown := [name for name in names if name not in known]:
        raise typer.BadParameter(f"{unknown[0]} is none of {', '.join(known)}", param_hint="--suite")
    return [known[name] for name in names] or list(SUITES)


def _split(name: str) -> Split:
    match name:
        case "all" | "dev" | "held-out":
            return name
        case _:
            raise typer.BadParameter(f"{name} is none of all, dev, held-out", param_hint="--split")


def _table(rows: Sequence[Row], title: str) -> Table:
    table = Table("suite", "metric", "cases", *CONTESTANTS, "target", "", title=title)
    for row in rows:
        figures = [_figure(row.figures.get(name)) for name in CONTESTANTS]
        table.add_row(row.suite, row.metric, str(row.cases), *figures, str(row.target or ""), row.verdict)
    return table


def _figure(figure: float | None) -> str:
    return "" if figure is None else f"{figure:.3f}"


def _as_json(row: Row) -> dict[str, object]:
    return {**row.to_json(), "figures": plain(dict(row.figures)), "verdict": row.verdict}


if __name__ == "__main__":
    typer.run(main)

"""`python -m bench.reembed`: another embedding model for many memories, while clients search and write all the time.

The models are `bench.hash_embeddings`, behind a server in a process of its own; `perdure reembed` is a process too, is
killed half-way and run again. The clients are in this one, in two memories as two processes would have them open.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from contextlib import AsyncExitStack
from typing import Annotated

import typer
from rich.table import Table

from bench.hash_embeddings import embedding_server
from bench.measure import load
from bench.reembed_clients import Clients, Row, moment_of
from bench.reembed_corpus import OTHERS, Model, draw_memories, draw_questions, store_memories
from bench.server import throwaway_server
from perdure.app import open_memory
from perdure.cli.output import console
from perdure.plain import plain
from perdure.reembed import ReembeddingStatus
from perdure.settings import Settings

OLD, NEW = Model("hash-a", 256), Model("hash-b", 384)
CALM = 10.0
"""Seconds before the change, and after it."""


def main(
    memories: Annotated[int, typer.Option(min=3_000)] = 50_000,
    large: Annotated[
        int, typer.Option(min=OTHERS + 1, help="So many of them are one user's, who has indexes.")
    ] = 10_000,
    clients: Annotated[int, typer.Option(min=4)] = 8,
    seed: int = 7,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    machine = load()
    with embedding_server() as models, throwaway_server() as server:
        rows, told = asyncio.run(measure(server.dsn, models, memories, large, clients, seed))
    if as_json:
        typer.echo(json.dumps({"seed": seed, "machine": machine, "phases": plain(rows), **told}))
    else:
        console().print(
            _table(
                rows, f"{memories} memories, {large} of one user, {clients} clients; {machine} before, {load()} after"
            )
        )
        for name, value in told.items():
            console().print(f"{name}: {value}")
    if any(row.errors for row in rows) or min(row.recall for row in rows) < 0.99:
        raise typer.Exit(1)


async def measure(
    dsn: str, models: str, memories: int, large: int, clients: int, seed: int
) -> tuple[list[Row], dict[str, object]]:
    """What the clients met phase by phase, and how the change itself went."""
    _tell("drawing memories and what is nearest to each question")
    drawn = draw_memories(memories, large, seed)
    questions = draw_questions(drawn, (OLD, NEW), seed)
    _tell("writing them, and indexing the large user")
    await store_memories(dsn, drawn, OLD, large)
    settings = Settings(
        database_url=dsn,  # type: ignore[arg-type]  # pydantic makes a secret of it
        openai_base_url=models,
        embedding_model=OLD.name,
        embedding_dimensions=OLD.dimensions,
    )
    async with AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(open_memory(settings)) for _ in range(2)]
        for memory in opened:
            await memory.recall("word1", user="large", preset="vector")  # learns who has indexes
        working = Clients(opened, questions, clients)
        running = asyncio.create_task(working.run())
        _tell("searching before")
        await asyncio.sleep(CALM)
        begun = time.monotonic()
        switched = asyncio.create_task(moment_of(dsn, NEW.identity))
        first = await _start(dsn, models)
        status = opened[0].reembed.status
        while not _is_half_done(at_kill := await status()):  # noqa: ASYNC110  # another process does it
            await asyncio.sleep(0.2)
        first.kill()
        await first.wait()
        _tell(f"killed with {at_kill.left} of {at_kill.total} rows left; searching meanwhile")
        await asyncio.sleep(CALM / 2)
        second = await _start(dsn, models)
        out, _ = await second.communicate()
        took = time.monotonic() - begun
        _tell("searching after")
        await asyncio.sleep(CALM)
        working.over.set()
        await running
        rows = working.table(begun, await switched)
    report = json.loads(out)
    told: dict[str, object] = {
        "left when killed": f"{at_kill.left} of {at_kill.total} rows",
        "by the second run": report,
        "seconds in all": round(took, 1),
    }
    if working.failed:
        told["errors"] = sorted({what for _, what in working.failed})
    return rows, told


def _is_half_done(status: ReembeddingStatus) -> bool:
    return status.under_way is not None and 0 < status.left < status.total / 2


async def _start(dsn: str, models: str) -> asyncio.subprocess.Process:
    _tell("perdure reembed")
    environment = {**os.environ, "DATABASE_URL": dsn, "OPENAI_BASE_URL": models, "PERDURE_EMBEDDING_MODEL": OLD.name}
    arguments = ("reembed", "--model", NEW.name, "--dimensions", str(NEW.dimensions), "--json")
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "perdure", *arguments), stdout=asyncio.subprocess.PIPE, env=environment
    )


def _table(rows: list[Row], title: str) -> Table:
    columns = ("phase", "s", "searches", "recall@10", "worst", "p50 ms", "p99", "slowest", "writes", "p50", "slowest")
    table = Table(*columns, "errors", title=title)
    for row in rows:
        table.add_row(*map(str, row.to_json().values()))
    return table


def _tell(doing: str) -> None:
    console(stderr=True).print(f"{time.strftime('%H:%M:%S')} {doing}", style="dim")


if __name__ == "__main__":
    typer.run(main)

"""`python -m bench.recall`: what a search costs beside the floor, the bare exact vector statement over the same rows."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer
from pgvector import Vector
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench.measure import Times, load, measured
from perdure.cli.output import console
from perdure.embedded import EmbeddedPostgres
from perdure.plain import plain
from perdure.recall import Query
from perdure.scope import Scope
from perdure.stores.migrations import migrate
from perdure.stores.pool import Pool, open_pool
from perdure.stores.recall import PostgresRecallStore
from perdure.terms import hashed_terms
from perdure.time import SystemClock

DIMENSION = 384
SINCE = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = [f"word{number}" for number in range(5000)]
FLOOR = (
    "select id, content, embedding <#> %(vector)s as distance from perdure.facts"
    " where tenant = %(tenant)s and user_id = %(user)s and known_to is null"
    " and valid_from <= %(at)s and (valid_to is null or valid_to > %(at)s) order by distance limit 10"
)
COLUMNS = [
    "tenant",
    "user_id",
    "agent",
    "id",
    "slot",
    "subject",
    "attribute",
    "cardinality",
    "value",
    "content",
    "kind",
    "importance",
    "confidence",
    "trust",
    "valid_from",
    "dated",
    "known_from",
    "corroboration",
    "version",
    "thread",
    "message",
    "embedding",
    "terms",
    "length",
]


def rows(users: int, memories: int, seed: int) -> Iterator[tuple[object, ...]]:
    """Memories of random words, commoner ones oftener, with random vectors."""
    dice = random.Random(seed)
    for number in range(users * memories):
        content = " ".join(WORDS[int(dice.paretovariate(0.8)) % len(WORDS)] for _ in range(12))
        terms, length = hashed_terms(content)
        identity = UUID(int=dice.getrandbits(128))
        yield (
            *("default", f"user{number % users}", "", identity, identity, "user", "", "many", content, content),
            *("fact", 5, 1.0, "user", SINCE, True, SINCE, 1, 1, "", "", vector(dice), terms, length),
        )


def vector(dice: random.Random) -> Vector:
    numbers = [dice.gauss(0, 1) for _ in range(DIMENSION)]
    norm = sum(x * x for x in numbers) ** 0.5
    return Vector([x / norm for x in numbers])


async def fill(pool: Pool, users: int, memories: int, seed: int, progress: Progress) -> None:
    task = progress.add_task("writing memories", total=users * memories)
    async with pool.connection() as connection, connection.cursor() as cursor:
        async with cursor.copy(f"copy perdure.facts ({', '.join(COLUMNS)}) from stdin".encode()) as copy:
            for row in rows(users, memories, seed):
                await copy.write_row(row)
                progress.advance(task)
        await connection.execute("analyze perdure.facts")


@contextmanager
def _server(home: Path) -> Iterator[EmbeddedPostgres]:
    home.chmod(0o755)  # for root: the account that the server runs under must pass
    with EmbeddedPostgres(home, ephemeral=True) as server:
        yield server


async def compare(users: int, memories: int, calls: int, seed: int, progress: Progress) -> list[Times]:
    with tempfile.TemporaryDirectory(prefix="perdure-") as home, _server(Path(home)) as server:
        await migrate(server.dsn, "random", DIMENSION)
        async with open_pool(server.dsn) as pool:
            await fill(pool, users, memories, seed, progress)
            dice = random.Random(seed + 1)
            questions = [
                (f"user{dice.randrange(users)}", vector(dice), dice.sample(WORDS[:200], 6)) for _ in range(calls)
            ]
            store = PostgresRecallStore(pool, SystemClock())

            async def floor(number: int) -> None:
                user, asked, _ = questions[number]
                values = {"vector": asked, "tenant": "default", "user": user, "at": SystemClock().now()}
                async with pool.connection() as connection:
                    await (await connection.execute(FLOOR, values)).fetchall()

            async def hybrid(number: int) -> None:
                user, asked, words = questions[number]
                await store.search(Scope(user=user), Query(" ".join(words)), asked.to_list())

            task = progress.add_task("searching", total=2 * calls)
            return [
                await measured(name, calls, call, lambda: progress.advance(task))
                for name, call in (("floor: exact vectors", floor), ("perdure: hybrid", hybrid))
            ]


def main(
    users: Annotated[int, typer.Option(help="Users in the database.")] = 20,
    memories: Annotated[int, typer.Option(help="Memories of each user.")] = 1000,
    calls: Annotated[int, typer.Option(help="Searches of each kind.")] = 200,
    seed: int = 7,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    with Progress(console=Console(stderr=True), transient=True, disable=as_json) as progress:
        times = asyncio.run(compare(users, memories, calls, seed, progress))
    ratio = round(times[1].p50 / times[0].p50, 2)
    if as_json:
        typer.echo(json.dumps({"machine": load(), "times": plain(times), "ratio": ratio}))
        return
    table = Table("search", "calls", "p50 ms", "p95 ms", title=f"{users} users × {memories} memories; {load()}")
    for time in times:
        table.add_row(time.name, str(time.calls), str(time.p50), str(time.p95))
    console().print(table, f"hybrid / floor at the median: {ratio}")


if __name__ == "__main__":
    typer.run(main)

"""Vectors of another model beside those in force: begun, filled in batches, dropped again, tidied up.

Whoever works on it has a connection of its own, and is alone: see `alone`. How the new vectors take the place of the old
is in `stores.switching`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, LiteralString
from uuid import UUID

from pgvector import Vector as PgVector
from psycopg import errors

from perdure.errors import DatabaseUnavailable, ReembeddingUnderWay
from perdure.model_in_force import ModelInForce
from perdure.plain import Record
from perdure.ports import Vector
from perdure.scope import Scope
from perdure.stores.pool import Connection, Pool, borrowed, connect, is_shared, translate_errors, without_limit
from perdure.stores.scoped import ScopedStatements
from perdure.stores.sql import statements
from perdure.stores.vectors import text_hash

_SQL = statements("reembedding")
_ROWS, _FACTS = ScopedStatements("new_vectors"), ScopedStatements("facts")
ROWS_PER_LOCK = 32
"""So many rows are filled while their user does not write: those of a large user take long, for the index of the old
vectors takes each row anew."""
LOCK_TRIES, LOCK_PAUSE = 100, 0.3
"""How often, and after how many seconds, locks that nobody may long be kept waiting for are tried for again."""


@dataclass(frozen=True, slots=True)
class Reembedding(Record):
    """To which model, and what settings call it. ``decided``: the new vectors have taken the place of the old, or have
    been dropped, and only tidying is left."""

    model: str
    name: str
    dimensions: int | None
    dimension: int
    begun_at: datetime
    decided: bool


@dataclass(frozen=True, slots=True)
class Lacking:
    """A row without its new vector; ``vector`` is that of its text, where it is known."""

    kind: str
    scope: Scope
    id: UUID
    content: str
    vector: Vector | None


class PostgresEmbedderRegister:
    """Implements `ports.EmbedderRegister`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def in_force(self) -> ModelInForce:
        async with borrowed(self._pool) as connection:
            return await model_in_force(connection)


async def model_in_force(connection: Connection) -> ModelInForce:
    row = await (await connection.execute(_SQL["in_force"])).fetchone()
    assert row, "every migrated database has it"
    return ModelInForce(**row)


@asynccontextmanager
async def alone(dsn: str) -> AsyncIterator[Connection]:
    """A connection without a limit of time, for the one process that re-embeds the database; until that ends, or dies.

    Raises `ReembeddingUnderWay` if another one does. Behind a transaction pooler, where a session's lock would be a
    stranger's, nobody is kept out: two do the same work twice, to no harm.
    """
    async with await connect(dsn) as connection:
        with translate_errors():
            if not await is_shared(connection):
                row = await (await connection.execute(_SQL["lock_run"])).fetchone()
                if not (row and row["locked"]):
                    raise ReembeddingUnderWay(
                        "another process is re-embedding this database: wait for it (`perdure reembed --status`), or stop it"
                    )
            async with without_limit(connection):
                yield connection


async def reembedding(connection: Connection) -> Reembedding | None:
    """The one that has begun and is not finished."""
    row = await (await connection.execute(_SQL["state"])).fetchone()
    return Reembedding(**row) if row else None


async def begin(connection: Connection, to: Reembedding) -> None:
    """Make room for the new vectors. Reads and writes go on."""

    async def add_columns() -> None:
        await connection.execute(_SQL["put"], to.to_json() | {"begun_at": to.begun_at})
        await connection.execute(_SQL["add_columns"].replace(":dimension", str(int(to.dimension))).encode())

    await quickly(connection, add_columns)


async def index_lacking(connection: Connection) -> None:
    """Indexes by which rows are found that lack a vector. Whoever was cut short may have left some that are of no use."""
    for table in ("statements", "facts", "episodes"):
        await connection.execute(_SQL[f"drop_{table}_left"])
        await connection.execute(_SQL[f"make_{table}_left"])


async def count_left(connection: Connection) -> int:
    """How many rows still lack their new vector."""
    return await _count(connection, "left")


async def count_rows(connection: Connection) -> int:
    """How many rows have text that is embedded: statements, facts and episodes."""
    return await _count(connection, "total")


async def lacking(connection: Connection, model: str, most: int) -> list[Lacking]:
    """At most so many rows that lack their new vector."""
    cursor = await connection.execute(_SQL["batch"], {"model": model, "rows": most})
    return [
        Lacking(
            row["kind"],
            Scope(tenant=row["tenant"], user=row["user_id"]),
            row["id"],
            row["content"],
            row["embedding"].to_list() if row["embedding"] else None,
        )
        async for row in cursor
    ]


async def fill(connection: Connection, model: str, rows: Sequence[Lacking], vectors: Mapping[str, Vector]) -> None:
    """Give rows the vectors of their texts, if they still have these, a few at a time; their user does not write then."""
    in_order = sorted(rows, key=lambda row: (row.scope.tenant, row.scope.user, row.kind))
    for (scope, kind), same in groupby(in_order, key=lambda row: (row.scope, row.kind)):
        told = [_told(row, model, vectors[row.content]) for row in same]
        for start in range(0, len(told), ROWS_PER_LOCK):
            async with connection.transaction(), connection.pipeline():
                await _FACTS.run(connection, scope, "lock_user")
                await _ROWS.run_many(connection, scope, f"fill_{kind}", told[start : start + ROWS_PER_LOCK])


async def drop(connection: Connection) -> None:
    """Drop the new vectors; the old ones have been in force all the time."""

    async def drop_columns() -> None:
        await connection.execute(_SQL["drop_columns"].encode())

    await quickly(connection, drop_columns)


async def require_vectors(connection: Connection) -> None:
    """After the switch: that each row has a vector is again what the table demands."""
    row = await (await connection.execute(_SQL["has_checks"])).fetchone()
    if not (row and row["found"]):
        return
    await connection.execute(_SQL["all_there"].encode())

    async def require() -> None:
        await connection.execute(_SQL["require_vectors"].encode())

    await quickly(connection, require)


async def forget_others(connection: Connection) -> AsyncIterator[int]:
    """Delete the kept vectors of models that are not in force; how many, batch by batch."""
    key: dict[str, Any] = {"tenant": "", "user": "", "model": "", "text_hash": b""}
    while last := await (await connection.execute(_SQL["forget_others"], key)).fetchone():
        key = last
        yield int(last["gone"])


async def finish(connection: Connection) -> None:
    """Nothing is left to do."""
    await connection.execute(_SQL["remove"])


async def quickly(connection: Connection, change: Callable[[], Awaitable[None]]) -> None:
    """Run `change` in a transaction that waits for no lock longer than others can be kept waiting, again until it has
    them. Raises `DatabaseUnavailable` if somebody never lets go."""
    for _ in range(LOCK_TRIES):
        try:
            async with connection.transaction():
                await connection.execute(_SQL["be_quick"])
                return await change()
        except (errors.LockNotAvailable, errors.DeadlockDetected):
            await asyncio.sleep(LOCK_PAUSE)
    raise DatabaseUnavailable(
        "the tables of memories are in use all the time, by a transaction that does not end: end it, then run"
        " `perdure reembed` again, which goes on"
    )


def _told(row: Lacking, model: str, vector: Vector) -> dict[str, Any]:
    return {
        "id": row.id,
        "content": row.content,
        "model": model,
        "text_hash": text_hash(row.content),
        "embedding": PgVector(list(vector)),
    }


async def _count(connection: Connection, name: LiteralString) -> int:
    row = await (await connection.execute(_SQL[name])).fetchone()
    return int(row["rows"]) if row else 0

"""Users with too many memories to score each: indexes of their own, and knowing who they are.

An index over all users, filtered by user afterwards, loses nine rows of ten (pgvector's own documentation says why);
one over the rows of a single user loses none that way. So a large user gets partial indexes, two per table: HNSW over
the vectors, GIN over the terms. Whoever is not large has none, and the planner nothing to choose.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, LiteralString

from psycopg import AsyncCursor, sql
from psycopg.rows import DictRow

from perdure.errors import DatabaseUnsuitable
from perdure.facts import PERDURE_NAMESPACE
from perdure.plain import Record
from perdure.scope import Scope
from perdure.stores.pool import Connection, is_shared, without_limit
from perdure.stores.sql import statements
from perdure.time import Clock

_SQL = statements("large_users")
LARGE = 8_000
"""From so many memories on the indexes are worth it: below, scoring each costs less (`python -m bench.speed`)."""
MOST_DIMENSIONS = 2_000
"""Of vectors that HNSW takes."""
LIFETIME = timedelta(minutes=1)
"""How long a process may not know of new indexes; it scores each row until then."""
LOCK = 0x70657269
"""Key of the advisory lock of whoever makes or drops indexes."""


@dataclass(frozen=True, slots=True)
class _Index:
    table: LiteralString
    purpose: str
    method: LiteralString
    rows: LiteralString

    def name(self, scope: Scope) -> str:
        owner = uuid.uuid5(PERDURE_NAMESPACE, f"{scope.tenant}\x1f{scope.user}")
        return f"{self.table}_{self.purpose}_{owner.hex}"


_NEAR: LiteralString = "hnsw (embedding vector_ip_ops) with (m = 24, ef_construction = 200)"
_INDEXES = (
    _Index("facts", "near", _NEAR, "known_to is null"),
    _Index("facts", "terms", "gin (terms)", "known_to is null"),
    _Index("episodes", "near", _NEAR, "true"),
    _Index("episodes", "terms", "gin (terms)", "true"),
)


@dataclass(frozen=True, slots=True)
class LargeUser:
    rows: int
    common: Mapping[int, int]
    """Terms that very many rows have, and how many."""


@dataclass(frozen=True, slots=True)
class Indexed(Record):
    tenant: str
    user: str
    rows: int
    indexed: bool
    """False where the indexes were dropped, because the user is not large any more."""


class LargeUsers:
    """Who has indexes of their own, as this process knows it. Asked along with a search, for the searches after it."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], LargeUser] = {}
        self._learned_at: datetime | None = None

    def of(self, scope: Scope) -> LargeUser | None:
        """None for a user whose memories are scored one by one."""
        return self._known.get((scope.tenant, scope.user))

    def forget(self) -> None:
        """Ask anew."""
        self._known, self._learned_at = {}, None

    async def ask(self, connection: Connection, now: datetime) -> AsyncCursor[DictRow] | None:
        """Send the question, where the last answer is old; within the pipeline of the caller."""
        if self._learned_at and timedelta() <= now - self._learned_at < LIFETIME:
            return None
        return await connection.execute(_SQL["all"])

    async def learn(self, asked: AsyncCursor[DictRow] | None, now: datetime) -> None:
        if asked:
            self._learned_at = now
            self._known = {_owner(row): _large_user(row) async for row in asked}


def _large_user(row: DictRow) -> LargeUser:
    return LargeUser(row["rows"], dict(zip(row["common"], row["common_rows"], strict=True)))


async def index_large_users(connection: Connection, clock: Clock, *, least: int = LARGE) -> AsyncIterator[Indexed]:
    """Make the indexes of everyone who has `least` memories or more, drop those of others; tell of each user.

    Takes minutes for a hundred thousand memories; searches and writes go on meanwhile. Raises `DatabaseUnsuitable` for
    vectors that cannot be indexed.
    """
    if (dimension := await _dimension(connection)) > MOST_DIMENSIONS:
        raise DatabaseUnsuitable(
            f"vectors of {dimension} dimensions cannot be indexed: pgvector takes {MOST_DIMENSIONS} at most. All memories"
            " are found without, only more slowly; set PERDURE_EMBEDDING_DIMENSIONS for a new database"
        )
    async with without_limit(connection), _alone(connection):
        large, known = await _large_and_known(connection, least)
        owners = set(map(_owner, large))
        for row in known:
            if _owner(row) not in owners:
                await drop_indexes(connection, Scope(tenant=row["tenant"], user=row["user_id"]))
                yield Indexed(row["tenant"], row["user_id"], row["rows"], indexed=False)
        for row in large:
            scope = Scope(tenant=row["tenant"], user=row["user_id"])
            indexed = await _index(connection, scope, row["rows"], clock.now())
            yield Indexed(row["tenant"], row["user_id"], row["rows"], indexed=indexed)


async def large_without_indexes(connection: Connection) -> list[int]:
    """How many memories each user has whose indexes are worth making and not made, the most first."""
    if await _dimension(connection) > MOST_DIMENSIONS:
        return []
    large, known = await _large_and_known(connection, LARGE)
    owners = set(map(_owner, known))
    return [row["rows"] for row in large if _owner(row) not in owners]


async def _large_and_known(connection: Connection, least: int) -> tuple[list[DictRow], list[DictRow]]:
    """Who has `least` memories or more, the most first, and who has indexes."""
    large = await (await connection.execute(_SQL["survey"], {"least": least})).fetchall()
    return large, await (await connection.execute(_SQL["all"])).fetchall()


def _owner(row: DictRow) -> tuple[str, str]:
    return row["tenant"], row["user_id"]


async def _dimension(connection: Connection) -> int:
    row = await (await connection.execute(_SQL["dimension"])).fetchone()
    return row["dimension"] if row else 0


async def drop_indexes(connection: Connection, scope: Scope) -> None:
    """Drop the user's own indexes, if there are any: their definitions hold the user's name."""
    owner = {"tenant": scope.tenant, "user": scope.user}
    if await (await connection.execute(_SQL["known"], owner)).fetchone() is None:
        return
    async with _alone(connection):
        for index in _INDEXES:
            await connection.execute(_dropping(index, scope))
        # Forgotten last: whoever is cut short leaves what the next erasure, or run, finds and drops.
        await connection.execute(_SQL["remove"], owner)


@asynccontextmanager
async def _alone(connection: Connection) -> AsyncIterator[None]:
    """Until nobody else makes or drops indexes. Two who do on one table are a deadlock: what is built waits for all
    statements that are running, the other's, which waits for its turn, among them. So nobody waits within a statement.
    """
    if await is_shared(connection):  # a lock would be left to strangers
        yield
        return
    while True:
        row = await (await connection.execute(_SQL["lock"], {"key": LOCK})).fetchone()
        if row and row["locked"]:
            break
        await asyncio.sleep(0.1)
    try:
        yield
    finally:
        if not connection.closed:
            await connection.execute(_SQL["unlock"], {"key": LOCK})


async def _index(connection: Connection, scope: Scope, rows: int, now: datetime) -> bool:
    """False where the user was erased meanwhile."""
    owner: dict[str, Any] = {"tenant": scope.tenant, "user": scope.user, "rows": rows, "now": now}
    # Told first: whoever is cut short leaves what the next run, and an erasure, find and drop.
    await connection.execute(_SQL["put"], owner)
    for index in _INDEXES:
        await connection.execute(_dropping(index, scope))
        await connection.execute(_creating(index, scope))
    common = await (await connection.execute(_SQL["common_terms"], owner)).fetchall()
    counted = {"common": [row["term"] for row in common], "common_rows": [row["rows"] for row in common]}
    if (await connection.execute(_SQL["count"], owner | counted)).rowcount:
        return True
    await drop_indexes(connection, scope)
    return False


def _creating(index: _Index, scope: Scope) -> sql.Composed:
    return sql.SQL(
        "create index concurrently {name} on {table} using {method} where tenant = {tenant} and user_id = {user} and {rows}"
    ).format(
        name=sql.Identifier(index.name(scope)),
        table=sql.Identifier("perdure", index.table),
        method=sql.SQL(index.method),
        tenant=sql.Literal(scope.tenant),
        user=sql.Literal(scope.user),
        rows=sql.SQL(index.rows),
    )


def _dropping(index: _Index, scope: Scope) -> sql.Composed:
    return sql.SQL("drop index concurrently if exists {}").format(sql.Identifier("perdure", index.name(scope)))

"""Users with too many memories to score each: indexes of their own, and knowing who they are.

An index over all users, filtered by user afterwards, loses nine rows of ten (pgvector's own documentation says why);
one over the rows of a single user loses none that way. So a large user gets partial indexes, two per table: HNSW over
the vectors, GIN over the terms. Whoever is not large has none, and the planner nothing to choose.
"""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, LiteralString

from psycopg import AsyncCursor, sql
from psycopg.rows import DictRow

from perdure.facts import PERDURE_NAMESPACE
from perdure.plain import Record
from perdure.scope import Scope
from perdure.stores.pool import Connection, without_limit
from perdure.stores.sql import statements
from perdure.time import Clock

_SQL = statements("large_users")
LARGE = 8_000
"""From so many memories on the indexes are worth it: below, scoring each costs less (`python -m bench.speed`)."""
LIFETIME = timedelta(minutes=1)
"""How long a process may not know of new indexes; it scores each row until then."""


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

    async def ask(self, connection: Connection, now: datetime) -> AsyncCursor[DictRow] | None:
        """Send the question, where the last answer is old; within the pipeline of the caller."""
        if self._learned_at and timedelta() <= now - self._learned_at < LIFETIME:
            return None
        return await connection.execute(_SQL["all"])

    async def learn(self, asked: AsyncCursor[DictRow] | None, now: datetime) -> None:
        if asked:
            self._learned_at = now
            self._known = {(row["tenant"], row["user_id"]): _large_user(row) async for row in asked}


def _large_user(row: DictRow) -> LargeUser:
    return LargeUser(row["rows"], dict(zip(row["common"], row["common_rows"], strict=True)))


async def index_large_users(connection: Connection, clock: Clock, *, least: int = LARGE) -> AsyncIterator[Indexed]:
    """Make the indexes of everyone who has `least` memories or more, drop those of others; tell of each user.

    Takes minutes for a hundred thousand memories; searches and writes go on meanwhile.
    """
    large = await (await connection.execute(_SQL["survey"], {"least": least})).fetchall()
    known = await (await connection.execute(_SQL["all"])).fetchall()
    owners = {(row["tenant"], row["user_id"]) for row in large}
    async with without_limit(connection):
        for row in known:
            if (row["tenant"], row["user_id"]) not in owners:
                await drop_indexes(connection, Scope(tenant=row["tenant"], user=row["user_id"]))
                yield Indexed(row["tenant"], row["user_id"], row["rows"], indexed=False)
        for row in large:
            await _index(connection, Scope(tenant=row["tenant"], user=row["user_id"]), row["rows"], clock.now())
            yield Indexed(row["tenant"], row["user_id"], row["rows"], indexed=True)


async def large_without_indexes(connection: Connection) -> list[int]:
    """How many memories each user has whose indexes are worth making and not made, the most first."""
    large = await (await connection.execute(_SQL["survey"], {"least": LARGE})).fetchall()
    known = await (await connection.execute(_SQL["all"])).fetchall()
    owners = {(row["tenant"], row["user_id"]) for row in known}
    return [row["rows"] for row in large if (row["tenant"], row["user_id"]) not in owners]


async def drop_indexes(connection: Connection, scope: Scope) -> None:
    """Drop the user's own indexes, if there are any: their definitions hold the user's name."""
    removed = await connection.execute(_SQL["remove"], {"tenant": scope.tenant, "user": scope.user})
    if removed.rowcount:
        for index in _INDEXES:
            await connection.execute(_dropping(index, scope))


async def _index(connection: Connection, scope: Scope, rows: int, now: datetime) -> None:
    owner: dict[str, Any] = {"tenant": scope.tenant, "user": scope.user}
    # Told first: whoever is cut short leaves what the next run, and an erasure, find and drop.
    await connection.execute(_SQL["put"], owner | {"rows": rows, "common": [], "common_rows": [], "now": now})
    for index in _INDEXES:
        await connection.execute(_dropping(index, scope))
        await connection.execute(_creating(index, scope))
    common = await (await connection.execute(_SQL["common_terms"], owner | {"rows": rows})).fetchall()
    counted = {"common": [row["term"] for row in common], "common_rows": [row["rows"] for row in common]}
    await connection.execute(_SQL["put"], owner | counted | {"rows": rows, "now": now})


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

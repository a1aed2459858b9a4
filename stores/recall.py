"""Search over facts and episodes: one statement, exact within the scope."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pgvector import Vector as PgVector
from psycopg import AsyncCursor
from psycopg.rows import DictRow

from perdure.errors import InvalidInput
from perdure.opening import Opening
from perdure.ports import Vector
from perdure.recall import Hit, Query
from perdure.scope import Scope
from perdure.stores.policies import policy_of_row
from perdure.stores.pool import Connection, Pool, borrowed
from perdure.stores.scoped import ScopedStatements
from perdure.terms import hashed_terms
from perdure.time import Clock, check_instant
from perdure.turn import AttributeUse

_SQL = ScopedStatements("recall")
_FACTS = ScopedStatements("facts")
_POLICIES = ScopedStatements("policies")


class PostgresRecallStore:
    """Implements `ports.RecallStore`."""

    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool = pool
        self._clock = clock

    async def search(self, scope: Scope, query: Query, vector: Vector) -> list[Hit]:
        """The memories that hold at `as_of`, best first; raises `InvalidInput` for an absurd moment or `k`."""
        async with borrowed(self._pool) as connection:
            return await search(connection, scope, query, vector, self._clock.now())

    async def open_turn(self, scope: Scope, query: Query, vector: Vector) -> Opening:
        """What a turn begins with, sent together: one round trip."""
        now = self._clock.now()
        async with borrowed(self._pool) as connection:
            async with connection.pipeline():  # nothing is read before it ends: that would be another round trip
                used = await _FACTS.run(connection, scope, "attributes_in_use", now=now)
                policy = await _POLICIES.run(connection, scope, "in_force")
                found = await _ask(connection, scope, query, vector, now) if query.k else None
            return Opening(
                hits=tuple(await _hits(found, now)) if found else (),
                attributes=tuple([AttributeUse(**row) async for row in used]),
                policy=policy_of_row(await policy.fetchone()),
            )


async def search(
    connection: Connection,
    scope: Scope,
    query: Query,
    vector: Vector,
    now: datetime,
    *,
    facts: bool = True,
    kind: str | None = None,
) -> list[Hit]:
    return await _hits(await _ask(connection, scope, query, vector, now, facts=facts, kind=kind), now)


async def _ask(
    connection: Connection,
    scope: Scope,
    query: Query,
    vector: Vector,
    now: datetime,
    *,
    facts: bool = True,
    kind: str | None = None,
) -> AsyncCursor[DictRow]:
    if query.k < 0:
        raise InvalidInput(f"{query.k} memories cannot be searched for: ask for 0 or more")
    known = query.as_known_at and check_instant(query.as_known_at, "as_known_at")
    return await _SQL.run(
        connection,
        scope,
        "search",
        # Prepared, it gets a plan for any parameters: one that reads past beliefs too, and takes twice as long.
        prepare=False,
        vector=PgVector(list(vector)),
        terms=hashed_terms(query.text)[0],
        k=query.k,
        at=check_instant(query.as_of or known or now, "as_of"),
        known=known,
        facts=facts,
        episodes=query.episodes,
        kind=kind,
        exclude_thread=query.exclude_thread,
    )


async def _hits(found: AsyncCursor[DictRow], now: datetime) -> list[Hit]:
    return [_hit(row, now) async for row in found]


def _hit(row: dict[str, Any], now: datetime) -> Hit:
    similarity, lexical = row.pop("similarity"), row.pop("lexical")
    past = row["valid_to"] is not None and row["valid_to"] <= now
    return Hit(**row, vector_score=max(0.0, similarity), lexical_score=lexical, past=past)

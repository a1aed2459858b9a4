"""What has expired, erased: statements with the facts that follow from them, episodes, and their vectors."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from perdure.expiry import expired_of
from perdure.scope import Scope
from perdure.stores.pool import Connection, Pool, borrowed
from perdure.stores.rebuild import rebuild_slot
from perdure.stores.rows import statement_of
from perdure.stores.scoped import ScopedStatements
from perdure.stores.vectors import forget_vectors
from perdure.text import normalise
from perdure.time import Clock

_SQL, _FACTS, _USES = (ScopedStatements(file) for file in ("expiry", "facts", "uses"))


class PostgresExpiry:
    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool = pool
        self._clock = clock

    async def count(self, scope: Scope) -> int:
        """How many statements and episodes of the user have expired and are still stored."""
        async with borrowed(self._pool) as connection:
            row = await (await _SQL.run(connection, scope, "count_expired", now=self._clock.now())).fetchone()
        assert row
        return int(row["expired"])

    async def erase(self, scope: Scope, limit: int) -> int:
        """Erase what has expired in at most `limit` slots, and as many episodes, in one transaction; how many of both."""
        now = self._clock.now()
        async with borrowed(self._pool) as connection, connection.transaction():
            await _FACTS.run(connection, scope, "lock_user")
            cursor = await _SQL.run(connection, scope, "expired_slots", now=now, limit=limit)
            slots = [row["slot"] async for row in cursor]
            done = sum([await _erase_in_slot(connection, scope, slot, now) for slot in slots])
            cursor = await _SQL.run(connection, scope, "delete_episodes", now=now, limit=limit)
            episodes = await cursor.fetchall()
            await _USES.run(connection, scope, "forget", memories=[row["id"] for row in episodes])
            await forget_vectors(connection, scope, [row["content"] for row in episodes])
        return done + len(episodes)


async def _erase_in_slot(connection: Connection, scope: Scope, slot: UUID, now: datetime) -> int:
    cursor = await _SQL.run(connection, scope, "slot_statements", slot=slot)
    told = [statement_of(row) async for row in cursor]
    expired = expired_of(told, now)
    ids = [one.id for one in expired.deleted]
    await _FACTS.run(connection, scope, "delete_statements", ids=ids)
    hollow = [{"id": one.id, "action": one.action.value} for one in expired.hollowed]
    await _SQL.run_many(connection, scope, "hollow", hollow)
    await _SQL.run_many(
        connection, scope, "renew", [{"id": one.id, "expires_at": one.expires_at} for one in expired.renewed]
    )
    await _FACTS.run(connection, scope, "forget_targets", ids=ids)
    gone = {one.id for one in (*expired.deleted, *expired.hollowed)}
    erased = [one for one in told if one.id in gone]
    values = {value for one in erased if (value := normalise(one.value))}
    repeats = [one.id for one in expired.remaining if any(value in normalise(one.evidence) for value in values)]
    await _FACTS.run(connection, scope, "forget_evidence", ids=repeats)
    await rebuild_slot(connection, scope, slot, expired.remaining)
    await _USES.run(connection, scope, "forget", memories=list(gone))
    await forget_vectors(connection, scope, [one.content for one in erased])
    return len(erased) + len(expired.renewed)

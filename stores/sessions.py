"""The sessions store: which exchanges have ended, and the session that they become, once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from perdure.episodes import Episode, NewEpisode
from perdure.ports import Vector
from perdure.scope import Scope
from perdure.stores.episodes import append_episodes
from perdure.stores.pool import Pool, borrowed
from perdure.stores.scoped import ScopedStatements
from perdure.stores.vectors import save_vectors
from perdure.time import Clock

_SQL, _DUE, _FACTS = (ScopedStatements(file) for file in ("sessions", "episodes_due", "facts"))
BATCH = 100
"""Threads that are looked up at a time."""


class PostgresSessionStore:
    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool = pool
        self._clock = clock

    async def open_exchanges(self, scope: Scope, thread: str) -> list[Episode]:
        """The agent's exchanges in the thread that are part of no session yet, in order of time."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "open_exchanges", thread=thread)
            return [Episode(**row) async for row in cursor]

    async def facts_told(self, scope: Scope, thread: str, messages: Sequence[str]) -> dict[UUID, str]:
        """The sentences of the facts that came from these messages, by the id of the fact."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "facts_told", thread=thread, messages=list(messages))
            return {row["id"]: row["content"] async for row in cursor}

    async def close(
        self, scope: Scope, session: NewEpisode, exchanges: Sequence[UUID], vectors: Mapping[str, Vector]
    ) -> bool:
        """Append the session that these exchanges became. False, and nothing is written, if one is part of another."""
        async with borrowed(self._pool) as connection, connection.transaction():
            await _FACTS.run(connection, scope, "lock_user")
            claimed = await _SQL.run(connection, scope, "claim", session=session.id, exchanges=list(exchanges))
            if await claimed.fetchone() is None:
                return False
            await save_vectors(connection, scope, vectors)
            await append_episodes(connection, scope, [session], vectors, self._clock.now())
        return True

    async def idle(self, tenant: str, before: datetime) -> AsyncIterator[tuple[Scope, str]]:
        """Threads of all users of the tenant in which nobody has spoken since `before`, with whose they are."""
        after, anybody = ["", "", ""], Scope(user="anybody", tenant=tenant)
        while True:
            async with borrowed(self._pool) as connection:
                cursor = await _DUE.run(connection, anybody, "idle_threads", before=before, after=after, limit=BATCH)
                rows = await cursor.fetchall()
            for row in rows:
                yield Scope(user=row["user_id"], tenant=tenant, agent=row["agent"]), row["thread"]
            if len(rows) < BATCH:
                return
            after = [rows[-1]["user_id"], rows[-1]["agent"], rows[-1]["thread"]]

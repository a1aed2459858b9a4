"""The lessons store: the tasks that are learned from, and the lessons that come from them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from uuid import UUID

from psycopg.types.json import Jsonb

from perdure.episodes import Episode, NewEpisode
from perdure.lesson import SUPERSEDED
from perdure.ports import Vector
from perdure.scope import Scope
from perdure.stores.episodes import append_episodes
from perdure.stores.pool import Pool, borrowed
from perdure.stores.scoped import ScopedStatements
from perdure.stores.vectors import save_vectors
from perdure.time import Clock

_SQL, _DUE, _FACTS = (ScopedStatements(file) for file in ("lessons", "episodes_due", "facts"))
MOST_TASKS = 1_000
"""So many tasks of an agent are compared with each other, the latest."""
BATCH = 100
"""Users that are looked up at a time."""


class PostgresLessonStore:
    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool = pool
        self._clock = clock

    async def tasks(self, scope: Scope) -> list[Episode]:
        """The agent's latest tasks that have not proved wrong, oldest first."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "tasks", limit=MOST_TASKS)
            return [Episode(**row) async for row in cursor][::-1]

    async def lessons(self, scope: Scope) -> list[Episode]:
        """The agent's lessons, those that are no longer taught too."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "lessons")
            return [Episode(**row) async for row in cursor]

    async def teach(self, scope: Scope, lesson: NewEpisode, vectors: Mapping[str, Vector]) -> bool:
        """Append a lesson in the place of those that share a source with it.

        False, and nothing is written, if one of its sources has proved wrong meanwhile, or a lesson covers them all.
        """
        sources = list(lesson.details["sources"])
        async with borrowed(self._pool) as connection, connection.transaction():
            await _FACTS.run(connection, scope, "lock_user")
            live = await _SQL.run(connection, scope, "live_sources", sources=[UUID(source) for source in sources])
            taught = await _SQL.run(connection, scope, "taught_already", sources=Jsonb(sources))
            if len(await live.fetchall()) < len(sources) or await taught.fetchone():
                return False
            at = self._clock.now()
            await _SQL.run(connection, scope, "supersede", sources=sources, at=at, because=SUPERSEDED)
            await save_vectors(connection, scope, vectors)
            await append_episodes(connection, scope, [lesson], vectors, at)
        return True

    async def who_tried(self, tenant: str, least: int) -> AsyncIterator[Scope]:
        """Agents of all users of the tenant who have at least so many tasks to learn from."""
        after, anybody = ["", ""], Scope(user="anybody", tenant=tenant)
        while True:
            async with borrowed(self._pool) as connection:
                cursor = await _DUE.run(connection, anybody, "who_tried", least=least, after=after, limit=BATCH)
                rows = await cursor.fetchall()
            for row in rows:
                yield Scope(user=row["user_id"], tenant=tenant, agent=row["agent"])
            if len(rows) < BATCH:
                return
            after = [rows[-1]["user_id"], rows[-1]["agent"]]

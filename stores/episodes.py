"""The episodes store: append, look around, invalidate. They are searched beside facts (`stores.recall`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from pgvector import Vector as PgVector
from psycopg.types.json import Jsonb

from perdure.episodes import Episode, EpisodeKind, NewEpisode
from perdure.errors import NotFound
from perdure.lesson import STALE
from perdure.ports import Vector
from perdure.scope import Scope
from perdure.scripts import script_of
from perdure.stores.pool import Connection, Pool, borrowed, transaction
from perdure.stores.scoped import ScopedStatements
from perdure.stores.vectors import save_vectors
from perdure.stores.words import row_words
from perdure.terms import hashed_terms
from perdure.text import MESSAGE_LIMIT, VALUE_LIMIT, check_text
from perdure.time import Clock, check_instant

_SQL, _FACTS = (ScopedStatements(file) for file in ("episodes", "facts"))


class PostgresEpisodeStore:
    """Implements `ports.EpisodeStore`."""

    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool = pool
        self._clock = clock

    async def append(self, scope: Scope, episodes: Sequence[NewEpisode], vectors: Mapping[str, Vector]) -> None:
        """Append episodes; ``vectors`` holds the vector of each content. An id that is stored already stays as it is,
        unless it still had to be extracted and now has been.

        Raises `InvalidInput`, and then none is written.
        """
        async with transaction(self._pool) as connection:
            await _FACTS.run(connection, scope, "lock_user")  # two writers would give two episodes one place
            await save_vectors(connection, scope, vectors)
            await append_episodes(connection, scope, episodes, vectors, self._clock.now())

    async def get(self, scope: Scope, episode: UUID) -> Episode:
        async with borrowed(self._pool) as connection:
            row = await (await _SQL.run(connection, scope, "by_id", id=episode, now=self._clock.now())).fetchone()
        if row is None:
            raise NotFound(f"no episode has the id {episode} in this scope")
        return Episode(**row)

    async def find(self, scope: Scope, name: str) -> Episode:
        """The episode with this id or beginning of an id (4 characters or more). Raises `NotFound`."""
        name = check_text(name, "the id of the episode", limit=VALUE_LIMIT)
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "by_prefix", prefix=name.lower(), now=self._clock.now())
            found = [Episode(**row) async for row in cursor] if len(name) >= 4 else []
        if len(found) != 1:
            count = "several episodes have" if found else "no episode has"
            raise NotFound(f"{count} the id {name[:80]!r}: `perdure episodes` lists them")
        return found[0]

    async def named(self, scope: Scope, episodes: Sequence[UUID]) -> dict[UUID, Episode]:
        """Those of these episodes that there are, by id."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "by_ids", ids=list(episodes), now=self._clock.now())
            return {row["id"]: Episode(**row) async for row in cursor}

    async def latest(
        self, scope: Scope, kind: EpisodeKind, k: int, *, thread: str = "", wrong: bool = False
    ) -> list[Episode]:
        """The latest `k` sessions, tasks or lessons, with `wrong` also those that proved so."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(
                connection, scope, "latest_of", kind=kind, k=k, thread=thread, wrong=wrong, now=self._clock.now()
            )
            return [Episode(**row) async for row in cursor]

    async def around(self, scope: Scope, episode: UUID, *, before: int = 2, after: int = 2) -> list[Episode]:
        """The episode and its neighbours in the same thread, in order of time. Raises `NotFound`."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(
                connection, scope, "around", id=episode, before=before, after=after, now=self._clock.now()
            )
            found = [Episode(**row) async for row in cursor]
        if not found:
            raise NotFound(f"no episode has the id {episode} in this scope")
        return found

    async def next_unextracted(self, scope: Scope, after: Episode | None = None) -> Episode | None:
        """The user's oldest exchange, later than `after`, whose facts still have to be extracted; of any agent."""
        last, now = (after and after.id, after and after.occurred_at), self._clock.now()
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "next_unextracted", after=last[0], after_time=last[1], now=now)
            row = await cursor.fetchone()
        return Episode(**row) if row else None

    async def unextracted_among(self, scope: Scope, episodes: Sequence[UUID]) -> set[UUID]:
        """Those of these exchanges that still have to be extracted."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "unextracted_among", ids=list(episodes), now=self._clock.now())
            return {row["id"] async for row in cursor}

    async def count_unextracted(self, scope: Scope) -> int:
        """How many of the user's exchanges still have to be extracted."""
        async with borrowed(self._pool) as connection:
            row = await (await _SQL.run(connection, scope, "count_unextracted", now=self._clock.now())).fetchone()
        assert row
        return int(row["unextracted"])

    async def invalidate(self, scope: Scope, episode: UUID, *, at: datetime, because: str) -> Episode:
        """The episode proved wrong at `at`: it is no longer found, except as of an earlier moment. Nor are lessons from it.

        Doing it again changes nothing. Raises `NotFound`.
        """
        at = check_instant(at, "at")
        because = check_text(because, "the reason")
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(
                connection, scope, "invalidate", id=episode, at=at, because=because, lesson_because=STALE
            )
            row = await cursor.fetchone()
        return Episode(**row) if row else await self.get(scope, episode)


async def append_episodes(
    connection: Connection,
    scope: Scope,
    episodes: Sequence[NewEpisode],
    vectors: Mapping[str, Vector],
    recorded_at: datetime,
) -> None:
    """Append within the caller's transaction."""
    await _SQL.run_many(connection, scope, "append", [_row(e, vectors[e.content], recorded_at) for e in episodes])


def _row(episode: NewEpisode, vector: Vector, recorded_at: datetime) -> dict[str, Any]:
    terms = hashed_terms(episode.content)
    return {
        "id": episode.id,
        "kind": episode.kind,
        "content": check_text(episode.content, "the episode's content", limit=2 * MESSAGE_LIMIT),
        "occurred_at": check_instant(episode.occurred_at, "occurred_at"),
        "thread": episode.thread,
        "message": episode.message,
        "details": Jsonb(episode.details),
        "extracted": episode.extracted,
        "recorded_at": recorded_at,
        "embedding": PgVector(list(vector)),
        "terms": terms,
        "words": row_words(terms),
        "script": script_of(episode.content),
        "expires_at": episode.expires_at and check_instant(episode.expires_at, "expires_at"),
        "speaker": episode.speaker and check_text(episode.speaker, "the speaker", limit=VALUE_LIMIT),
    }

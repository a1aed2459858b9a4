"""The memory store over a test database, with vectors and a clock that tests own."""

from __future__ import annotations

from dataclasses import dataclass

from clock import SetClock
from vectors import vector, vectors

from perdure.facts import Operation, Receipt, Source, content_of
from perdure.recall import Hit, Query
from perdure.scope import Scope
from perdure.stores.episodes import PostgresEpisodeStore
from perdure.stores.facts import PostgresFactStore
from perdure.stores.pool import Pool
from perdure.stores.recall import PostgresRecallStore
from perdure.stores.vocabulary import PostgresVocabularies


@dataclass(frozen=True, slots=True)
class Store:
    pool: Pool
    clock: SetClock
    facts: PostgresFactStore
    episodes: PostgresEpisodeStore
    recalls: PostgresRecallStore

    async def write(self, scope: Scope, operation: Operation, *, message: str = "m", thread: str = "t") -> Receipt:
        source = Source(at=self.clock.now(), thread=thread, message=message)
        (receipt,) = await self.facts.apply(scope, [operation], source, vectors([content_of(operation)]))
        return receipt

    async def recall(self, scope: Scope, query: Query) -> list[Hit]:
        return await self.recalls.search(scope, query, vector(query.text))


def store_over(pool: Pool) -> Store:
    clock = SetClock()
    return Store(
        pool,
        clock,
        PostgresFactStore(pool, clock, PostgresVocabularies(pool, clock)),
        PostgresEpisodeStore(pool, clock),
        PostgresRecallStore(pool, clock),
    )

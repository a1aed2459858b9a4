"""Perdure as a contestant: written through its stores, searched by its one statement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from uuid import UUID, uuid5

from bench.cached_vectors import CachedVectors
from bench.rankers import PRESENT, Found, Memory, Question, Ranking
from perdure.asked import narrowed, time_used
from perdure.attributes import Attribute, Cardinality
from perdure.episodes import NewEpisode
from perdure.errors import CredentialRefused
from perdure.facts import PERDURE_NAMESPACE, Operation, Source
from perdure.language import detect_language
from perdure.offline.question_reader import RuleQuestionReader
from perdure.operations import checked
from perdure.presets import Fusion
from perdure.recall import Hit, Query
from perdure.scope import Scope
from perdure.stores.episodes import PostgresEpisodeStore
from perdure.stores.facts import PostgresFactStore
from perdure.stores.pool import Pool
from perdure.stores.recall import PostgresRecallStore
from perdure.stores.vocabulary import PostgresVocabularies

BATCH = 250
"""Memories per transaction."""


class Afterwards:
    """The clock of the bench."""

    def now(self) -> datetime:
        return PRESENT


class Perdure:
    name = "perdure"

    def __init__(
        self, pool: Pool, vectors: CachedVectors, preset: str = "balanced", fusion: Fusion | None = None
    ) -> None:
        clock = Afterwards()
        self._vocabularies = PostgresVocabularies(pool, clock)
        self.facts = PostgresFactStore(pool, clock, self._vocabularies)
        self._episodes = PostgresEpisodeStore(pool, clock)
        self._recalls = PostgresRecallStore(pool, clock)
        self._questions = RuleQuestionReader()
        self._vectors = vectors
        self._preset = preset
        self._fusion: Fusion | None = fusion
        self._only_exchanges = False
        self._loads = 0
        self._named: dict[UUID, list[str]] = {}

    async def load(self, memories: Sequence[Memory], tick: Callable[[int], object]) -> None:
        self._loads += 1  # a tenant of its own sees nothing of the loads before
        self._named = defaultdict(list)
        self._only_exchanges = all(memory.exchange for memory in memories)
        for memory in memories:
            await self._call(self._scope(memory.user, memory.agent), memory)
        for scope, exchanges, batch in self._batches(memories):
            await (self._append(scope, batch) if exchanges else self._apply(scope, batch))
            tick(len(batch))

    async def _call(self, scope: Scope, memory: Memory) -> None:
        """Tell what else the slot is called. Of two that claim one name, the first has it."""
        known = await self._vocabularies.of(scope)
        aliases = tuple(alias for alias in memory.aliases if not known.find(alias))
        if memory.slot and aliases:
            await self._vocabularies.put(
                scope, Attribute(memory.slot, Cardinality.SINGLE, "fact", aliases, ()), self.name
            )

    async def rank(self, question: Question, k: int) -> Ranking:
        hits: dict[UUID, Hit] = {}
        for agent in question.agents:
            for hit in await self._search(question, self._scope(question.user, agent), k):
                hits.setdefault(hit.id, hit)
        best = sorted(hits.values(), key=lambda hit: -hit.score)
        return [Found(name, hit.relevance) for hit in best for name in self._named[hit.id]][:k]

    async def _search(self, question: Question, scope: Scope, k: int) -> list[Hit]:
        """As the memory layer searches, with vectors that are computed already."""
        vocabulary = await self._vocabularies.of(scope)
        language = detect_language(question.text)
        asked = await self._questions.read(question.text, question.asked_at or PRESENT, language, vocabulary)
        time = time_used(asked.time, PRESENT) if asked.time and not question.as_of else None
        query = Query(
            question.text,
            k=k,
            preset=self._preset,
            fusion=self._fusion,
            as_of=question.as_of,
            facts=not self._only_exchanges,
            threshold=0.0 if question.whole else None,
        )
        return await self._recalls.search(
            scope, narrowed(query, asked, time), self._vectors.query(question.text).tolist()
        )

    def _scope(self, user: str, agent: str) -> Scope:
        return Scope(tenant=f"load {self._loads}", user=user, agent=agent)

    def _batches(self, memories: Sequence[Memory]) -> Iterator[tuple[Scope, bool, list[Memory]]]:
        """Neighbours of one scope and sort together."""
        for (user, agent, exchange), run in groupby(memories, key=lambda one: (one.user, one.agent, one.exchange)):
            group = list(run)
            for start in range(0, len(group), BATCH):
                yield self._scope(user, agent), exchange, group[start : start + BATCH]

    async def _append(self, scope: Scope, memories: Sequence[Memory]) -> None:
        episodes = [
            NewEpisode(
                id=uuid5(PERDURE_NAMESPACE, f"{scope} {memory.id}"),
                kind="exchange",
                content=memory.text,
                occurred_at=memory.at,
                thread=memory.thread,
                message=memory.id,
                speaker=memory.speaker,
            )
            for memory in memories
        ]
        for episode in episodes:
            self._named[episode.id].append(episode.message)
        await self._episodes.append(scope, episodes, self._embedded(memories))

    async def _apply(self, scope: Scope, memories: Sequence[Memory]) -> None:
        told = [(memory, operation) for memory in memories if (operation := _operation(memory))]
        operations = [operation for _, operation in told]
        receipts = await self.facts.apply(scope, operations, Source(at=PRESENT), self._embedded(memories))
        for (memory, _), receipt in zip(told, receipts, strict=True):
            if receipt.after:  # of what is said again, the fact that holds
                self._named[receipt.after.id].append(memory.id)

    def _embedded(self, memories: Sequence[Memory]) -> dict[str, list[float]]:
        return {memory.text: self._vectors.document(memory.text).tolist() for memory in memories}


def _operation(memory: Memory) -> Operation | None:
    """The fact as it is told; None for a password, which is refused, and so is never found."""
    operation = Operation(
        attribute=memory.slot,
        value=memory.value,
        content=memory.text,
        cardinality=Cardinality.SINGLE if memory.slot else None,
        valid_from=memory.at,
        valid_to=memory.until,
    )
    try:
        return checked(operation)
    except CredentialRefused:
        return None

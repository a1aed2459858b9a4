"""The memory layer: extract → save → search → build context. The agent's nodes are thin over it; it works without them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perdure.context_block import ContextBlock, build_context
from perdure.episodes import NewEpisode
from perdure.facts import Operation, Receipt, Source, content_of, exchange_id
from perdure.operations import checked
from perdure.ports import Embeddings, EpisodeStore, Extractor, FactStore, RecallStore
from perdure.recall import Hit, Query
from perdure.scope import Scope
from perdure.text import MESSAGE_LIMIT, check_text
from perdure.time import Clock
from perdure.turn import Extraction, Language, Turn


@dataclass(frozen=True, slots=True)
class MemoryLayer:
    """What an application needs of a memory, over the ports that it is given."""

    facts: FactStore
    episodes: EpisodeStore
    recalls: RecallStore
    embeddings: Embeddings
    extractor: Extractor
    clock: Clock

    async def extract(self, turn: Turn, recalled: Sequence[Mapping[str, Any]] = (), *, model: str = "") -> Extraction:
        """The operations that a turn asks for; nothing is stored. ``recalled`` are hits as JSON, known already."""
        return await self.extractor.extract(turn, recalled, model=model)

    async def save(
        self,
        scope: Scope,
        operations: Sequence[Operation],
        source: Source,
        *,
        exchange: Turn | None = None,
        extracted: bool = True,
    ) -> list[Receipt]:
        """Apply operations, and keep the exchange that they come from, in one transaction.

        Saving the same operations of the same source again changes nothing. Raises `InvalidInput`, `StaleFact`,
        `ModelUnavailable` (the embedder) or `DatabaseError`; nothing is written then.
        """
        wanted = [checked(operation) for operation in operations]
        episodes = [_episode(scope, source, exchange, extracted)] if exchange else []
        texts = [*map(content_of, wanted), *(episode.content for episode in episodes)]
        # Computed before the store takes a connection: none is held while a model is called.
        vectors = await self.embeddings.documents(scope, [text for text in texts if text])
        return await self.facts.apply(scope, wanted, source, vectors, episodes)

    async def search(self, scope: Scope, query: Query) -> list[Hit]:
        """Facts and episodes for the query, best first: one embedding, one statement."""
        text = check_text(query.text, "the query", limit=MESSAGE_LIMIT)
        vector = await self.embeddings.query(scope, text)
        return await self.recalls.search(scope, query, vector)

    def build_context(self, hits: Sequence[Hit], *, language: Language, budget_tokens: int) -> ContextBlock:
        """The hits as the data block of a prompt, dated, within the budget."""
        return build_context(hits, language=language, at=self.clock.now(), budget_tokens=budget_tokens)


def _episode(scope: Scope, source: Source, turn: Turn, extracted: bool) -> NewEpisode:
    return NewEpisode(
        id=exchange_id(scope, source),
        kind="exchange",
        content=f"user: {turn.user_text}\nassistant: {turn.assistant_text}",
        occurred_at=source.at,
        thread=source.thread,
        message=source.message,
        extracted=extracted,
    )

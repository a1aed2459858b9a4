"""LangGraph's own long-term store as a contestant, with the same vectors: what an agent has without Perdure."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from langchain_core.embeddings import Embeddings
from langgraph.store.base import PutOp, SearchOp
from langgraph.store.postgres.aio import AsyncPostgresStore

from bench.cached_vectors import CachedVectors
from bench.rankers import Found, Memory, Question, Ranking

BATCH = 250


class Prepared(Embeddings):
    """The vectors that all contestants share. The store embeds questions as if they were documents; here it need not."""

    def __init__(self, vectors: CachedVectors) -> None:
        self._vectors = vectors

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self._vector(text)

    def _vector(self, text: str) -> list[float]:
        row = self._vectors.query(text) if self._vectors.is_query(text) else self._vectors.document(text)
        return list(row.tolist())


class LangGraphStore:
    name = "LangGraph store"

    def __init__(self, store: AsyncPostgresStore) -> None:
        self._store = store
        self._loads = 0

    async def load(self, memories: Sequence[Memory], tick: Callable[[int], object]) -> None:
        self._loads += 1
        for start in range(0, len(memories), BATCH):
            batch = memories[start : start + BATCH]
            await self._store.abatch([self._put(memory) for memory in batch])
            tick(len(batch))

    async def rank(self, question: Question, k: int) -> Ranking:
        said_by: dict[str, Any] = {"said_at": {"$lte": question.as_of.timestamp()}} if question.as_of else {}
        asked = [
            SearchOp(self._namespace(question.user, agent), filter=said_by, limit=k, query=question.text)
            for agent in sorted({"", *question.agents})
        ]
        found = [item for items in await self._store.abatch(asked) for item in items]  # type: ignore[union-attr]
        best = sorted(found, key=lambda item: -(item.score or 0.0))  # type: ignore[union-attr]
        return [Found(item.key, item.score or 0.0) for item in best][:k]  # type: ignore[union-attr]

    def _put(self, memory: Memory) -> PutOp:
        value = {"text": memory.text, "said_at": memory.at.timestamp()}
        return PutOp(self._namespace(memory.user, memory.agent), memory.id, value, index=["text"])

    def _namespace(self, user: str, agent: str) -> tuple[str, ...]:
        """It ends in a word of its own: a search finds all that begins alike, and `user 1` begins `user 10`."""
        return (f"load {self._loads}", user.replace(".", " "), f"agent {agent}".strip(), "memories")


@asynccontextmanager
async def open_langgraph_store(dsn: str, vectors: CachedVectors) -> AsyncIterator[LangGraphStore]:
    """The store in this database, set up; its own default index of vectors."""
    index: Any = {"dims": vectors.embedder.dimension, "embed": Prepared(vectors), "fields": ["text"]}
    async with AsyncPostgresStore.from_conn_string(dsn, index=index) as store:
        await store.setup()
        yield LangGraphStore(store)

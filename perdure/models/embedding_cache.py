"""Vectors that need not be computed twice: queries remembered in the process, documents looked up in the store."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable

from perdure.calls import Call
from perdure.model_vector import ModelVector
from perdure.models.succession import Succession
from perdure.ports import Embedder, EmbeddingCache, Ledger, Vector
from perdure.scope import Scope
from perdure.spending import Unkept, charge, spending

QUERIES_KEPT = 1024


class CachedEmbedder:
    """An embedder behind its caches. Writes none: the store saves vectors in the transaction that needs them.

    It is the one place that knows which embedder a process uses; with a `succession` it follows when that is changed.
    """

    def __init__(
        self,
        embedder: Embedder,
        cache: EmbeddingCache,
        succession: Succession | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        self.embedder = embedder
        self._cache = cache
        self._succession = succession
        self._ledger = ledger or Unkept()
        self._following = asyncio.Lock()
        self._queries: OrderedDict[tuple[str, str], Vector] = OrderedDict()

    async def query(self, scope: Scope, text: str) -> Vector:
        """The vector of a query, without a database: a hit costs nothing, and a query is embedded unlike a document."""
        embedder = self.embedder  # another may take its place while it is asked
        key = (embedder.model, text)
        with spending(self._ledger, scope):
            if (vector := self._queries.get(key)) is None:
                self._looked_up(embedder, 1, known=0)
                vector = ModelVector(await embedder.embed_query(text), embedder.model)
                self._queries[key] = vector
                if len(self._queries) > QUERIES_KEPT:
                    self._queries.popitem(last=False)
            else:
                self._looked_up(embedder, 1, known=1)
                self._queries.move_to_end(key)
        return vector

    def forget(self) -> None:
        """Forget the queries, which do not tell whose they are."""
        self._queries.clear()

    async def documents(self, scope: Scope, texts: Iterable[str]) -> dict[str, Vector]:
        """The vector of each distinct text: those stored, and one call of the model for all the others."""
        distinct = list(dict.fromkeys(texts))
        if not distinct:
            return {}
        embedder = self.embedder
        vectors = dict(await self._cache.lookup(scope, embedder.model, distinct))
        with spending(self._ledger, scope):
            self._looked_up(embedder, len(distinct), known=len(vectors))
            if missing := [text for text in distinct if text not in vectors]:
                vectors.update(zip(missing, await embedder.embed_documents(missing), strict=True))
        return {text: ModelVector(vector, embedder.model) for text, vector in vectors.items()}

    async def follow(self) -> bool:
        """Go over to the model that is in force; whether it is another one. Raises as `Succession.after` does."""
        if self._succession is None:
            return False
        before = self.embedder
        async with self._following:  # whoever else finds it changed waits for the one that is opened
            if self.embedder is before:
                self.embedder = await self._succession.after(before)
        return self.embedder is not before

    def _looked_up(self, embedder: Embedder, texts: int, *, known: int) -> None:
        charge(Call("embed", embedder.model, calls=0, texts=texts, cached_texts=known))

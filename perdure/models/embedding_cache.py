"""Vectors that need not be computed twice: queries remembered in the process, documents looked up in the store."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from perdure.calls import Call
from perdure.ports import Embedder, EmbeddingCache, Ledger, Vector
from perdure.scope import Scope
from perdure.spending import Unkept, charge, spending

QUERIES_KEPT = 1024


class CachedEmbedder:
    """An embedder behind its caches. Writes none: the store saves vectors in the transaction that needs them."""

    def __init__(self, embedder: Embedder, cache: EmbeddingCache, ledger: Ledger | None = None) -> None:
        self.embedder = embedder
        self._cache = cache
        self._ledger = ledger or Unkept()
        self._queries: OrderedDict[tuple[str, str], Vector] = OrderedDict()

    async def query(self, scope: Scope, text: str) -> Vector:
        """The vector of a query, without a database: a hit costs nothing, and a query is embedded unlike a document."""
        key = (self.embedder.model, text)
        with spending(self._ledger, scope):
            if (vector := self._queries.get(key)) is None:
                self._looked_up(1, known=0)
                vector = await self.embedder.embed_query(text)
                self._queries[key] = vector
                if len(self._queries) > QUERIES_KEPT:
                    self._queries.popitem(last=False)
            else:
                self._looked_up(1, known=1)
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
        vectors = dict(await self._cache.lookup(scope, self.embedder.model, distinct))
        with spending(self._ledger, scope):
            self._looked_up(len(distinct), known=len(vectors))
            if missing := [text for text in distinct if text not in vectors]:
                vectors.update(zip(missing, await self.embedder.embed_documents(missing), strict=True))
        return vectors

    def _looked_up(self, texts: int, *, known: int) -> None:
        charge(Call("embed", self.embedder.model, calls=0, texts=texts, cached_texts=known))

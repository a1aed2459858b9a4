"""Vectors by model and text: what the embedder has computed before, and where facts find the vector of their text."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from pgvector import Vector as PgVector

from perdure.model_vector import model_of
from perdure.ports import Vector
from perdure.scope import Scope
from perdure.stores.pool import Connection, Pool, borrowed
from perdure.stores.scoped import ScopedStatements

_SQL = ScopedStatements("embeddings")


def text_hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


class VectorStore:
    """Implements `ports.EmbeddingCache`. A user's vectors are the user's own: erasing a user erases them."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def lookup(self, scope: Scope, model: str, texts: Sequence[str]) -> dict[str, Vector]:
        by_hash = {text_hash(text): text for text in texts}
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "lookup", model=model, hashes=list(by_hash))
            return {by_hash[bytes(row["text_hash"])]: row["embedding"].to_list() async for row in cursor}


async def save_vectors(connection: Connection, scope: Scope, vectors: Mapping[str, Vector]) -> None:
    """Keep the vectors of texts; within the caller's transaction, until the end of which the model stays in force.

    Raises `EmbedderChanged` for vectors of another model.
    """
    rows = [
        {"text_hash": text_hash(text), "embedding": PgVector(list(v)), "model": model_of(v)}
        for text, v in vectors.items()
    ]
    await _SQL.run_many(connection, scope, "save", rows)


async def forget_vectors(connection: Connection, scope: Scope, texts: Sequence[str]) -> int:
    """Delete the vectors of texts that no statement holds any longer; how many there were."""
    cursor = await _SQL.run(connection, scope, "forget", hashes=[text_hash(text) for text in texts])
    return cursor.rowcount

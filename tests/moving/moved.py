"""What tests of moving share: an application's part over the store of the tests, and files changed by hand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from stored import Store
from vectors import DIMENSION, MODEL, vector

from perdure.graph.context import Context
from perdure.layer import MemoryLayer
from perdure.models.embedding_cache import CachedEmbedder
from perdure.models.tool_grounding import ground_tool
from perdure.moving.part import Moving
from perdure.offline.extract import RuleExtractor
from perdure.offline.question_reader import RuleQuestionReader
from perdure.scope import Scope
from perdure.stores.expiry import PostgresExpiry
from perdure.stores.moving import MovingStore
from perdure.stores.vectors import VectorStore
from perdure.stores.vocabulary import PostgresVocabularies

Json = dict[str, Any]


class TestVectors:
    """The embedder whose model the databases of the tests are migrated for."""

    __test__ = False
    model, dimension = MODEL, DIMENSION

    async def embed_query(self, text: str) -> list[float]:
        return vector(text)

    async def embed_documents(self, texts: Sequence[str]) -> list[Sequence[float]]:
        return [vector(text) for text in texts]


def moving_over(store: Store) -> Moving:
    vocabularies = PostgresVocabularies(store.pool, store.clock)
    layer = MemoryLayer(
        facts=store.facts,
        episodes=store.episodes,
        recalls=store.recalls,
        embeddings=CachedEmbedder(TestVectors(), VectorStore(store.pool)),
        extractor=RuleExtractor(),
        vocabularies=vocabularies,
        questions=RuleQuestionReader(),
        grounding=ground_tool,
        clock=store.clock,
    )
    return Moving(layer, MovingStore(store.pool, vocabularies), PostgresExpiry(store.pool, store.clock))


def context(scope: Scope) -> Context:
    return Context(user=scope.user, tenant=scope.tenant)


async def exported(moving: Moving, scope: Scope, *, all_users: bool = False) -> list[bytes]:
    return [line async for line in moving.export(all_users=all_users, context=context(scope))]


def rewritten(lines: Sequence[bytes], number: int, **changed: Any) -> list[bytes]:
    """The file with other fields on one line (from 0), and an end that fits: what somebody would write by hand."""
    documents: list[Json] = [json.loads(line) for line in lines]
    documents[number] |= changed
    told = [json.dumps(document).encode() + b"\n" for document in documents[:-1]]
    documents[-1]["sha256"] = hashlib.sha256(b"".join(told)).hexdigest()
    return [*told, json.dumps(documents[-1]).encode()]


async def known_of(store: Store, scope: Scope) -> dict[str, Any]:
    """All that can be asked for of a user: statements, every belief of every moment, and whether they agree."""
    statements = await store.facts.statements(scope)
    moments = sorted({statement.recorded_at for statement in statements})
    return {
        "statements": sorted(statements, key=lambda statement: statement.id),
        "history": await store.facts.facts(scope, history=True),
        "as known": [await store.facts.facts(scope, as_known_at=moment, history=True) for moment in moments],
        "identical": (await store.facts.rebuild(scope, check=True)).identical,
    }

"""Who is measured: each in its own pool and tables, as its documentation recommends, over the same memories and vectors.

No embedding and no model is called by any of them: a question's vector is looked up by its text.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter, itemgetter
from tempfile import TemporaryDirectory
from typing import Any, LiteralString
from uuid import UUID

from langgraph.store.postgres import AsyncPostgresStore, PoolConfig
from pgvector import Vector
from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from bench.speed_cell import Search
from bench.speed_fill import fill
from bench.synthetic import DIMENSION, Corpus, K, Question
from perdure.recall import Hit, Query
from perdure.scope import Scope
from perdure.stores.large_users import index_large_users
from perdure.stores.pool import connect, open_pool
from perdure.stores.recall import PostgresRecallStore
from perdure.time import SystemClock

FLOOR: LiteralString = (
    "select id, content, embedding <#> %(vector)s as distance from perdure.facts"
    " where tenant = 'default' and user_id = %(user)s and known_to is null"
    " and valid_from <= now() and (valid_to is null or valid_to > now())"
    " order by (embedding <#> %(vector)s) + 0 limit %(k)s"  # no index can give this order: all are compared
)
FLOOR_NAME = "floor: exact vectors in SQL"
PRESETS = ("vector", "balanced")
"""Of Perdure, that are measured."""
CONNECTIONS = 10
"""At most, of each pool whose size has no recommendation."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """``exact`` gives the ids that the best search with the same ranking would find; None where nothing can tell."""

    name: str
    search: Search
    id: Callable[[Any], UUID]
    """Of one of the things that a search finds."""
    exact: Callable[[Question], Sequence[UUID]] | None


Opened = AbstractAsyncContextManager[list[Contestant]]


@asynccontextmanager
async def floor(dsn: str, corpus: Corpus) -> AsyncIterator[list[Contestant]]:
    """The bare statement over the rows that Perdure reads."""

    async def search(question: Question) -> Sequence[TupleRow]:
        values = {"vector": Vector(question.vector), "user": question.user, "k": K}
        async with pool.connection() as connection:
            return await (await connection.execute(FLOOR, values)).fetchall()

    kwargs = {"autocommit": True}
    async with AsyncConnectionPool[AsyncConnection[TupleRow]](
        dsn, max_size=CONNECTIONS, kwargs=kwargs, configure=register_vector_async
    ) as pool:
        yield [Contestant(FLOOR_NAME, search, itemgetter(0), corpus.nearest)]


@asynccontextmanager
async def perdure(dsn: str, corpus: Corpus) -> AsyncIterator[list[Contestant]]:
    """With its indexes for users with many memories; what it finds before they are there is exact."""
    async with open_pool(dsn, size=CONNECTIONS) as pool:

        async def search(store: PostgresRecallStore, preset: str, question: Question) -> Sequence[Hit]:
            query = Query(question.text, k=K, preset=preset, threshold=0)
            return await store.search(Scope(user=question.user), query, question.vector)

        scanning = PostgresRecallStore(pool, SystemClock())
        exact = {
            name: {
                question.text: [hit.id for hit in await search(scanning, name, question)] for question in corpus.judged
            }
            for name in PRESETS
        }
        async with await connect(dsn) as connection:
            async for _ in index_large_users(connection, SystemClock()):
                pass
        # Another one, since a store goes on scanning until it looks for indexes again.
        store = PostgresRecallStore(pool, SystemClock())
        yield [
            Contestant(f"perdure: {name}", partial(search, store, name), attrgetter("id"), partial(_known, exact[name]))
            for name in PRESETS
        ]


def _known(exact: Mapping[str, Sequence[UUID]], question: Question) -> Sequence[UUID]:
    return exact[question.text]


@asynccontextmanager
async def langgraph(dsn: str, corpus: Corpus) -> AsyncIterator[list[Contestant]]:
    """LangGraph's own store, in the construction for many callers that its documentation shows."""
    vectors = _vectors(corpus)

    async def embed(texts: Sequence[str]) -> list[list[float]]:
        return [vectors[text] for text in texts]

    async def search(question: Question) -> Sequence[Any]:
        return await store.asearch(("memories", question.user), query=question.text, limit=K)

    async with AsyncPostgresStore.from_conn_string(
        dsn,
        pool_config=PoolConfig(min_size=5, max_size=20),
        index={"dims": DIMENSION, "embed": embed, "fields": ["text"]},
    ) as store:
        await store.setup()
        await fill(dsn, "store", "store_vectors")
        yield [Contestant("langgraph: AsyncPostgresStore", search, lambda item: UUID(item.key), corpus.nearest)]


@asynccontextmanager
async def mem0(dsn: str, corpus: Corpus) -> AsyncIterator[list[Contestant]]:
    """Its store alone, which compares vectors, and its search, which asks the store by vector and by words.

    Without spaCy, so that it finds words as they are written; with it, a search takes longer.
    """
    logging.getLogger("mem0").setLevel(logging.ERROR)  # it would tell of spaCy
    with TemporaryDirectory() as home:
        memory = _mem0(dsn, home, _vectors(corpus))
    table = memory.vector_store
    table.col_info()  # makes the table, its index included
    await fill(dsn, "mem0")

    async def by_vector(question: Question) -> Sequence[Any]:
        filters = {"user_id": question.user}
        return await asyncio.to_thread(table.search, question.text, question.vector, top_k=K, filters=filters)

    async def search(question: Question) -> Sequence[Any]:
        answer = await memory.search(question.text, top_k=K, filters={"user_id": question.user})
        return list(answer["results"])

    try:
        yield [
            Contestant("mem0: pgvector store", by_vector, lambda hit: UUID(hit.id), corpus.nearest),
            Contestant("mem0: search", search, lambda hit: UUID(hit["id"]), None),
        ]
    finally:
        table.connection_pool.close()
        memory.close()


def _mem0(dsn: str, home: str, vectors: Mapping[str, list[float]]) -> Any:
    """An `AsyncMemory` that calls nobody. It reads the environment when it is imported."""
    os.environ |= {"MEM0_TELEMETRY": "false", "MEM0_DIR": home}
    model = {"provider": "openai", "config": {"api_key": "unused"}}
    table = {"connection_string": dsn, "collection_name": "mem0", "embedding_model_dims": DIMENSION}
    config = import_module("mem0.configs.base").MemoryConfig(
        vector_store={"provider": "pgvector", "config": {**table, "maxconn": CONNECTIONS}},
        llm=model,
        embedder=model,
        history_db_path=":memory:",
    )
    memory = import_module("mem0").AsyncMemory(config)
    memory.embedding_model = _LookedUp(vectors)
    return memory


class _LookedUp:
    """An embedder as mem0 calls it."""

    def __init__(self, vectors: Mapping[str, list[float]]) -> None:
        self._vectors = vectors

    def embed(self, text: str, purpose: str) -> list[float]:
        return self._vectors[text]


def _vectors(corpus: Corpus) -> dict[str, list[float]]:
    return {question.text: question.vector for question in corpus.questions}


CONTESTANTS: dict[str, Callable[[str, Corpus], Opened]] = {
    "floor": floor,
    "perdure": perdure,
    "langgraph": langgraph,
    "mem0": mem0,
}
"""By the name that the command line knows; each may bring several."""


def missing(name: str) -> str | None:
    """Why a contestant cannot take part, if so."""
    return "mem0 is left out: `uv sync --group peers` installs it" if name == "mem0" and not find_spec(name) else None

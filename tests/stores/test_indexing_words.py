"""Rows without words get them, whoever else indexes or writes meanwhile; and what is appended at once has its places."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from stored import Store, store_over
from vectors import vectors

from perdure.episodes import NewEpisode
from perdure.recall import Query
from perdure.scope import Scope
from perdure.stores.episodes import append_episodes
from perdure.stores.indexing import index_words
from perdure.stores.pool import open_pool, transaction
from perdure.stores.scoped import ScopedStatements

ME = Scope(user="u1")
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


def said(content: str) -> NewEpisode:
    return NewEpisode(uuid.uuid4(), "exchange", content, NOW, thread="t")


async def append(store: Store, *episodes: NewEpisode) -> None:
    await store.episodes.append(ME, episodes, vectors(episode.content for episode in episodes))


async def run(store: Store, statement: str) -> list[int]:
    async with store.pool.connection() as connection:
        return [row["n"] async for row in await connection.execute(statement.encode())]


async def index(store: Store) -> int:
    async with store.pool.connection() as connection:
        return await index_words(connection)


async def test_two_who_index_at_once_share_the_rows(store: Store) -> None:
    await append(store, *(said(f"word{number}") for number in range(1_200)))
    await run(store, "update perdure.episodes set words = null, terms = '{}' returning 0 as n")
    done = await asyncio.gather(*(index(store) for _ in range(3)))
    assert sum(done) == 1_200
    assert await run(store, "select count(*) as n from perdure.episodes where words is null") == [0]
    (hit,) = await store.recall(ME, Query("word7", k=1, threshold=0))
    assert hit.content == "word7"


async def test_whoever_writes_rows_that_are_being_indexed_is_not_undone(store: Store) -> None:
    """A writer who goes through rows in another order would else wait for the indexing, and that for the writer."""
    await append(store, *(said(f"word{number}") for number in range(400)))
    await run(store, "update perdure.episodes set words = null returning 0 as n")
    async with store.pool.connection() as writer:
        async with writer.transaction():
            await writer.execute("update perdure.episodes set message = 'x' where place = 400")
            indexing = asyncio.create_task(index(store))
            await asyncio.sleep(0.3)
            await writer.execute("update perdure.episodes set message = 'x' where place < 400")
        assert await indexing == 400


async def test_episodes_that_are_appended_at_once_have_places_of_their_own(store: Store) -> None:
    first, second = said("first"), said("second")
    async with transaction(store.pool) as writer:
        await ScopedStatements("facts").run(writer, ME, "lock_user")  # as whoever writes facts with them does
        await append_episodes(writer, ME, [first], vectors([first.content]), NOW)
        await (await writer.execute("select 1")).fetchone()  # until now all was only on its way
        other = asyncio.create_task(append(store, second))
        await asyncio.sleep(0.3)
    await other
    assert await run(store, "select place as n from perdure.episodes order by place") == [1, 2]

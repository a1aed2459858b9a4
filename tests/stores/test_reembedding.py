"""New vectors beside the old: what becomes of rows that change meanwhile, and who is sent away when."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest
from pgvector import Vector
from stored import Store, store_over
from vectors import DIMENSION, MODEL, vector, vectors

from perdure.episodes import NewEpisode
from perdure.errors import EmbedderChanged
from perdure.facts import Operation, Source, content_of, exchange_id
from perdure.model_vector import ModelVector
from perdure.recall import Query
from perdure.scope import Scope
from perdure.stores.large_users import index_large_users
from perdure.stores.next_indexes import drop_where_too_long, index_next, unindexed
from perdure.stores.pool import Connection, connect, open_pool
from perdure.stores.reembedding import (
    Lacking,
    Reembedding,
    alone,
    begin,
    count_left,
    fill,
    index_lacking,
    lacking,
    reembedding,
)
from perdure.stores.switching import Outcome, let_writers_go_on, stop_writers, switch
from perdure.stores.vectors import save_vectors

ME, OTHER = Scope(user="u1"), Scope(user="u2")
NEXT = "next-vectors"


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


@pytest.fixture
async def worker(database: str, store: Store) -> AsyncIterator[Connection]:
    """Whoever re-embeds: a re-embedding has begun, over what two users have."""
    for scope in (ME, OTHER):
        for city in ("Busan", "Oslo"):
            await write(store, scope, f"I have been to {city}.")
    async with alone(database) as connection:
        await begin(connection, Reembedding(NEXT, NEXT, None, DIMENSION, store.clock.now(), decided=False))
        await index_lacking(connection)
        yield connection


def next_vector(text: str) -> list[float]:
    return vector(f"{NEXT}: {text}")


async def write(store: Store, scope: Scope, content: str) -> None:
    await store.write(scope, Operation(content=content), message=content)


async def fill_all(worker: Connection) -> int:
    rows = await lacking(worker, NEXT, 1_000)
    await fill_rows(worker, rows)
    return len(rows)


async def fill_rows(worker: Connection, rows: Sequence[Lacking]) -> None:
    await fill(worker, NEXT, rows, {row.content: next_vector(row.content) for row in rows})


async def stored_next(worker: Connection, scope: Scope, table: str = "facts") -> dict[str, list[float] | None]:
    column = "embedding_next" if await is_begun(worker) else "embedding"
    sql = f"select content, {column} as vector from perdure.{table} where tenant = %s and user_id = %s"
    cursor = await worker.execute(sql.encode(), (scope.tenant, scope.user))
    return {row["content"]: row["vector"] and row["vector"].to_list() async for row in cursor}


async def is_begun(worker: Connection) -> bool:
    found = await reembedding(worker)
    return found is not None and not found.decided


async def kept_models(worker: Connection, scope: Scope) -> set[str]:
    cursor = await worker.execute("select distinct model from perdure.embeddings where user_id = %s", (scope.user,))
    return {row["model"] async for row in cursor}


async def test_a_fact_has_its_new_vector_along_with_its_statement(worker: Connection) -> None:
    rows = [row for row in await lacking(worker, NEXT, 9) if row.kind == "statement"]
    assert len(rows) == 4 and await count_left(worker) == 8
    await fill_rows(worker, rows)
    assert await count_left(worker) == 0
    assert await stored_next(worker, ME) == {
        content: pytest.approx(next_vector(content), abs=1e-6)
        for content in ("I have been to Busan.", "I have been to Oslo.")
    }


async def test_what_is_written_meanwhile_is_lacking_unless_its_text_is_known(store: Store, worker: Connection) -> None:
    await fill_all(worker)
    await write(store, ME, "I like tea.")
    assert [row.content for row in await lacking(worker, NEXT, 9)] == ["I like tea."] * 2  # the statement and its fact
    await fill_all(worker)
    await store.facts.rebuild(ME)
    assert await count_left(worker) == 0 and None not in (await stored_next(worker, ME)).values()


async def test_an_erased_user_does_not_come_back(store: Store, worker: Connection) -> None:
    rows = await lacking(worker, NEXT, 9)
    await store.facts.erase(ME)
    await fill_rows(worker, rows)
    assert await kept_models(worker, ME) == set() and NEXT in await kept_models(worker, OTHER)
    await fill_rows(worker, await lacking(worker, NEXT, 9))
    await store.facts.erase(OTHER)
    assert await kept_models(worker, OTHER) == set()


async def test_an_episode_that_is_told_anew_has_the_vector_of_what_it_tells_now(
    store: Store, worker: Connection
) -> None:
    source = Source(at=store.clock.now(), thread="t", message="m")
    first = NewEpisode(exchange_id(ME, source), "exchange", "user: my pin is 1234", source.at, extracted=False)
    await store.episodes.append(ME, [first], vectors([first.content]))
    rows = await lacking(worker, NEXT, 9)
    second = replace(first, content="user: my pin is [redacted]", extracted=True)
    await store.episodes.append(ME, [second], vectors([second.content]))
    await fill_rows(worker, rows)
    assert await stored_next(worker, ME, "episodes") == {second.content: None}
    await fill_all(worker)
    expected = {second.content: pytest.approx(next_vector(second.content), abs=1e-6)}
    assert await stored_next(worker, ME, "episodes") == expected


async def test_a_switch_waits_for_every_vector(store: Store, worker: Connection) -> None:
    assert await switch(worker) is Outcome.LACKING
    await fill_all(worker)
    assert await switch(worker) is Outcome.SWITCHED
    assert set(await stored_next(worker, ME)) == {"I have been to Busan.", "I have been to Oslo."}


async def test_a_writer_who_began_before_is_waited_for_and_what_it_leaves_is_caught_up(
    store: Store, worker: Connection, database: str
) -> None:
    await fill_all(worker)
    async with await connect(database) as writer:
        async with writer.transaction():
            await save_vectors(writer, ME, vectors(["I like tea."]))
            await stop_writers(worker)
            assert await switch(worker) is Outcome.BUSY
            with pytest.raises(EmbedderChanged):
                await write(store, OTHER, "I like jazz.")
            await let_writers_go_on(worker)
            source = Source(at=store.clock.now(), message="m")
            episode = NewEpisode(exchange_id(ME, source), "exchange", "I like tea.", source.at)
        await store.episodes.append(ME, [episode], vectors(["I like tea."]))
    await stop_writers(worker)
    assert await switch(worker) is Outcome.LACKING
    await fill_all(worker)
    assert await switch(worker) is Outcome.SWITCHED
    with pytest.raises(EmbedderChanged):
        await episode_of_the_old_model(store)


async def episode_of_the_old_model(store: Store) -> None:
    source = Source(at=store.clock.now(), message="late")
    episode = NewEpisode(exchange_id(ME, source), "exchange", "too late", source.at)
    await store.episodes.append(ME, [episode], {"too late": ModelVector(vector("too late"), MODEL)})


async def test_a_vector_of_another_model_is_neither_compared_nor_kept(store: Store, worker: Connection) -> None:
    """Of as many dimensions: nothing but its model tells it from one of the model in force."""
    await fill_all(worker)
    old = ModelVector(vector("where?"), MODEL)
    for preset in ("balanced", "vector", "generative"):
        assert await store.recalls.search(ME, Query("where?", preset=preset, threshold=0), old)
    assert await switch(worker) is Outcome.SWITCHED
    for preset in ("balanced", "vector", "generative"):
        query = Query("where?", preset=preset, threshold=0)
        with pytest.raises(EmbedderChanged):
            await store.recalls.search(ME, query, old)
        with pytest.raises(EmbedderChanged):
            await store.recalls.open_turn(ME, query, old)
        assert await store.recalls.search(ME, query, ModelVector(next_vector("where?"), NEXT))
    operation = Operation(content="I like tea.")
    told = {content_of(operation): ModelVector(vector("I like tea."), MODEL)}
    with pytest.raises(EmbedderChanged):
        await store.facts.apply(ME, [operation], Source(at=store.clock.now()), told)
    assert len(await store.facts.statements(ME)) == 2


async def test_a_large_user_has_an_index_of_the_new_vectors_when_they_are_searched(
    store: Store, worker: Connection, database: str
) -> None:
    async with await connect(database) as connection:
        assert [told.user async for told in index_large_users(connection, store.clock, least=2)] == ["u1", "u2"]
    await fill_all(worker)
    assert await switch(worker) is Outcome.UNINDEXED
    for scope in await unindexed(worker):
        await index_next(worker, scope)
    assert await unindexed(worker) == [] and await switch(worker) is Outcome.SWITCHED
    cursor = await worker.execute(
        "select indexname, indexdef from pg_indexes where schemaname = 'perdure' and indexname like '%%\\_near\\_%%'"
    )
    found = {row["indexname"]: row["indexdef"] async for row in cursor}
    assert len(found) == 4 and all("USING hnsw (embedding vector_ip_ops)" in index for index in found.values())
    asked = ModelVector(next_vector("I have been to Oslo."), NEXT)
    for _ in range(2):
        hits = await store.recalls.search(ME, Query("I have been to Oslo.", preset="vector", threshold=0), asked)
        assert hits[0].content == "I have been to Oslo." and hits[0].relevance == pytest.approx(1, abs=1e-6)
    await store.facts.erase(ME)
    assert await count_indexes(worker, ME) == 0


async def test_erasing_a_large_user_drops_the_indexes_of_the_new_vectors_too(
    store: Store, worker: Connection, database: str
) -> None:
    async with await connect(database) as connection:
        async for _ in index_large_users(connection, store.clock, least=2):
            pass
    for scope in await unindexed(worker):
        await index_next(worker, scope)
    assert await count_indexes(worker, ME) == 6
    await store.facts.erase(ME)
    assert await count_indexes(worker, ME) == 0 and await count_indexes(worker, OTHER) == 6


async def test_vectors_that_no_index_takes_are_searched_without(store: Store, database: str) -> None:
    await write(store, ME, "I have been to Busan.")
    async with alone(database) as worker:
        async for _ in index_large_users(worker, store.clock, least=1):
            pass
        await begin(worker, Reembedding(NEXT, NEXT, None, 2_001, store.clock.now(), decided=False))
        long = ModelVector([1.0] + [0.0] * 2_000, NEXT)
        await fill(worker, NEXT, rows := await lacking(worker, NEXT, 9), {row.content: long for row in rows})
        assert await unindexed(worker) == [] and await switch(worker) is Outcome.SWITCHED
        await drop_where_too_long(worker, 2_001)
        assert await count_indexes(worker, ME) == 0
    hits = await store.recalls.search(ME, Query("Busan", threshold=0), long)
    assert [hit.content for hit in hits] == ["I have been to Busan."]


async def count_indexes(worker: Connection, scope: Scope) -> int:
    cursor = await worker.execute(
        "select count(*) as made from pg_indexes where schemaname = 'perdure' and indexdef like %s",
        (f"%WHERE%'{scope.user}'%",),
    )
    row = await cursor.fetchone()
    return int(row["made"]) if row else 0


async def test_a_known_text_is_not_asked_for_again(store: Store, worker: Connection) -> None:
    await fill_all(worker)
    await worker.execute("update perdure.facts set embedding_next = null")
    rows = await lacking(worker, NEXT, 9)
    assert [row.kind for row in rows] == ["fact"] * 4
    for row in rows:
        assert row.vector and Vector(list(row.vector)) == Vector(next_vector(row.content))

"""A user with very many memories: indexes of their own, the plan that uses them, and what it finds."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Any

import pytest
from databases import create_database, drop_database
from pgvector import Vector
from stored import Store, store_over
from vectors import DIMENSION, MODEL

from perdure.asked_time import Span
from perdure.embedded import EmbeddedPostgres
from perdure.episodes import NewEpisode
from perdure.errors import DatabaseUnsuitable
from perdure.facts import Operation
from perdure.recall import Query
from perdure.scope import Scope
from perdure.scripts import script_of
from perdure.stores.large_users import drop_indexes, index_large_users
from perdure.stores.migrations import migrate
from perdure.stores.pool import open_pool
from perdure.stores.words import row_words
from perdure.terms import hashed_terms

LARGE, SMALL = Scope(user="large"), Scope(user="small")
ROWS = 3_000
WORDS = tuple(f"word{n}" for n in range(400))
SINCE = datetime(2026, 1, 1, tzinfo=UTC)
COLUMNS = """
tenant user_id agent id slot subject attribute cardinality value content kind importance confidence trust valid_from dated
known_from corroboration version thread message embedding terms words script
"""


def unit(dice: random.Random) -> list[float]:
    raw = [dice.gauss(0, 1) for _ in range(DIMENSION)]
    return [x / sum(y * y for y in raw) ** 0.5 for x in raw]


async def fill(store: Store, scope: Scope, rows: int) -> None:
    dice = random.Random(scope.user)
    copying = f"copy perdure.facts ({', '.join(COLUMNS.split())}) from stdin".encode()
    async with store.pool.connection() as connection, connection.cursor() as cursor, cursor.copy(copying) as copy:
        for _ in range(rows):
            content = " ".join(WORDS[int(dice.paretovariate(0.8)) % len(WORDS)] for _ in range(8))
            terms = hashed_terms(content)
            identity = uuid.UUID(int=dice.getrandbits(128))
            await copy.write_row(
                (
                    *("default", scope.user, "", identity, identity, "user", "", "many", content, content, "fact"),
                    *(5, 1.0, "user", SINCE, True, SINCE, 1, 1, "t", "m", Vector(unit(dice)), terms),
                    *(row_words(terms), script_of(content)),
                )
            )


@pytest.fixture(scope="module")
def large(postgres: EmbeddedPostgres, run: Callable[[Any], Any]) -> Iterator[Store]:
    dsn = create_database(postgres)
    run(migrate(dsn, MODEL, DIMENSION))
    stack = AsyncExitStack()
    store = store_over(run(stack.enter_async_context(open_pool(dsn))))

    async def prepare() -> list[str]:
        await fill(store, LARGE, ROWS)
        await fill(store, SMALL, 50)
        async with store.pool.connection() as connection:
            await connection.execute("analyze perdure.facts")
            return [told.user async for told in index_large_users(connection, store.clock, least=1_000)]

    assert run(prepare()) == ["large"]
    yield store
    run(stack.aclose())
    drop_database(postgres, dsn)


async def scans(store: Store) -> dict[str, int]:
    """How often each index has been scanned, and the table itself (`facts`)."""
    async with store.pool.connection() as connection:
        await connection.execute("select pg_stat_force_next_flush()")
        cursor = await connection.execute(
            "select regexp_replace(indexrelname, '_[0-9a-f]{32}$', ' of a user') as name, idx_scan as scans"
            " from pg_stat_user_indexes where relname = 'facts'"
            " union all select 'facts', seq_scan from pg_stat_user_tables where relname = 'facts'"
        )
        return {row["name"]: row["scans"] async for row in cursor}


async def scanned(store: Store, scope: Scope, query: Query) -> set[str]:
    """What of the table of facts a search reads."""
    vector = unit(random.Random(query.text))
    await store.recalls.search(scope, query, vector)  # learns, along with it, who has indexes of their own
    before = await scans(store)
    for _ in range(8):  # more often than a statement is run before its plan may serve all parameters
        await store.recalls.search(scope, query, vector)
    after = await scans(store)
    return {name for name, count in after.items() if count > before[name]}


NEAR, TERMS = "facts_near of a user", "facts_terms of a user"


def test_the_indexes_of_a_large_user_are_used_for_that_user(large: Store, run: Callable[[Any], Any]) -> None:
    by_both = run(scanned(large, LARGE, Query("word150 word250", threshold=0)))
    assert {NEAR, TERMS} <= by_both and "facts" not in by_both
    by_vector = run(scanned(large, LARGE, Query("word150 word250", preset="vector")))
    assert NEAR in by_vector and not {TERMS, "facts"} & by_vector


@pytest.mark.parametrize(
    "query",
    [
        Query("word150", threshold=0),
        Query("word150", preset="vector"),
        Query("word150", threshold=0, as_known_at=datetime(2026, 6, 1, tzinfo=UTC)),
        Query("word150", threshold=0, preset="generative"),
    ],
    ids=["balanced", "vector", "as known", "another fusion"],
)
def test_the_rows_of_a_small_user_are_scored_by_the_index_on_the_scope(
    large: Store, run: Callable[[Any], Any], query: Query
) -> None:
    read = run(scanned(large, SMALL, query))
    assert read and not {NEAR, TERMS, "facts"} & read


@pytest.mark.parametrize(
    "query",
    [
        Query("word150", threshold=0, attributes=("home.city",)),
        Query("word150", threshold=0, during=Span(SINCE, None)),
        Query("word150", threshold=0, as_of=SINCE),
        Query("word150", threshold=0, preset="strategies"),
        Query("word150", threshold=0, explain=True),
    ],
    ids=["attributes", "a period", "a moment", "tasks", "why"],
)
def test_a_part_of_the_memories_of_a_large_user_is_scored_row_by_row(
    large: Store, run: Callable[[Any], Any], query: Query
) -> None:
    assert not {NEAR, TERMS} & run(scanned(large, LARGE, query))  # the table itself will do: it is mostly theirs


@pytest.mark.parametrize("preset", ["balanced", "vector"])
def test_with_indexes_the_same_is_found_as_row_by_row(large: Store, run: Callable[[Any], Any], preset: str) -> None:
    dice = random.Random(5)
    found = wanted = 0
    for _ in range(40):
        question = " ".join(dice.sample(WORDS[5:], 4))
        vector = unit(dice)
        by_index = run(large.recalls.search(LARGE, Query(question, preset=preset, threshold=0), vector))
        exactly = run(large.recalls.search(LARGE, Query(question, preset=preset, threshold=0, explain=True), vector))
        found += len({hit.id for hit in by_index} & {hit.id for hit in exactly})
        wanted += len(exactly)
    assert wanted == 400 and found / wanted >= 0.99


def test_a_user_who_is_not_large_any_more_loses_the_indexes(
    large: Store, run: Callable[[Any], Any], database: str
) -> None:
    async def drop() -> set[str]:
        async with open_pool(database) as pool:
            store = store_over(pool)
            await fill(store, SMALL, 60)
            async with pool.connection() as connection:
                told = [one.indexed async for one in index_large_users(connection, store.clock, least=50)]
                assert told == [True] and "facts_near of a user" in await scans(store)
                await connection.execute("delete from perdure.facts where user_id = 'small' and ctid > '(0,9)'")
                told = [one.indexed async for one in index_large_users(connection, store.clock, least=50)]
                assert told == [False]
                await drop_indexes(connection, SMALL)
            return set(await scans(store))

    assert "facts_near of a user" not in run(drop())


def test_erasing_a_large_user_drops_the_indexes_that_hold_the_name(database: str, run: Callable[[Any], Any]) -> None:
    async def erase() -> list[Any]:
        async with open_pool(database) as pool:
            store = store_over(pool)
            await store.write(LARGE, Operation(content="a note"))
            async with pool.connection() as connection:
                assert [one async for one in index_large_users(connection, store.clock, least=1)]
            await store.facts.erase(LARGE)
            async with pool.connection() as connection:
                cursor = await connection.execute("select indexdef from pg_indexes where indexdef like '%''large''%'")
                return await cursor.fetchall()

    assert run(erase()) == []


def test_vectors_that_cannot_be_indexed_are_told_before_anything_is_made(
    postgres: EmbeddedPostgres, run: Callable[[Any], Any]
) -> None:
    async def index(dsn: str) -> list[str]:
        await migrate(dsn, "wide", 3072)
        async with open_pool(dsn) as pool:
            store = store_over(pool)
            new = NewEpisode(uuid.uuid4(), "exchange", "wide", SINCE)
            await store.episodes.append(LARGE, [new], {"wide": [1.0] + [0.0] * 3071})
            with pytest.raises(DatabaseUnsuitable, match="3072"):
                await index_all(store)
            return await indexes(store)

    dsn = create_database(postgres)
    assert run(index(dsn)) == []
    drop_database(postgres, dsn)


async def indexes(store: Store) -> list[str]:
    """Of the single users, those that are valid; and those who are known to have some."""
    async with store.pool.connection() as connection:
        cursor = await connection.execute(
            "select relname as name from pg_index join pg_class on oid = indexrelid"
            " where indisvalid and relname ~ '_[0-9a-f]{32}$' union all select user_id from perdure.large_users"
        )
        return [row["name"] async for row in cursor]


async def index_all(store: Store) -> list[bool]:
    async with store.pool.connection() as connection:
        return [one.indexed async for one in index_large_users(connection, store.clock, least=1)]


def test_whoever_indexes_at_the_same_time_waits_for_the_other(database: str, run: Callable[[Any], Any]) -> None:
    async def twice() -> tuple[list[list[bool]], list[str]]:
        async with open_pool(database) as pool:
            store = store_over(pool)
            await fill(store, LARGE, 2_000)
            return await asyncio.gather(*(index_all(store) for _ in range(3))), await indexes(store)

    told, left = run(twice())
    assert told == [[True]] * 3 and len(left) == 5


def test_a_user_who_is_erased_while_being_indexed_is_gone(database: str, run: Callable[[Any], Any]) -> None:
    async def erase() -> list[str]:
        async with open_pool(database) as pool:
            store = store_over(pool)
            await fill(store, LARGE, 2_000)
            indexing = asyncio.create_task(index_all(store))
            while not await indexes(store):  # noqa: ASYNC110  # the database tells nobody
                await asyncio.sleep(0.01)
            await store.facts.erase(LARGE)
            await indexing
            return await indexes(store)

    assert run(erase()) == []


def test_an_erasure_that_was_cut_short_is_finished_by_the_next(database: str, run: Callable[[Any], Any]) -> None:
    async def erase() -> list[Any]:
        async with open_pool(database) as pool:
            store = store_over(pool)
            await fill(store, LARGE, 20)
            await index_all(store)
            async with pool.connection() as reader, reader.transaction():
                await reader.execute("select from perdure.facts limit 1")  # dropping waits for the end of this
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(store.facts.erase(LARGE), 1)
            await store.facts.erase(LARGE)
            async with pool.connection() as connection:
                cursor = await connection.execute("select indexdef from pg_indexes where indexdef like '%''large''%'")
                return await cursor.fetchall()

    assert run(erase()) == []

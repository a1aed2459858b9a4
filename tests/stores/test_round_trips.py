"""How often the store waits for the server: retrieval once, a write twice, whatever is in them."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from stored import Store, store_over
from vectors import MODEL, vectors
from wire_proxy import WireProxy, proxied

from perdure.episodes import NewEpisode
from perdure.facts import Action, Operation, Source, content_of
from perdure.recall import Query
from perdure.scope import Scope
from perdure.stores.pool import open_pool
from perdure.stores.vectors import VectorStore

ME = Scope(user="u1")
CITIES = ("Busan", "Seoul", "Oslo", "Lima", "Rome", "Cairo", "Quito", "Kyoto")


@pytest.fixture
async def proxy(database: str) -> AsyncIterator[WireProxy]:
    async with proxied(database) as proxy:
        yield proxy


@pytest.fixture
async def store(proxy: WireProxy) -> AsyncIterator[Store]:
    async with open_pool(proxy.dsn, size=1) as pool:
        yield store_over(pool)


async def write_turn(store: Store, message: int) -> None:
    """Three operations, two of which supersede what the turn before wrote, and the exchange."""
    city = CITIES[message % len(CITIES)]
    when = datetime(2024, 1, 1 + message, tzinfo=UTC)
    operations = [
        Operation(attribute="home.city", value=city, valid_from=when),
        Operation(attribute="work.employer", value=f"{city} Press", valid_from=when),
        Operation(content=f"Visited the harbour of {city}."),
    ]
    exchange = NewEpisode(uuid.uuid4(), "exchange", f"user: I live in {city}.", store.clock.now())
    texts = [*map(content_of, operations), exchange.content]
    source = Source(at=store.clock.now(), thread="t", message=f"m{message}")
    await store.facts.apply(ME, operations, source, vectors(texts), [exchange])


async def test_retrieval_is_one_round_trip(store: Store, proxy: WireProxy) -> None:
    for message in range(len(CITIES)):  # more often than the driver runs a statement before it prepares it
        await write_turn(store, message)
        before = proxy.round_trips
        assert await store.recall(ME, Query("Where do I live?", threshold=0))
        assert proxy.round_trips - before == 1


async def test_a_write_is_two_round_trips(store: Store, proxy: WireProxy) -> None:
    for message in range(len(CITIES)):
        before = proxy.round_trips
        await write_turn(store, message)
        assert proxy.round_trips - before == 2


async def test_a_write_with_edits_of_core_memory_is_two_round_trips_and_a_turn_begins_with_one(
    store: Store, proxy: WireProxy
) -> None:
    for message in range(len(CITIES)):
        fact = Operation(attribute="home.city", value=CITIES[message])
        edits = [Operation(action=Action.CORE_APPEND, attribute="human", content=f"{line} {message}") for line in "ab"]
        source = Source(at=store.clock.now(), thread="t", message=f"m{message}")
        before = proxy.round_trips
        receipts = await store.facts.apply(ME, [fact], source, vectors([content_of(fact)]), edits=edits)
        assert proxy.round_trips - before == 2
        assert [receipt.outcome for receipt in receipts] == ["applied"] * 3
        before = proxy.round_trips
        opening = await store.recalls.open_turn(ME, Query("Where do I live?", threshold=0), vectors(["x"])["x"])
        assert proxy.round_trips - before == 1
        assert opening.core[1].version == 2 * (message + 1)


async def test_the_vectors_of_a_write_are_one_round_trip(store: Store, proxy: WireProxy) -> None:
    await write_turn(store, 0)
    before = proxy.round_trips
    texts = ["Visited the harbour of Busan.", "never seen", "user: I live in Busan."]
    found = await VectorStore(store.pool).lookup(ME, MODEL, texts)
    assert proxy.round_trips - before == 1
    assert set(found) <= set(texts)

"""What has expired is in no answer from that moment on, and then not in the database."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from stored import Store, store_over
from vectors import vectors

from perdure.episodes import NewEpisode
from perdure.errors import InvalidTime, NotFound
from perdure.facts import Operation, Source, content_of, exchange_id
from perdure.recall import Hit, Query
from perdure.scope import Scope
from perdure.stores.expiry import PostgresExpiry
from perdure.stores.pool import open_pool

ME, OTHER = Scope(user="u1"), Scope(user="u2")
PARKED = "차는 지하 2층 B23에 세워 두었다."


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


async def all_hits(store: Store, scope: Scope = ME, **more: object) -> list[Hit]:
    return await store.recall(scope, Query("어디에 살아?", threshold=0, k=20, **more))  # type: ignore[arg-type]


async def count(store: Store, what: str) -> int:
    async with store.pool.connection() as connection:
        row = await (await connection.execute(f"select count(*) as n from perdure.{what}".encode())).fetchone()
    assert row is not None
    return int(row["n"])


async def test_from_then_on_it_is_in_no_answer(store: Store) -> None:
    told = store.clock.now()
    await store.write(ME, Operation(content=PARKED, expires_at=told + timedelta(hours=8)))
    (fact,) = await store.facts.facts(ME)
    assert fact.expires_at == told + timedelta(hours=8) and len(await all_hits(store)) == 1
    store.clock.forward(hours=8)
    assert await store.facts.facts(ME) == await store.facts.facts(ME, history=True) == []
    assert await store.facts.facts(ME, as_of=told) == await store.facts.facts(ME, as_known_at=told) == []
    assert await store.facts.statements(ME) == []
    assert await all_hits(store) == await all_hits(store, as_of=told) == await all_hits(store, as_known_at=told) == []
    with pytest.raises(NotFound):
        await store.facts.find(ME, fact.id.hex[:8])


async def test_the_upkeep_erases_it_and_nothing_else(store: Store) -> None:
    at = store.clock.now()
    await store.write(ME, Operation(attribute="home.city", value="부산"), message="m1")
    store.clock.forward(days=1)
    hotel = Operation(attribute="home.city", value="서울", evidence="서울 호텔", expires_at=at + timedelta(days=3))
    await store.write(ME, hotel, message="m2")
    await store.write(OTHER, Operation(content=PARKED, expires_at=at + timedelta(days=30)))
    store.clock.forward(days=7)
    before = await store.facts.facts(ME, history=True)
    expiry = PostgresExpiry(store.pool, store.clock)
    assert (await expiry.count(ME), await expiry.count(OTHER)) == (1, 0)
    assert await expiry.erase(ME, 10) == 1
    assert await expiry.count(ME) == await expiry.erase(ME, 10) == 0
    after = await store.facts.facts(ME, history=True)
    assert [(f.value, f.valid_from, f.valid_to) for f in after] == [(f.value, f.valid_from, f.valid_to) for f in before]
    assert [fact.value for fact in after] == ["부산"]
    assert (await store.facts.rebuild(ME, check=True)).identical
    assert await count(store, "statements where concat(value, content, evidence) like '%서울%'") == 0
    assert await count(store, "embeddings where user_id = 'u1'") == 1
    assert len(await store.facts.facts(OTHER)) == 1


async def test_what_is_said_again_without_an_expiry_stays(store: Store) -> None:
    expiry = PostgresExpiry(store.pool, store.clock)
    at = store.clock.now()
    await store.write(
        ME, Operation(attribute="home.city", value="서울", expires_at=at + timedelta(days=1)), message="m1"
    )
    store.clock.forward(hours=2)
    await store.write(ME, Operation(attribute="home.city", value="서울"), message="m2")
    store.clock.forward(days=2)
    assert [fact.expires_at for fact in await store.facts.facts(ME)] == [None]
    assert await expiry.erase(ME, 10) == 1 and await expiry.erase(ME, 10) == 0
    assert [(fact.value, fact.corroboration) for fact in await store.facts.facts(ME)] == [("서울", 2)]
    assert (await store.facts.rebuild(ME, check=True)).identical


async def test_episodes_expire_too(store: Store) -> None:
    at = store.clock.now()
    texts = ["user: 오늘만 기억해 줘.", "user: 이건 계속."]
    episodes = [
        NewEpisode(uuid.uuid4(), "exchange", texts[0], at, "t", extracted=False, expires_at=at + timedelta(days=1)),
        NewEpisode(uuid.uuid4(), "exchange", texts[1], at, "t"),
    ]
    await store.episodes.append(ME, episodes, vectors(texts))
    assert await store.episodes.count_unextracted(ME) == 1
    store.clock.forward(days=1)
    assert [hit.content for hit in await all_hits(store)] == [texts[1]]
    assert [e.content for e in await store.episodes.around(ME, episodes[1].id)] == [texts[1]]
    assert await store.episodes.count_unextracted(ME) == 0
    with pytest.raises(NotFound):
        await store.episodes.get(ME, episodes[0].id)
    assert await PostgresExpiry(store.pool, store.clock).erase(ME, 10) == 1
    assert await count(store, "episodes") == await count(store, "embeddings") == 1


async def test_an_expiry_without_a_time_zone_is_refused(store: Store) -> None:
    naive = store.clock.now().replace(tzinfo=None)
    episode = NewEpisode(uuid.uuid4(), "event", "x", store.clock.now(), expires_at=naive)
    with pytest.raises(InvalidTime, match="expires_at"):
        await store.episodes.append(ME, [episode], vectors(["x"]))


async def test_what_a_reply_was_shown_counts_once_for_each_message(store: Store) -> None:
    await store.write(ME, Operation(content=PARKED), message="m0")
    (fact,) = await store.facts.facts(ME)

    async def reply(message: str) -> None:
        source = Source(at=store.clock.now(), thread="t", message=message)
        said = Operation(content=f"said in {message}")
        exchange = NewEpisode(exchange_id(ME, source), "exchange", f"user: {message}", source.at, "t", message)
        texts = [content_of(said), exchange.content]
        await store.facts.apply(ME, [said], source, vectors(texts), [exchange], used=[fact.id, fact.id])

    for message in ("m1", "m2", "m1", "m2", "m2"):
        store.clock.forward(minutes=1)
        await reply(message)
    async with store.pool.connection() as connection:
        rows = await (await connection.execute("select memory, uses, last_message from perdure.uses")).fetchall()
    assert rows == [{"memory": fact.id, "uses": 2, "last_message": "m2"}]

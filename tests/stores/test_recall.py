"""Search over facts and episodes, in one statement."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from stored import Store, store_over
from vectors import vectors

from perdure.episodes import NewEpisode
from perdure.errors import InvalidInput, InvalidText, InvalidTime, NotFound
from perdure.facts import Operation
from perdure.recall import Hit, Query
from perdure.scope import Scope
from perdure.stores.pool import open_pool
from perdure.terms import terms_of

ME = Scope(user="u1")


def at(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


async def append(store: Store, content: str, when: datetime, *, thread: str = "t1") -> NewEpisode:
    episode = NewEpisode(uuid.uuid4(), "exchange", content, when, thread=thread)
    await store.episodes.append(ME, [episode], vectors([content]))
    return episode


async def contents(store: Store, query: Query) -> list[str]:
    return [hit.content for hit in await store.recall(ME, query)]


async def test_the_value_that_held_is_found_as_of_then_and_marked_as_past(store: Store) -> None:
    await store.write(ME, Operation(attribute="home.city", value="부산", valid_from=at(2024)), message="m1")
    await store.write(ME, Operation(attribute="home.city", value="서울", valid_from=at(2026, 10)), message="m2")
    (now,) = await store.recall(ME, Query("home"))
    (then,) = await store.recall(ME, Query("home", as_of=at(2025)))
    assert (now.value, now.past) == ("서울", False)
    assert (then.value, then.past, then.valid_to) == ("부산", True, at(2026, 10))
    assert await store.recall(ME, Query("home", as_of=at(2020))) == []


async def test_what_was_believed_is_found_as_known_then(store: Store) -> None:
    await store.write(ME, Operation(attribute="home.city", value="부산", valid_from=at(2024)), message="m1")
    known = store.clock.now()
    store.clock.forward(days=1)
    await store.write(ME, Operation(attribute="home.city", value="서울", valid_from=at(2025)), message="m2")
    assert [hit.value for hit in await store.recall(ME, Query("home", as_known_at=known))] == ["부산"]
    assert [hit.value for hit in await store.recall(ME, Query("home"))] == ["서울"]


@pytest.mark.parametrize(
    ("stored", "query"),
    [
        ("제 이름은 민수입니다", "제 이름이 뭐죠?"),
        ("서울로 이사했어", "서울에서 뭐 하지"),
        ("東京に住んでいます", "東京"),
        ("我住在北京", "北京的天气"),
        ("She plays the violin beautifully", "violins"),
    ],
)
async def test_words_are_found_in_every_script(store: Store, stored: str, query: str) -> None:
    for number in range(20):
        await store.write(ME, Operation(content=f"An unrelated note, number {number}."), message=f"m{number}")
    await store.write(ME, Operation(content=stored), message="it")
    hits = await store.recall(ME, Query(query, k=30, threshold=0))
    assert [hit.content for hit in hits if hit.lexical_score > 0] == [stored]


async def test_the_exact_text_has_the_highest_vector_score(store: Store) -> None:
    for text in ("alpha beta", "gamma delta", "epsilon zeta"):
        await store.write(ME, Operation(content=text), message=text)
    best, *others = await store.recall(ME, Query("gamma delta"))
    assert best.content == "gamma delta" and best.vector_score == pytest.approx(1.0, abs=1e-5)
    assert all(other.score < best.score for other in others)


async def test_exchanges_of_the_asking_thread_are_left_out(store: Store) -> None:
    await append(store, "user: the violin is in the attic", at(2026), thread="here")
    await append(store, "user: the violin is for sale", at(2026), thread="there")
    assert await contents(store, Query("violin", exclude_thread="here")) == ["user: the violin is for sale"]
    assert await contents(store, Query("violin", episodes=False)) == []


async def test_fewer_than_no_memories_cannot_be_asked_for(store: Store) -> None:
    assert await store.recall(ME, Query("anything", k=0)) == []
    with pytest.raises(InvalidInput, match="0 or more"):
        await store.recall(ME, Query("anything", k=-1))


async def test_an_episode_is_appended_once_and_found_by_words(store: Store) -> None:
    episode = await append(store, "user: I adopted a cat", at(2026))
    await store.episodes.append(ME, [episode], vectors([episode.content]))
    hits = await store.recall(ME, Query("cat", facts=False))
    assert [hit.id for hit in hits] == [episode.id]


async def test_around_gives_the_neighbours_in_the_thread(store: Store) -> None:
    episodes = [await append(store, f"turn {n}", at(2026) + timedelta(minutes=n)) for n in range(6)]
    await append(store, "elsewhere", at(2026) + timedelta(minutes=3), thread="t2")
    found = await store.episodes.around(ME, episodes[3].id, before=1, after=2)
    assert [episode.content for episode in found] == ["turn 2", "turn 3", "turn 4", "turn 5"]
    with pytest.raises(NotFound):
        await store.episodes.around(ME, uuid.uuid4())


async def test_an_invalidated_episode_is_found_only_as_of_before(store: Store) -> None:
    episode = await append(store, "user: deploy on Fridays works", at(2026))
    invalid = await store.episodes.invalidate(ME, episode.id, at=at(2026, 6), because="it broke production")
    assert invalid.valid_to == at(2026, 6)
    again = await store.episodes.invalidate(ME, episode.id, at=at(2026, 9), because="again")
    assert again == invalid
    assert await contents(store, Query("deploy")) == []
    assert await contents(store, Query("deploy", as_of=at(2026, 3))) == [episode.content]


async def test_bad_episodes_are_refused_and_none_is_written(store: Store) -> None:
    good = NewEpisode(uuid.uuid4(), "exchange", "fine", at(2026))
    for content, when, error in (("a\x00b", at(2026), InvalidText), ("naive", datetime(2026, 1, 1), InvalidTime)):  # noqa: DTZ001
        bad = NewEpisode(uuid.uuid4(), "exchange", content, when)
        with pytest.raises(error):
            await store.episodes.append(ME, [good, bad], vectors([good.content, content]))
    assert await contents(store, Query("fine")) == []


async def test_a_hit_survives_the_state(store: Store) -> None:
    await store.write(ME, Operation(attribute="home.city", value="서울", valid_from=at(2024)))
    (hit,) = await store.recall(ME, Query("서울"))
    assert Hit.from_json(hit.to_json()) == hit


def test_terms_are_stems_in_english_and_bigrams_where_words_are_not_spaced() -> None:
    assert terms_of("The violins, playing!") == ["violin", "play"]
    assert terms_of("서울로 이사") == ["서울", "이사"]
    assert terms_of("배") == ["배"]
    assert terms_of("") == []

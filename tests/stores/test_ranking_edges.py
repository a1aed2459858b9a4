"""What a ranking meets at its edges: very old memories, details of any sort, two scripts, no thread, ties."""

from __future__ import annotations

import random
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from stored import Store, store_over
from vectors import vectors

from perdure.episodes import EpisodeKind, NewEpisode
from perdure.errors import InvalidInput
from perdure.facts import Operation
from perdure.presets import PRESETS
from perdure.recall import Hit, Query
from perdure.scope import Scope
from perdure.stores.pool import open_pool

ME = Scope(user="u1")
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
LONG_AGO = datetime(1500, 1, 1, tzinfo=UTC)


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


async def note(store: Store, content: str, *, scope: Scope = ME, **more: object) -> None:
    operation = Operation(content=content, **more)  # type: ignore[arg-type]  # fields by name
    await store.write(scope, operation, message=content)


async def episode(
    store: Store,
    content: str,
    *,
    scope: Scope = ME,
    kind: EpisodeKind = "exchange",
    when: datetime = NOW,
    thread: str = "",
    **details: object,
) -> None:
    new = NewEpisode(uuid.uuid4(), kind, content, when, thread=thread, details=details)
    await store.episodes.append(scope, [new], vectors([content]))


def leg(hit: Hit, name: str) -> float:
    assert hit.why
    return next(leg.scaled for leg in hit.why.legs if leg.name == name)


@pytest.mark.parametrize("preset", PRESETS)
async def test_what_is_very_old_is_found_like_the_rest(store: Store, preset: str) -> None:
    await note(store, "the castle was built", valid_from=LONG_AGO)
    for kind in ("exchange", "task"):
        await episode(store, f"{kind}: the castle was built", kind=kind, when=LONG_AGO)
    assert await store.recall(ME, Query("the castle", preset=preset, threshold=0))


@pytest.mark.parametrize("quality", ["good", True, None, [1], {"of": 1}, -3, 7, 10**400])
async def test_details_of_any_sort_neither_break_a_search_nor_outweigh_it(store: Store, quality: object) -> None:
    await episode(store, "a task", kind="task", quality=quality)
    await episode(store, "an event", kind="event", importance=quality)
    hits = await store.recall(ME, Query("a task", threshold=0, explain=True))
    assert {hit.kind: 0 <= leg(hit, "outcome") <= 1 and 0 <= leg(hit, "importance") <= 1 for hit in hits} == {
        "task": True,
        "event": True,
    }


@pytest.mark.parametrize("preset", ["balanced", "verbatim", "strategies", "vector"])
async def test_why_tells_the_same_ranking_of_any_memories(store: Store, preset: str) -> None:
    dice = random.Random(3)
    words = ["alpha", "beta", "gamma", "delta", "서울", "부산", "이사", "커피", "東京", "12", "44"]
    scopes = [Scope(user="u1", agent=agent) for agent in ("", "a", "b")]
    for number in range(40):
        content = f"{' '.join(dice.sample(words, 3))} {number}"
        await note(store, content, scope=dice.choice(scopes), importance=dice.randint(1, 10))
        kind: EpisodeKind = dice.choice(["exchange", "task", "event"])
        thread = dice.choice(["", "", "x", "y"])
        await episode(store, f"{content}: {kind}", scope=dice.choice(scopes), kind=kind, thread=thread)
    for _ in range(40):
        text, scope = " ".join(dice.sample(words, 2)), dice.choice(scopes)
        k, facts, weak = dice.choice([1, 3, 10, 50]), dice.random() < 0.7, dice.random() < 0.5
        quick = await store.recall(scope, Query(text, k=k, preset=preset, threshold=0, facts=facts, weak=weak))
        why = Query(text, k=k, preset=preset, threshold=0, facts=facts, weak=weak, explain=True)
        told = await store.recall(scope, why)
        assert [hit.id for hit in quick] == [hit.id for hit in told]
        assert [hit.score for hit in quick] == pytest.approx([hit.score for hit in told])


async def test_what_is_in_no_thread_stands_next_to_nothing(store: Store) -> None:
    for number in range(4):
        await episode(store, f"task {number}", kind="task")
    for preset in ("strategies", "balanced"):
        hits = await store.recall(ME, Query("task 1", preset=preset, threshold=0, explain=True))
        assert len(hits) == 4 and {leg(hit, "nearby") for hit in hits} == {0.0}


async def test_numbers_are_of_no_script_and_raise_nothing(store: Store) -> None:
    await note(store, "her number is 5551234")
    await note(store, "the garden is lovely")
    for hit in await store.recall(ME, Query("5559999", threshold=0, explain=True)):
        assert hit.relevance == pytest.approx(hit.vector_score * 2 / 3, abs=1e-6)


async def test_what_is_not_told_takes_no_part_of_the_budget(store: Store) -> None:
    await note(store, "something else entirely " * 40, importance=10, kind="profile")
    await note(store, "violin attic", importance=1)
    query = Query("violin attic", preset="important", tokens=5)
    assert [hit.content for hit in await store.recall(ME, query)] == ["violin attic"]


@pytest.mark.parametrize("many", [10**9 + 1, 2**63, 10**30])
async def test_more_than_can_be_counted_is_refused_and_a_budget_without_end_is_none(store: Store, many: int) -> None:
    await note(store, "a note")
    with pytest.raises(InvalidInput, match="at most"):
        await store.recall(ME, Query("a note", k=many))
    assert await store.recall(ME, Query("a note", k=10**9, tokens=many))

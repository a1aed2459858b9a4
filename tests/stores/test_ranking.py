"""How memories are ranked: the legs, the presets, and what each hit says of it."""

from __future__ import annotations

import math
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from stored import Store, store_over
from vectors import vectors

from perdure.asked_time import Span
from perdure.episodes import EpisodeKind, NewEpisode
from perdure.errors import InvalidInput, InvalidTime
from perdure.facts import Operation
from perdure.presets import PRESETS
from perdure.recall import Hit, Query
from perdure.scope import Scope
from perdure.stores.pool import open_pool

ME = Scope(user="u1")
NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


async def note(store: Store, content: str, **more: object) -> None:
    operation = Operation(content=content, **more)  # type: ignore[arg-type]  # fields by name
    await store.write(ME, operation, message=content)


async def episode(
    store: Store,
    content: str,
    when: datetime = NOW,
    *,
    thread: str = "t",
    kind: EpisodeKind = "exchange",
    speaker: str = "",
    **details: object,
) -> None:
    new = NewEpisode(uuid.uuid4(), kind, content, when, thread=thread, speaker=speaker, details=details)
    await store.episodes.append(ME, [new], vectors([content]))


async def filled(store: Store) -> None:
    for number in range(12):
        await note(store, f"a note about topic{number} and gardens", importance=1 + number % 10)
        await episode(store, f"user: topic{number} again", NOW - timedelta(days=number), thread=f"t{number % 3}")


@pytest.mark.parametrize("preset", [name for name, preset in PRESETS.items() if preset.fusion == "absolute"])
async def test_why_tells_the_same_ranking(store: Store, preset: str) -> None:
    """The statement that explains is another one than the statement that is quick."""
    await filled(store)
    for text in ("topic3 gardens", "topic5 again", "nothing of that"):
        plainly = await store.recall(ME, Query(text, k=8, preset=preset, threshold=0))
        told = await store.recall(ME, Query(text, k=8, preset=preset, threshold=0, explain=True))
        assert [hit.id for hit in plainly] == [hit.id for hit in told]
        assert [hit.score for hit in plainly] == pytest.approx([hit.score for hit in told])
        assert [hit.relevance for hit in plainly] == pytest.approx([hit.relevance for hit in told])


@pytest.mark.parametrize("preset", PRESETS)
async def test_the_score_is_the_sum_of_the_shares(store: Store, preset: str) -> None:
    await filled(store)
    await episode(store, "task: topic3", kind="task", quality=0.9)
    hits = await store.recall(ME, Query("topic3 gardens", preset=preset, threshold=0, explain=True))
    assert hits
    for hit in hits:
        assert hit.why
        assert math.fsum(leg.share for leg in hit.why.legs) == pytest.approx(hit.score)
        assert all(leg.share == pytest.approx(leg.weight * leg.scaled) for leg in hit.why.legs)


async def test_ranks_of_the_legs_are_those_in_the_whole_scope(store: Store) -> None:
    await filled(store)
    hits = await store.recall(ME, Query("topic3 gardens", k=24, threshold=0, explain=True))
    legs = [{leg.name: leg for leg in hit.why.legs} for hit in hits if hit.why]
    places = [leg["vector"].rank or 0 for leg in legs]
    assert sorted(places) == list(range(1, 25))
    best = min(legs, key=lambda leg: leg["lexical"].rank or 99)
    assert best["lexical"].rank == 1 and best["lexical"].raw == 1.0
    assert [leg["lexical"].rank for leg in legs if leg["lexical"].raw == 0] == [None] * sum(
        leg["lexical"].raw == 0 for leg in legs
    )


async def test_nothing_is_found_where_the_best_is_not_relevant_enough(store: Store) -> None:
    await note(store, "The violin is in the attic.")
    assert await store.recall(ME, Query("unrelated words", threshold=0.9)) == []
    assert await store.recall(ME, Query("violin attic", threshold=0.3))
    assert len(await store.recall(ME, Query("unrelated words", threshold=0))) == 1


async def test_a_fact_of_the_attribute_that_is_asked_about_is_found_whatever_its_words(store: Store) -> None:
    await store.write(ME, Operation(attribute="home.city", value="Lima", content="Lima it is."))
    await note(store, "Something else entirely.")
    asked = Query("quux", threshold=0.9, asked=("home.city",))
    assert [hit.value for hit in await store.recall(ME, asked)][:1] == ["Lima"]


async def test_a_fact_is_found_by_the_name_of_its_attribute_in_both_languages(store: Store) -> None:
    await store.write(ME, Operation(attribute="work.role", value="plumber", content="I fix pipes."))
    for question in ("my occupation", "내 직업"):
        (hit,) = await store.recall(ME, Query(question, threshold=0))
        assert hit.lexical_score > 0.4


async def test_what_stands_next_to_an_answer_is_found_too(store: Store) -> None:
    for number in range(6):
        await episode(store, f"filler {number}", thread="a")
    await episode(store, "which instrument do you play", thread="a")
    await episode(store, "the cello", thread="a")
    await episode(store, "the cello is heavy", thread="b")
    hits = await store.recall(ME, Query("which instrument do you play", k=9, threshold=0, explain=True))
    beside = {hit.content: _leg(hit, "nearby") for hit in hits}
    assert beside["the cello"] > 0.5 and beside["the cello is heavy"] == 0.0
    after = next(hit for hit in hits if hit.content == "the cello")
    assert after.lexical_score == pytest.approx(0.5)  # the words of the exchange that it answers count half


async def test_who_is_named_in_the_question_is_heard(store: Store) -> None:
    for speaker in ("Ann", "Bo"):
        await episode(store, f"{speaker}: I went to the sea", thread="t", speaker=speaker)
    hits = await store.recall(ME, Query("who went to the sea", names=("ann",), threshold=0, explain=True))
    assert [_leg(hit, "named") for hit in hits if hit.content.startswith("Ann")] == [1.0]
    both = await store.recall(ME, Query("sea", names=("ann", "bo"), threshold=0, explain=True))
    assert {_leg(hit, "named") for hit in both} == {0.0}  # whoever is named is no help if all are


async def test_what_was_said_in_the_time_that_is_spoken_of_ranks_higher(store: Store) -> None:
    await episode(store, "we went to the sea", NOW - timedelta(days=200), thread="a")
    await episode(store, "we went to the sea ", NOW - timedelta(days=30), thread="b")
    period = Span(NOW - timedelta(days=32), NOW - timedelta(days=31))  # told a day later
    first, second = await store.recall(ME, Query("sea", period=period, threshold=0, explain=True))
    assert (_leg(first, "period"), _leg(second, "period")) == (0.5, 0.0)


async def test_a_period_is_of_facts_that_held_in_it_and_of_what_happened_in_it(store: Store) -> None:
    for city, since in (("Oslo", 2020), ("Lima", 2023), ("Rome", 2025)):
        await store.write(
            ME, Operation(attribute="home.city", value=city, valid_from=datetime(since, 1, 1, tzinfo=UTC)), message=city
        )
    await episode(store, "user: I live by the sea", datetime(2022, 5, 1, tzinfo=UTC))
    await episode(store, "user: I live by the park", datetime(2023, 5, 1, tzinfo=UTC))
    year = Span(datetime(2022, 1, 1, tzinfo=UTC), datetime(2023, 1, 1, tzinfo=UTC))
    assert {hit.content for hit in await store.recall(ME, Query("live", during=year, threshold=0))} == {
        "home: Oslo",
        "user: I live by the sea",
    }
    longer = Span(datetime(2022, 12, 31, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC))
    found = {hit.value for hit in await store.recall(ME, Query("live", during=longer, threshold=0, episodes=False))}
    assert found == {"Oslo", "Lima"}


async def test_what_lasts_does_not_fade(store: Store) -> None:
    old = NOW - timedelta(days=3650)
    await note(store, "allergic to peanuts", kind="profile", valid_from=old)
    await note(store, "building a shed", kind="project", valid_from=old)
    await note(store, "the code word for emergencies", kind="project", importance=10, valid_from=old)
    hits = await store.recall(ME, Query("anything", preset="recent", threshold=0, explain=True))
    fresh = {hit.content: _leg(hit, "recency") for hit in hits}
    assert fresh["allergic to peanuts"] == fresh["the code word for emergencies"] == 1.0
    assert fresh["building a shed"] < 1e-6


@pytest.mark.parametrize("attribute", ["health.allergy", "home.city", "ui.theme"])
async def test_what_lasts_does_not_fade_of_whatever_kind_it_is_told(store: Store, attribute: str) -> None:
    for kind in ("fact", "other"):
        told = Operation(
            attribute=attribute, value=kind, content=f"told as {kind}", kind=kind, valid_from=NOW - timedelta(days=3650)
        )
        await store.write(Scope(user=kind), told)
        (hit,) = await store.recall(
            Scope(user=kind), Query(f"told as {kind}", preset="recent", threshold=0, explain=True)
        )
        assert _leg(hit, "recency") == 1.0


async def test_recency_is_what_the_hours_leave(store: Store) -> None:
    await episode(store, "an hour ago", NOW - timedelta(hours=1))
    await episode(store, "a day ago", NOW - timedelta(hours=24))
    hits = await store.recall(ME, Query("ago", preset="generative", threshold=0, explain=True))
    fresh = {hit.content: _leg(hit, "recency") for hit in hits}
    assert fresh == {"an hour ago": pytest.approx(0.995), "a day ago": pytest.approx(0.995**24)}


async def test_generative_weighs_relevance_importance_and_recency_alone(store: Store) -> None:
    await note(store, "gardens", importance=10)
    await note(store, "sheds", importance=2)
    for hit in await store.recall(ME, Query("gardens", preset="generative", threshold=0, explain=True)):
        assert hit.why
        weights = {leg.name: leg.weight for leg in hit.why.legs}
        assert weights["vector"] + weights["lexical"] == pytest.approx(0.4)
        assert (weights["importance"], weights["recency"]) == (0.3, 0.3)
        assert {name for name, weight in weights.items() if weight} == {"vector", "lexical", "importance", "recency"}


@pytest.mark.parametrize("preset", ["balanced", "recent", "important", "generative"])
@pytest.mark.parametrize("weak", [False, True])
async def test_what_is_not_relevant_takes_no_place_from_what_is(store: Store, preset: str, weak: bool) -> None:
    """However new and important it is."""
    old = NOW - timedelta(days=900)
    await note(store, "walnut cabinet with brass hinges", importance=1, valid_from=old, kind="other")
    await episode(store, "user: the brass hinges of the walnut cabinet squeak", old)
    for number in range(6):
        await note(store, f"zebra{number} xylophone{number}", importance=10, valid_from=NOW)
        await episode(store, f"user: quokka{number} yodel{number}", NOW)
    hits = await store.recall(ME, Query("walnut cabinet with brass hinges", k=4, preset=preset, weak=weak))
    assert {hit.source for hit in hits if not hit.weak and "walnut" in hit.content} == {"fact", "episode"}
    assert [hit.weak for hit in hits] == sorted(hit.weak for hit in hits)


async def test_strategies_are_past_tasks_and_those_that_went_well_first(store: Store) -> None:
    await note(store, "deploy the service")
    for quality in (0.1, 0.9):
        await episode(store, f"deploy the service, take {quality}", kind="task", quality=quality)
    hits = await store.recall(ME, Query("deploy the service", preset="strategies", threshold=0, explain=True))
    assert {hit.kind for hit in hits} == {"task"} and len(hits) == 2
    assert {hit.content[-3:]: _leg(hit, "outcome") for hit in hits} == {"0.9": 0.9, "0.1": 0.1}


async def test_what_says_the_same_as_a_better_one_loses(store: Store) -> None:
    same = vectors(["deploy the service"])["deploy the service"]
    for number in range(3):
        content = f"deploy the service {number}"
        new = NewEpisode(uuid.uuid4(), "task", content, NOW, details={"quality": 0.5})
        await store.episodes.append(ME, [new], {content: same})
    hits = await store.recall(ME, Query("deploy the service", preset="strategies", threshold=0, explain=True))
    assert sorted(_leg(hit, "diversity") for hit in hits) == [0.0, pytest.approx(1.0), pytest.approx(1.0)]


async def test_facts_and_episodes_share_the_places(store: Store) -> None:
    await filled(store)
    hits = await store.recall(ME, Query("topic gardens again", k=6, threshold=0))
    assert [hit.source for hit in hits].count("episode") == 3
    assert {hit.source for hit in await store.recall(ME, Query("topic", k=6, facts=False, threshold=0))} == {"episode"}


@pytest.mark.parametrize("preset", ["balanced", "vector", "generative"])
async def test_what_facts_leave_of_the_places_is_taken_by_episodes(store: Store, preset: str) -> None:
    for number in range(12):
        await episode(store, f"user: topic{number} again", thread=f"t{number % 3}")
    await note(store, "a note about gardens")
    hits = await store.recall(ME, Query("topic gardens again", k=10, preset=preset, threshold=0))
    assert [hit.source for hit in hits].count("episode") == 9


async def test_a_budget_of_tokens_is_kept(store: Store) -> None:
    for number in range(8):
        await note(store, f"{number} " + "x" * 396)  # about a hundred tokens each
    assert len(await store.recall(ME, Query("x", tokens=250, threshold=0))) == 3  # the third still begins within it
    assert await store.recall(ME, Query("x", tokens=0, threshold=0)) == []
    await note(store, "the violin is in the attic")
    (hit,) = await store.recall(ME, Query("violin in the attic", tokens=5))  # of what is relevant
    assert hit.content == "the violin is in the attic"


@pytest.mark.parametrize("fusion", ["generative"])
async def test_min_max_scales_to_the_least_and_the_greatest_of_the_scope(store: Store, fusion: str) -> None:
    await filled(store)
    hits = await store.recall(ME, Query("topic3 gardens", k=24, preset=fusion, threshold=0, explain=True))
    scaled = [_leg(hit, "vector") for hit in hits]
    assert (min(scaled), max(scaled)) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("query", "error"),
    [
        (Query("x", k=-1), InvalidInput),
        (Query("x", tokens=-1), InvalidInput),
        (Query("x", preset="best"), InvalidInput),
        (Query("x", as_of=NOW, during=Span(NOW, None)), InvalidInput),
        (Query("x", during=Span(NOW, NOW)), InvalidInput),
        (Query("x", during=Span(NOW, NOW - timedelta(days=1))), InvalidInput),
        (Query("x", during=Span(NOW.replace(tzinfo=None), None)), InvalidTime),
        (Query("x", as_of=NOW.replace(tzinfo=None)), InvalidTime),
    ],
)
async def test_what_cannot_be_asked_for_is_refused(store: Store, query: Query, error: type[Exception]) -> None:
    with pytest.raises(error):
        await store.recall(ME, query)


async def test_a_question_of_very_many_words_is_answered(store: Store) -> None:
    await note(store, "The violin is in the attic.")
    question = " ".join(f"word{number}" for number in range(5000)) + " incontrovertibly-attic"
    assert await store.recall(ME, Query(question, threshold=0))


async def test_a_row_of_very_many_words_is_stored_and_found(store: Store) -> None:
    content = " ".join(f"word{number}" for number in range(20_000))
    await episode(store, content)
    (hit,) = await store.recall(ME, Query("word7", threshold=0))
    assert hit.content == content


def _leg(hit: Hit, name: str) -> float:
    assert hit.why
    return next(leg.scaled for leg in hit.why.legs if leg.name == name)

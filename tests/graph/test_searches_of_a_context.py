"""What a context says of moments and ranking is meant in the searches that are given one, too."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from clock import START

from perdure import Context, Memory, Query, Scope
from perdure.asked_time import Span
from perdure.episodes import NewEpisode

ME = Scope(user="u1")
BEFORE = datetime(2020, 1, 1, tzinfo=UTC)
MOVED = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
async def settled(memory: Memory) -> Memory:
    for city, since in (("Busan", BEFORE), ("Seoul", MOVED)):
        sentence = f"I live in {city}."
        await memory.remember(sentence, attribute="home.city", value=city, valid_from=since, user="u1")
        new = NewEpisode(uuid4(), "exchange", f"user: {sentence}", since, thread=city)
        vectors = await memory.layer.embeddings.documents(ME, [new.content])
        await memory.episode_store.append(ME, [new], vectors)
    return memory


async def test_a_search_is_as_of_the_moment_of_its_context(settled: Memory) -> None:
    then = Context(user="u1", as_of=MOVED - timedelta(days=1))
    (hit,) = [hit for hit in await settled.recall("Where do I live?", context=then) if hit.source == "fact"]
    assert hit.value == "Busan"
    for query in ("Where do I live?", ""):
        assert [hit.thread for hit in await settled.conversations(query, context=then)] == ["Busan"]


async def test_a_search_is_as_known_at_the_moment_of_its_context(settled: Memory) -> None:
    then = Context(user="u1", as_known_at=START - timedelta(days=1))
    assert await settled.recall("Where do I live?", context=then) == []
    for query in ("Where do I live?", ""):
        assert await settled.conversations(query, context=then) == []


async def test_what_is_given_counts_more_than_the_context(settled: Memory) -> None:
    then = Context(user="u1", as_of=MOVED - timedelta(days=1), preset="vector")
    for now in (
        await settled.recall("Where do I live?", context=then, as_of=START, preset="balanced", explain=True),
        await settled.recall(
            "Where do I live?", context=then, during=Span(START, None), preset="balanced", explain=True
        ),
    ):
        assert [hit.value for hit in now if hit.source == "fact"] == ["Seoul"]
        assert {hit.why and hit.why.preset for hit in now} == {"balanced"}
    later = await settled.conversations(context=then, during=Span(MOVED, None))
    assert [hit.thread for hit in later] == ["Seoul"]


async def test_a_search_ranks_as_its_context_says(settled: Memory) -> None:
    found = await settled.recall("Where do I live?", context=Context(user="u1", preset="recent"), explain=True)
    assert {hit.why and hit.why.preset for hit in found} == {"recent"}


async def test_the_latest_are_those_that_were_known_then(settled: Memory) -> None:
    """Happened then, and told later."""
    told = await settled.layer.latest(
        ME, Query("", preset="verbatim", as_of=MOVED, as_known_at=START - timedelta(days=1))
    )
    assert told == []

"""What people report of other memories about dates: taken from the wrong clock, merged away, or filtered too late."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from clock import SetClock
from scripted_openai import ScriptedOpenAI
from stored import Store
from told import ME, change, current, told
from vectors import vectors

from perdure import Context, Memory, Scope
from perdure.episodes import NewEpisode
from perdure.recall import Query
from perdure.when import parse_when


def utc(year: int, month: int, day: int, hour: int = 0) -> datetime:
    return datetime(year, month, day, hour, tzinfo=UTC)


@pytest.mark.parametrize("said", ["Last week I moved to Lyon.", "지난주에 리옹으로 이사했어."])
async def test_time_relative_date_counts_from_the_message(memory: Memory, said: str) -> None:
    """FC16: the Monday of the week before 24 May 2023, although it is read in 2026."""
    await memory.ask(said, user="me", thread="t", sent_at=utc(2023, 5, 24, 10))
    (fact,) = await memory.facts.facts(ME)
    assert (fact.attribute, fact.valid_from, fact.dated) == ("home.city", utc(2023, 5, 15), True)
    assert fact.recorded_at == memory.layer.clock.now()


@pytest.mark.parametrize("said", ["Last week I moved house.", "지난주에 이사했어."])
async def test_time_relative_date_of_an_event_counts_from_the_message(
    modelled: Memory, openai_server: ScriptedOpenAI, said: str
) -> None:
    """FC16: the model is told when the message was sent, and resolves the date itself."""
    openai_server.script("extract", told(change(said, valid_from="2023-05-15")))
    await modelled.ask(said, user="me", thread="t", sent_at=utc(2023, 5, 24, 10))
    assert "2023-05-24" in openai_server.asked("extract")[0].prompt
    (fact,) = await modelled.facts.facts(ME)
    assert fact.valid_from == utc(2023, 5, 15)


@pytest.mark.parametrize(
    "said",
    [
        "Please remember that the team switched to trunk-based development.",
        "팀이 트렁크 기반 개발로 바꿨다는 것을 기억해 줘.",
    ],
)
async def test_time_backfill_dates_by_the_message_what_tells_no_date(memory: Memory, said: str) -> None:
    """FC18"""
    sent = utc(2024, 3, 2, 9)
    await memory.ask(said, user="me", thread="t", sent_at=sent)
    (fact,) = await memory.facts.facts(ME)
    assert (fact.valid_from, fact.dated) == (sent, False)
    assert await current(memory, as_of=utc(2024, 3, 1)) == []


@pytest.mark.parametrize(
    ("attribute", "value"), [("", ""), ("project.assignment", "Payments"), ("language.speaks", "Go")]
)
async def test_time_intervals_of_the_same_sentence_stay_apart(memory: Memory, attribute: str, value: str) -> None:
    """FC19: as a note, as a single attribute and as one of many values."""
    sentence = "P is assigned to Payments."
    for start, end in ((utc(2026, 1, 1), utc(2026, 4, 1)), (utc(2026, 7, 1), utc(2026, 10, 1))):
        await memory.remember(sentence, attribute=attribute, value=value, valid_from=start, valid_to=end, user="me")
    facts = await memory.facts.facts(ME, history=True)
    terms = sorted((fact.valid_from, fact.valid_to) for fact in facts)
    assert terms == [(utc(2026, 1, 1), utc(2026, 4, 1)), (utc(2026, 7, 1), utc(2026, 10, 1))]
    for as_of, found in ((utc(2026, 2, 15), 1), (utc(2026, 5, 15), 0), (utc(2026, 8, 15), 1), (utc(2026, 11, 1), 0)):
        assert len(await current(memory, as_of=as_of)) == found
        assert len(await memory.recall(sentence, user="me", as_of=as_of)) == found


async def test_time_as_of_finds_what_has_expired_since(memory: Memory, clock: SetClock) -> None:
    """FC21"""
    clock.set(utc(2026, 1, 10))
    voucher = "The voucher code is for two people."
    await memory.remember(voucher, valid_from=utc(2026, 1, 10), valid_to=utc(2026, 2, 1), user="me")
    clock.set(utc(2026, 7, 1))
    assert await memory.recall(voucher, user="me") == []
    (hit,) = await memory.recall(voucher, user="me", as_of=utc(2026, 1, 20))
    assert (hit.content, hit.valid_to, hit.past) == (voucher, utc(2026, 2, 1), True)


@pytest.mark.parametrize("word", ["yesterday", "어제"])
@pytest.mark.parametrize(("zone", "noon"), [("UTC", utc(2026, 6, 15, 12)), ("Asia/Seoul", utc(2026, 6, 15, 3))])
async def test_time_relative_query_as_of_yesterday_means_its_end(
    memory: Memory, clock: SetClock, word: str, zone: str, noon: datetime
) -> None:
    """FC23: at noon, with something of yesterday evening and something of this morning."""
    local = Context(user="me", time_zone=zone)
    for said, sent in (("I play the cello.", noon.replace(day=14)), ("I play the oboe.", noon)):
        clock.set(sent)
        await memory.ask(said, thread="t", context=local)
    as_of = parse_when(word, clock.now().astimezone(local.zone), edge="end")
    assert await current(memory, as_of=as_of) == ["cello"]
    hits = await memory.recall("cello or oboe", user="me", as_of=as_of)
    assert {hit.value for hit in hits if hit.source == "fact"} == {"cello"}
    assert all("oboe" not in hit.content for hit in hits)


def test_time_filter_order_is_before_the_best_are_chosen(store: Store, run: Callable[[Any], Any]) -> None:
    """FC24: ten thousand exchanges that fit the query much better, but not the time that is asked for."""
    scope, query = Scope(user="filter"), "quarterly revenue forecast"
    asked = ["the forecast was rain", "a walk by the sea", "bread with olives"]
    others = [f"{query} {number}" for number in range(10_000)]

    def told(contents: list[str], at: datetime) -> list[NewEpisode]:
        return [NewEpisode(uuid4(), "exchange", content, at, thread="t", message=content) for content in contents]

    episodes = [*told(asked, utc(2026, 6, 8)), *told(others, utc(2026, 6, 15))]
    run(store.episodes.append(scope, episodes, vectors([*asked, *others])))
    hits = run(store.recall(scope, Query(query, k=5, as_of=utc(2026, 6, 10))))
    assert {hit.content for hit in hits} == set(asked)
    later = run(store.recall(scope, Query(query, k=5, as_of=utc(2026, 6, 20))))
    assert later and all(hit.content.startswith(query) for hit in later)

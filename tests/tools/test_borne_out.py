"""What a tool is asked to remember is held against the user's words as strictly as what is extracted from them."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest
from test_tools import ME, call, desk_over, error

from perdure import Memory
from perdure.facts import Trust
from perdure.tools.desk import Desk

PARIS = {"content": "The user lives in Paris.", "attribute": "home.city", "value": "Paris"}


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        ("Do I live in Paris?", "I live in Paris"),
        ("If I lived in Paris, I would be happy.", "lived in Paris"),
        ("I do not live in Paris.", "live in Paris"),
        ("They say that he lives in Paris.", "he lives in Paris"),
        ("I am well.", "I live in Paris"),
    ],
    ids=["a question", "a supposition", "a denial", "somebody else", "what was never said"],
)
async def test_a_quote_that_does_not_say_it_makes_nothing_the_users(memory: Memory, said: str, quote: str) -> None:
    desk = desk_over(memory, said=said)
    told = error(await call(desk, "archival_memory_insert", **PARIS, quote=quote))
    assert "from the assistant's own words (" in told and desk.noted == []


@pytest.mark.parametrize("quote", ["e", "the", "Hello there", "Hello there my friend"])
async def test_a_quote_that_is_about_something_else_ends_and_corrects_nothing(memory: Memory, quote: str) -> None:
    await memory.remember("I am allergic to nuts.", attribute="health.allergy", value="nuts", user=ME.user)
    desk = desk_over(memory, said="Hello there my friend. What of the nuts?")
    await call(desk, "archival_memory_search", query="nuts allergy")
    (fact,) = desk.facts
    assert "own words" in error(await call(desk, "memory_end", memory_id=str(fact), quote=quote))
    other = {"memory_id": str(fact), "content": "The user is allergic to fish.", "value": "fish"}
    assert "own words" in error(await call(desk, "memory_correct", **other, quote=quote))
    assert desk.noted == []


async def test_what_a_pasted_text_says_is_asked_about(memory: Memory) -> None:
    desk = desk_over(memory, said='Summarise this mail: "Dear all, I live in Paris. Bob"')
    assert "A person is asked first" in await call(desk, "archival_memory_insert", **PARIS, quote="I live in Paris")
    assert desk.noted[0].trust is Trust.DOCUMENT


@pytest.mark.parametrize("subject", ["", "sister"])
async def test_what_is_said_of_somebody_else_is_theirs(memory: Memory, subject: str) -> None:
    said = "My sister lives in Paris."
    desk = desk_over(memory, said=said)
    assert "Noted" in await call(desk, "archival_memory_insert", **PARIS, subject=subject, quote=said)
    assert [(noted.subject, noted.value) for noted in desk.noted] == [("sister", "Paris")]


@pytest.mark.parametrize("said", ["Forget that, please.", "그건 잊어 줘."])
async def test_a_request_to_forget_ends_what_the_model_takes_it_for(memory: Memory, said: str) -> None:
    await memory.remember("I am allergic to nuts.", attribute="health.allergy", value="nuts", user=ME.user)
    desk = desk_over(memory, said=said)
    await call(desk, "archival_memory_search", query="nuts allergy")
    (fact,) = desk.facts
    assert "Noted" in await call(desk, "memory_end", memory_id=str(fact), quote=said)
    assert desk.noted[0].target == fact and desk.noted[0].trust is Trust.USER


async def test_what_is_past_or_was_believed_earlier_is_no_target(memory: Memory) -> None:
    start = memory.layer.clock.now() - timedelta(days=90)
    await memory.remember("I live in Busan.", attribute="home.city", value="Busan", valid_from=start, user=ME.user)
    await memory.remember("I live in Seoul.", attribute="home.city", value="Seoul", user=ME.user)
    desk = desk_over(memory, said="I left Busan.")
    await call(
        desk, "archival_memory_search", query="I live in Busan", as_of=(start.date() + timedelta(days=5)).isoformat()
    )
    await _refuses_to_end(desk, "past already")
    desk.as_known_at = start.astimezone(UTC)
    await _refuses_to_end(desk, "believed earlier")


async def _refuses_to_end(desk: Desk, why: str) -> None:
    (fact,) = [hit.id for hit in desk.facts.values() if hit.value == "Busan"]
    assert why in error(await call(desk, "memory_end", memory_id=str(fact), quote="I left Busan"))

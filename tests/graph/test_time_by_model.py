"""A run that wants a model to read the time in its question: what the turn answers, and what it costs."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from clock import START
from scripted_openai import Fail, ScriptedOpenAI

from perdure import Context, Memory

QUESTION = "Where did I live last Christmas?"
CHRISTMAS = json.dumps({"words": "last Christmas", "since": "2025-12-25", "until": "2025-12-25"})
BY_MODEL = Context(user="u1", time_reader="model")


async def settle(memory: Memory) -> None:
    for city, since in (("Busan", datetime(2020, 1, 1, tzinfo=UTC)), ("Seoul", datetime(2026, 3, 1, tzinfo=UTC))):
        content = f"I live in {city}."
        await memory.remember(content, attribute="home.city", value=city, valid_from=since, user="u1")


async def test_a_turn_of_a_run_that_wants_it_answers_for_that_time_and_counts_the_call(
    modelled: Memory, openai_server: ScriptedOpenAI
) -> None:
    await settle(modelled)
    openai_server.script("extract", CHRISTMAS)
    answer = await modelled.ask(QUESTION, thread="t", context=BY_MODEL)
    day = {"since": "2025-12-25T00:00:00+00:00", "until": "2025-12-26T00:00:00+00:00"}
    assert answer.time == {"words": "last Christmas", **day}
    assert [call["purpose"] for call in answer.usage] == ["question", "reply"]
    (asked,) = openai_server.asked("reply")
    assert "I live in Busan." in asked.prompt and "I live in Seoul." not in asked.prompt


@pytest.mark.parametrize(
    "context",
    [
        pytest.param(Context(user="u1"), id="rules alone"),
        pytest.param(Context(user="u1", time_reader="model", as_of=START), id="the run gives the time"),
        pytest.param(Context(user="u1", time_reader="model", recall_k=0), id="nothing is recalled"),
    ],
)
async def test_a_turn_that_needs_no_reading_asks_no_model(
    modelled: Memory, openai_server: ScriptedOpenAI, context: Context
) -> None:
    answer = await modelled.ask(QUESTION, thread="t", context=context)
    assert answer.time is None
    assert [call["purpose"] for call in answer.usage] == ["reply"]
    assert [request.purpose for request in openai_server.requests] == ["reply"]


async def test_a_turn_whose_reading_fails_is_answered(modelled: Memory, openai_server: ScriptedOpenAI) -> None:
    await settle(modelled)
    openai_server.always("extract", Fail(500))
    answer = await modelled.ask(QUESTION, thread="t", context=BY_MODEL)
    assert answer.text == "as scripted" and answer.time is None
    assert "I live in Seoul." in openai_server.asked("reply")[0].prompt


async def test_a_search_may_ask_too_and_counts_the_call(modelled: Memory, openai_server: ScriptedOpenAI) -> None:
    await settle(modelled)
    openai_server.script("extract", CHRISTMAS)
    found = await modelled.recall(QUESTION, context=BY_MODEL)
    assert [hit.value for hit in found] == ["Busan"] and found.time and found.usage
    again = await modelled.recall(QUESTION, user="u1")
    assert again.time is None and again.usage is None and len(openai_server.requests) == 1


async def test_without_a_chat_model_the_rules_read(memory: Memory) -> None:
    await settle(memory)
    answer = await memory.ask(QUESTION, thread="t", context=BY_MODEL)
    assert answer.time is None and answer.usage == [] and "Seoul" in answer.text

"""An answer tells what was not kept, and why: the gate's decision, the extractor's, and what is left for later."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest
from scripted_openai import Fail, Say, ScriptedOpenAI

from perdure import Context, Memory, Settings, open_memory

TEA = {"action": "assert", "attribute": "likes", "value": "tea", "content": "I like tea.", "evidence": "I like tea"}
PARIS = {"action": "assert", "content": "The user may move to Paris.", "evidence": "maybe Paris"}


@pytest.fixture
async def memory(scripted_settings: Settings) -> AsyncIterator[Memory]:
    async with open_memory(scripted_settings) as memory:
        yield memory


async def test_a_gate_that_stays_closed_is_told_with_its_reason(memory: Memory) -> None:
    answer = await memory.ask("Thanks!", user="u1", thread="t")
    assert answer.gate == {"remember": False, "why": "only small talk"}
    assert (answer.decisions, answer.written, answer.unextracted) == ([], [], "")


async def test_what_was_considered_is_told_kept_or_not(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    passed_over = PARIS | {"should_save": False, "reason": "not decided"}
    openai_server.script("extract", json.dumps({"operations": [TEA, passed_over]}))
    answer = await memory.ask("I like tea. As for a move, maybe Paris.", user="u1", thread="t")
    assert answer.gate["remember"]
    assert {one["what"]: one["should_save"] for one in answer.decisions} == {"I like tea": True, "maybe Paris": False}
    assert "not decided" in [one["reason"] for one in answer.decisions]
    assert [receipt["attribute"] for receipt in answer.written] == ["likes"]
    assert answer.to_json()["decisions"] == answer.decisions


async def test_a_model_that_fails_is_told_where_the_exchange_can_be_taken_up_later(
    memory: Memory, openai_server: ScriptedOpenAI
) -> None:
    openai_server.always("extract", Fail(500))
    assert "HTTP 500" in (await memory.ask("I like tea.", user="u1", thread="t")).unextracted
    dropping = await memory.ask("I like rain.", thread="t", context=Context(user="u1", policy="drop"))
    assert dropping.unextracted == ""
    openai_server.always("extract", Say("not JSON"))
    assert "no JSON" in (await memory.ask("I like snow.", user="u1", thread="t2")).unextracted


async def test_a_write_that_was_dropped_says_what_it_was_about(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    openai_server.script("extract", json.dumps({"operations": [TEA]}))
    await memory.ask("I like tea.", thread="t", context=Context(user="u1", policy="ask"))
    done = await memory.resume("t", user="u1", decisions=[{"type": "reject"}])
    assert [(receipt["outcome"], receipt["attribute"]) for receipt in done.written] == [("dropped", "likes")]

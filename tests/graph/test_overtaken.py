"""Whoever runs the graph without `Turns`, as the LangGraph server does, may start a run while a question waits."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from scripted_openai import Fail, Say, ScriptedOpenAI

from perdure import Context, Memory, Scope, Settings, open_memory

ME = Context(user="u1")
ASTHMA = "I have asthma, and I love tea."
FOUND = [
    {"action": "assert", "attribute": "health.condition", "value": "asthma", "content": ASTHMA, "evidence": ASTHMA},
    {"action": "assert", "attribute": "likes", "value": "tea", "content": "I love tea.", "evidence": "I love tea"},
]


@pytest.fixture
async def memory(scripted_settings: Settings) -> AsyncIterator[Memory]:
    async with open_memory(scripted_settings) as memory:
        yield memory


async def say(memory: Memory, text: str) -> dict[str, Any]:
    config: Any = {"configurable": {"thread_id": "any-thread"}}
    state: dict[str, Any] = await memory.graph.ainvoke({"messages": [HumanMessage(text)]}, config, context=ME)
    return state


async def values(memory: Memory) -> set[str]:
    return {fact.value for fact in await memory.facts.facts(Scope(user="u1"))}


async def exchanges(memory: Memory) -> list[tuple[str, bool]]:
    hits = await memory.recall("asthma tea Busan", user="u1", k=20, threshold=0)
    found = [await memory.episode_store.get(Scope(user="u1"), hit.id) for hit in hits if hit.source == "episode"]
    return sorted((episode.content, episode.extracted) for episode in found)


async def test_a_new_message_lets_the_question_lapse_and_loses_nothing_else(
    memory: Memory, openai_server: ScriptedOpenAI
) -> None:
    openai_server.script("extract", json.dumps({"operations": FOUND}))
    assert (await say(memory, ASTHMA))["__interrupt__"]
    assert await values(memory) == set() and await exchanges(memory) == []
    await say(memory, "Thanks!")
    assert await values(memory) == {"tea"}
    kept = await exchanges(memory)
    assert len(kept) == 2 and not any("asthma" in content for content, _ in kept)


async def test_a_turn_whose_reply_failed_is_kept_for_later(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    openai_server.script("reply", Fail(400), "Hello.")
    with pytest.raises(Exception, match="reply model"):
        await say(memory, ASTHMA)
    await say(memory, "Thanks!")
    kept = await exchanges(memory)
    assert [extracted for content, extracted in kept if "asthma" in content] == [False]
    openai_server.script("extract", json.dumps({"operations": FOUND[1:]}))
    assert (await memory.backfill(user="u1")).written == 1 and await values(memory) == {"tea"}


async def test_what_the_model_noted_before_it_was_cut_short_is_written(
    memory: Memory, openai_server: ScriptedOpenAI
) -> None:
    name = json.dumps({"label": "persona", "content": "My name is Ari."})
    openai_server.script("reply", Say(tools=(("core_memory_append", name),)), "I am Ari.")
    config: Any = {"configurable": {"thread_id": "any-thread"}}
    told: Any = {"messages": [HumanMessage("From now on you are Ari.")]}
    await memory.graph.ainvoke(told, config, context=ME, interrupt_after=["respond"])
    for _ in range(2):
        await say(memory, "Thanks!")
        (version,) = await memory.core.history("persona", user="u1")
        assert version.block.content == "My name is Ari."


async def test_a_turn_that_was_written_is_not_written_again(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    openai_server.script("extract", json.dumps({"operations": FOUND[1:]}))
    await say(memory, "I love tea.")
    await say(memory, "Thanks!")
    (statement,) = await memory.facts.statements(Scope(user="u1"))
    assert statement.value == "tea" and len(await exchanges(memory)) == 2

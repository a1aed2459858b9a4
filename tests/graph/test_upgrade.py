"""Threads that earlier versions of the state left unfinished go on under this one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest
from clock import SetClock
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.types import interrupt
from scripted_openai import ScriptedOpenAI

from perdure import Context, Memory, Operation, Scope, Settings, open_memory
from perdure.errors import ConfigurationError
from perdure.facts import Source, statement_id
from perdure.graph.state import STATE_VERSION, State
from perdure.graph.upgrade import upgraded
from perdure.operations import checked
from perdure.recall import Hit, relevant

HOME = "I moved to Seoul."
ME = Scope(user="u1")
KEY: Any = {"configurable": {"thread_id": "default/u1/t1"}}
OPERATION: dict[str, Any] = {
    "action": "assert",
    "attribute": "home.city",
    "value": "Seoul",
    "content": HOME,
    "subject": "user",
    "cardinality": None,
    "kind": "profile",
    "importance": 5,
    "confidence": 1.0,
    "trust": "user",
    "valid_from": None,
    "valid_to": None,
    "target": None,
    "expected_version": None,
    "evidence": HOME,
}
"""As version 1 wrote it."""


def version_1(policy: str, *operations: dict[str, Any]) -> dict[str, Any]:
    return {
        "messages": [HumanMessage(HOME, id="m1"), AIMessage("Nice city.")],
        "state_version": 1,
        "scope": {"tenant": "default", "user": "u1"},
        "turn": {
            "message": "m1",
            "at": "2026-01-05T10:00:00+00:00",
            "language": "en",
            "agent": "",
            "policy": policy,
        },
        "recalled": {"hits": [], "as_of": None, "as_known_at": None},
        "candidates": {"operations": list(operations), "why": "", "complete": True},
        "written": [],
        "usage": [],
    }


HIT: dict[str, Any] = {
    "id": "b81e9ab4-d6b8-5cf3-b64b-756ae66aa829",
    "source": "fact",
    "kind": "preference",
    "subject": "user",
    "attribute": "likes",
    "value": "tea",
    "content": "I like tea.",
    "valid_from": "2025-01-05T10:00:00+00:00",
    "dated": True,
    "valid_to": None,
    "recorded_at": "2025-01-05T10:00:00+00:00",
    "thread": "t0",
    "message": "m0",
    "trust": "user",
    "importance": 5,
    "version": 1,
    "score": 0.5,
    "vector_score": 0.75,
    "lexical_score": 0.25,
    "past": False,
}
"""As versions 1 and 2 wrote it."""


def version_2(*hits: dict[str, Any]) -> dict[str, Any]:
    first = version_1("apply")
    said = {"thread": "t1", "time_zone": "UTC", "run_policy": "apply", "policy": {}}
    return first | {
        "state_version": 2,
        "turn": first["turn"] | said,
        "recalled": {"hits": list(hits), "attributes": [], "as_of": None, "as_known_at": None},
        "candidates": first["candidates"] | {"gate": {}, "decisions": [], "at": ""},
    }


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def memory(scripted_settings: Settings, openai_server: ScriptedOpenAI, clock: SetClock) -> AsyncIterator[Memory]:
    said = {name: OPERATION[name] for name in ("action", "attribute", "value", "content", "evidence")}
    openai_server.script("extract", json.dumps({"operations": [said]}))
    async with open_memory(scripted_settings, clock=clock) as memory:
        yield memory


async def leave(memory: Memory, state: dict[str, Any], behind: str) -> None:
    await memory.graph.aupdate_state(KEY, state, as_node=behind)


@pytest.mark.parametrize("behind", ["retrieve", "respond", "extract"])
async def test_a_turn_that_was_cut_short_is_finished(memory: Memory, behind: str) -> None:
    found = [OPERATION] if behind == "extract" else []
    await leave(memory, version_1("apply", *found), behind)
    done = await memory.resume("t1", user="u1")
    assert [receipt["after"]["value"] for receipt in done.written] == ["Seoul"]
    (said,) = await memory.facts.statements(ME)
    operation = checked(Operation.model_validate(OPERATION))
    assert (said.thread, said.message, said.valid_from.isoformat()) == ("t1", "m1", "2026-01-05T10:00:00+00:00")
    if behind == "extract":  # a write that version 1 committed, and then was cut short, is the same write
        source = Source(at=said.valid_from, thread="t1", message="m1")
        assert said.id == statement_id(ME, source, operation.model_copy(update={"cardinality": None}))
    (hit,) = [hit for hit in await memory.recall(HOME, user="u1") if hit.source == "episode"]
    assert (hit.thread, hit.message) == ("t1", "m1")


async def test_a_new_message_finishes_it_first(memory: Memory) -> None:
    await leave(memory, version_1("apply", OPERATION), "extract")
    await memory.ask("Thanks!", user="u1", thread="t1")
    assert [fact.value for fact in await memory.facts.facts(ME)] == ["Seoul"]
    state = await memory.graph.aget_state(KEY)
    assert state.values["state_version"] == STATE_VERSION and len(state.values["messages"]) == 4


async def test_a_turn_that_was_to_drop_its_writes_drops_them(memory: Memory) -> None:
    await leave(memory, version_1("drop", OPERATION), "extract")
    done = await memory.resume("t1", user="u1")
    assert [receipt["outcome"] for receipt in done.written] == ["dropped"]
    assert await memory.facts.facts(ME) == [] and await memory.recall(HOME, user="u1") == []


@pytest.mark.parametrize(("decision", "values"), [("approve", ["Seoul"]), ("reject", [])])
async def test_a_question_that_version_1_asked_can_still_be_answered(
    memory: Memory, clock: SetClock, decision: str, values: list[str]
) -> None:
    await leave(memory, version_1("ask", OPERATION), "extract")
    await _ask_as_version_1(memory)
    clock.forward(days=2_000)
    (pending,) = await memory.pending(user="u1")
    assert pending.expires_at is None and pending.requests[0]["args"]["value"] == "Seoul"
    done = await memory.resume("t1", user="u1", decisions=[{"type": decision}])
    assert done.interrupts == [] and [fact.value for fact in await memory.facts.facts(ME)] == values


async def _ask_as_version_1(memory: Memory) -> None:
    """The real checkpointer's record of the interrupt of version 1's `write`, which told no expiry."""

    async def write(state: State) -> None:
        args = {name: OPERATION[name] for name in ("action", "attribute", "value", "content")}
        interrupt({"action_requests": [{"name": "memory_write", "args": args, "description": HOME}]})

    then = memory.builder.compile(checkpointer=memory.checkpointer)
    then.nodes["write"].bound = _as_node(write)
    await then.ainvoke(None, KEY, context=Context(user="u1", policy="ask"))


def _as_node(function: Any) -> Any:
    from langgraph._internal._runnable import RunnableCallable

    return RunnableCallable(None, function, name="write", trace=False)


async def test_a_state_of_a_newer_version_is_refused_and_says_what_to_do(memory: Memory) -> None:
    newer = version_1("apply", OPERATION) | {"state_version": STATE_VERSION + 1}
    await leave(memory, newer, "extract")
    for attempt in (memory.resume("t1", user="u1"), memory.ask("Thanks!", user="u1", thread="t1")):
        with pytest.raises(ConfigurationError, match="upgrade Perdure"):
            await attempt
    await memory.graph.aupdate_state(KEY, {}, as_node="write")
    with pytest.raises(ConfigurationError, match="upgrade Perdure"):
        await memory.ask("Thanks!", user="u1", thread="t1")
    assert await memory.facts.facts(ME) == []


@pytest.mark.parametrize("behind", ["retrieve", "respond", "extract"])
async def test_a_turn_of_version_2_goes_on_with_the_memories_that_it_recalled(
    memory: Memory, openai_server: ScriptedOpenAI, behind: str
) -> None:
    await leave(memory, version_2(HIT) | {"messages": [HumanMessage(HOME, id="m1")]}, behind)
    done = await memory.resume("t1", user="u1")
    assert [hit["id"] for hit in done.recalled] == [HIT["id"]] and done.time is None
    assert all("I like tea." in request.prompt for request in openai_server.asked("reply"))
    assert len(openai_server.asked("reply")) == (behind == "retrieve")
    assert [receipt["after"]["value"] for receipt in done.written] == ["Seoul"] * (behind != "extract")


def test_what_version_2_recalled_is_read_as_relevant() -> None:
    for old in (version_2(HIT), version_1("apply") | {"recalled": {"hits": [HIT], "as_of": None, "as_known_at": None}}):
        (hit,) = relevant(upgraded(cast(State, old), "t1")["recalled"]["hits"])
        assert Hit.from_json(hit).relevance == HIT["score"]
    assert upgraded(upgraded(cast(State, version_2(HIT)), "t1"), "t1") == upgraded(cast(State, version_2(HIT)), "t1")


def test_upgrading_twice_is_upgrading_once_and_what_this_version_wrote_stays() -> None:
    old = cast(State, version_1("ask", OPERATION))
    once = upgraded(old, "t1")
    assert upgraded(once, "another") == once and once["turn"]["thread"] == "t1"
    assert old == version_1("ask", OPERATION) | {"messages": old["messages"]}
    extracted = {**once["candidates"], "at": "2026-12-24T00:00:00+00:00", "gate": {"remember": True, "why": ""}}
    between = upgraded(cast(State, {**old, "candidates": extracted}), "t1")
    assert between["candidates"] == extracted and between["turn"]["policy"] == {}

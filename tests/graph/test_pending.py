"""What waits for a person: listed, decided, lapsed; and inert until then."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from clock import SetClock
from langchain_core.messages import HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from openai_script import Answer, Request
from scripted_openai import Fail, Say, ScriptedOpenAI
from wire_proxy import proxied

from perdure import Context, Memory, Query, Scope, Settings, open_memory
from perdure.errors import InterruptedThread, InvalidInput, NotFound, NotInterrupted
from perdure.graph.state import InputState
from perdure.stores.pool import open_pool
from perdure.stores.sql import statements

HOME = "I moved to Seoul."
ME = Scope(user="u1")
ASKING = Context(user="u1", policy="ask")
APPROVE, REJECT = {"type": "approve"}, {"type": "reject"}
A_WEEK_AND_A_BIT = 24 * 7 + 1


def moved(city: str) -> str:
    said = f"I moved to {city}."
    return json.dumps(
        {
            "operations": [
                {"action": "assert", "attribute": "home.city", "value": city, "content": said, "evidence": said}
            ]
        }
    )


def city_that_is_told(request: Request) -> Answer:
    said: str = json.loads(request.body["messages"][1]["content"])["user_said"]
    return Say(moved(said.removeprefix("I moved to ").removesuffix(".")))


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def memory(scripted_settings: Settings, openai_server: ScriptedOpenAI, clock: SetClock) -> AsyncIterator[Memory]:
    openai_server.always("extract", city_that_is_told)
    async with open_memory(scripted_settings, clock=clock) as memory:
        yield memory


async def ask(memory: Memory, thread: str, city: str = "Seoul", context: Context = ASKING) -> Any:
    return await memory.ask(f"I moved to {city}.", thread=thread, context=context)


async def cities(memory: Memory) -> list[str]:
    return [fact.value for fact in await memory.facts.facts(ME, history=True)]


async def test_what_waits_is_listed_with_what_it_asks_and_until_when(memory: Memory, clock: SetClock) -> None:
    asked = await ask(memory, "이사 1/2")
    await memory.ask("Thanks!", thread="done", context=ASKING)
    await ask(memory, "of another", context=Context(user="u2", policy="ask"))
    (pending,) = await memory.pending(user="u1")
    assert pending.thread == "이사 1/2"
    assert list(pending.requests) == asked.interrupts[0]["action_requests"]
    assert pending.expires_at and (pending.expires_at - clock.now()).days == 7
    assert json.loads(json.dumps(pending.to_json()))["expires_at"] == asked.interrupts[0]["expires_at"]


async def test_a_thread_that_perdure_did_not_name_is_not_listed(memory: Memory) -> None:
    for key in (str(uuid.uuid4()), "default/u1/a/b"):
        config: Any = {"configurable": {"thread_id": key}}
        await memory.graph.ainvoke({"messages": [HumanMessage(HOME)]}, config, context=ASKING)
        assert (await memory.graph.aget_state(config)).interrupts
    assert await memory.pending(user="u1") == [] and await memory.threads(user="u1") == []


async def test_threads_tell_what_the_graph_tells_wherever_a_turn_stopped(
    memory: Memory, openai_server: ScriptedOpenAI
) -> None:
    await ask(memory, "waits")
    await memory.ask("Thanks!", user="u1", thread="done")
    openai_server.script("reply", Fail(500))
    with pytest.raises(Exception, match="resume"):
        await memory.ask(HOME, user="u1", thread="no reply")
    await memory.ask(HOME, user="u1", thread="again")
    with pytest.raises(NotInterrupted):
        await memory.resume("again", user="u1", decisions=[APPROVE])
    await ask(memory, "decided")
    await memory.resume("decided", context=ASKING, decisions=[APPROVE])
    await ask(memory, "unfit")
    await memory.resume("unfit", context=ASKING, decisions=[APPROVE, APPROVE])
    # A kill may leave any of the checkpoints as the last one.
    for step in range(-1, 5):
        await memory.ask(HOME, user="u1", thread=f"cut {step}")
        await _cut(memory, f"cut {step}", step)
    told = {thread.thread: (thread.next, thread.interrupted) for thread in await memory.threads(user="u1")}
    for name, found in told.items():
        state = await memory.graph.aget_state({"configurable": {"thread_id": f"default/u1/{name.replace(' ', '%20')}"}})
        assert found == (tuple(task.name for task in state.tasks), bool(state.interrupts)), name
    assert len(told) == 12 and len({found for found in told.values()}) == 7


async def _cut(memory: Memory, thread: str, step: int) -> None:
    async with memory.checkpoints.connection() as connection:
        await connection.execute(
            "delete from checkpoints where thread_id = %s and (metadata ->> 'step')::int > %s",
            [f"default/u1/{thread.replace(' ', '%20')}", step],
        )


async def test_a_decision_whose_checkpoint_was_lost_is_no_longer_asked_for(memory: Memory) -> None:
    await ask(memory, "t1")
    await memory.resume("t1", context=ASKING, decisions=[APPROVE])
    await _cut(memory, "t1", 3)
    assert await memory.pending(user="u1") == []
    assert (await memory.resume("t1", user="u1")).written[0]["outcome"] == "applied"
    assert await cities(memory) == ["Seoul"]


async def test_many_threads_are_decided_in_one_pass_and_a_bad_one_costs_no_other(memory: Memory) -> None:
    for number in range(12):
        await ask(memory, f"t{number}", f"City{number}", Context(user="u1", policy="ask", agent=f"a{number}"))
    await memory.ask("Thanks!", thread="done", context=ASKING)
    given: dict[str, list[dict[str, Any]]] = {f"t{number}": [APPROVE] for number in range(10)}
    given |= {"t10": [REJECT], "t11": [APPROVE, APPROVE], "done": [APPROVE], "never": [APPROVE]}
    decided = await memory.decide(given, user="u1")
    assert [one.thread for one in decided] == list(given)
    outcomes = {one.thread: one.answer and one.answer.written[0]["outcome"] for one in decided}
    assert outcomes == {f"t{number}": "applied" for number in range(10)} | {
        "t10": "dropped",
        "t11": None,
        "done": None,
        "never": None,
    }
    errors = {one.thread: type(one.error) for one in decided if one.error}
    assert errors == {"t11": InvalidInput, "done": NotInterrupted, "never": NotFound}
    assert [one.thread for one in await memory.pending(user="u1")] == ["t11"]
    assert json.loads(json.dumps([one.to_json() for one in decided]))[-1]["error"]["type"] == "NotFound"


@pytest.mark.parametrize("reviewer", ["agent", "Assistant", "coach", " COACH"])
async def test_no_agent_decides_about_its_own_writes(memory: Memory, reviewer: str) -> None:
    coach = Context(user="u1", policy="ask", agent="coach")
    await ask(memory, "t1", context=coach)
    refused = await memory.resume("t1", context=Context(user="u1", reviewer=reviewer), decisions=[APPROVE])
    assert "agent" in refused.interrupts[0]["error"]
    assert await memory.facts.statements(Scope(user="u1", agent="coach")) == []
    await memory.resume("t1", context=Context(user="u1", reviewer="Mina"), decisions=[APPROVE])
    assert [said.author for said in await memory.facts.statements(Scope(user="u1", agent="coach"))] == ["Mina"]


async def test_who_decides_is_the_author_and_what_is_said_without_asking_is_the_users(memory: Memory) -> None:
    await ask(memory, "t1")
    await memory.resume("t1", context=Context(user="u1", reviewer="김민지"), decisions=[APPROVE])
    await memory.ask("I moved to Busan.", thread="t2", context=Context(user="u1", policy="apply"))
    assert [said.author for said in await memory.facts.statements(ME)] == ["김민지", "user"]


async def test_a_pending_operation_is_in_no_read_path(memory: Memory, clock: SetClock) -> None:
    await memory.ask("I moved to Busan.", thread="t0", context=Context(user="u1", policy="apply"))
    before = clock.forward(hours=1)
    clock.forward(hours=1)
    await ask(memory, "t1", "Seoul")
    now = clock.forward(hours=1)
    assert await cities(memory) == ["Busan"]
    asked: list[dict[str, Any]] = [{}, {"as_of": now}, {"as_known_at": now}, {"as_of": before, "as_known_at": now}]
    for moments in asked:
        assert [fact.value for fact in await memory.facts.facts(ME, **moments)] == ["Busan"]
        hits = await memory.recall(HOME, user="u1", threshold=0, **moments)
        assert {hit.value for hit in hits if hit.source == "fact"} == {"Busan"}
        assert not any("Seoul" in hit.content for hit in hits)
    assert [said.value for said in await memory.facts.statements(ME)] == ["Busan"]
    assert (await memory.facts.rebuild(ME, check=True)).identical
    opening = await memory.layer.open_turn(ME, Query(HOME), at=clock.now(), language="en")
    assert not any("Seoul" in hit.content for hit in opening.hits) and [use.facts for use in opening.attributes] == [1]
    recalled = (await memory.ask("Where do I live?", user="u1", thread="t2")).recalled
    assert recalled and not any("Seoul" in hit["content"] for hit in recalled)


async def test_a_question_that_lapsed_lets_the_next_message_in_and_writes_nothing(
    memory: Memory, clock: SetClock
) -> None:
    await ask(memory, "t1")
    clock.forward(hours=A_WEEK_AND_A_BIT - 2)
    with pytest.raises(InterruptedThread):
        await memory.ask("And now?", thread="t1", context=ASKING)
    clock.forward(hours=2)
    assert await memory.pending(user="u1") == []
    (thread,) = await memory.threads(user="u1")
    assert (thread.next, thread.interrupted) == (("write",), False)
    assert (await memory.ask("Thanks!", thread="t1", context=ASKING)).text == "as scripted"
    assert await cities(memory) == []
    states = [
        state async for state in memory.graph.aget_state_history({"configurable": {"thread_id": "default/u1/t1"}})
    ]
    lapsed = [receipt for state in states for receipt in state.values.get("written", [])]
    assert lapsed and all("lapsed" in receipt["why"] for receipt in lapsed)
    assert [len(state.values["messages"]) for state in states[:1]] == [4]


@pytest.mark.parametrize("decisions", [None, [APPROVE], [{"type": "edit"}], [APPROVE, APPROVE]])
async def test_decisions_that_come_too_late_have_no_effect(memory: Memory, clock: SetClock, decisions: Any) -> None:
    await ask(memory, "t1")
    clock.forward(hours=A_WEEK_AND_A_BIT)
    late = await memory.resume("t1", context=ASKING, decisions=decisions)
    assert [receipt["outcome"] for receipt in late.written] == ["dropped"] and "lapsed" in late.written[0]["why"]
    assert late.interrupts == [] and await cities(memory) == []
    assert await memory.facts.statements(ME) == []


async def test_a_policy_of_the_turn_says_how_long_a_question_waits(memory: Memory, clock: SetClock) -> None:
    policy = json.dumps({"question_hours": 1})
    async with memory.checkpoints.connection() as connection:
        await connection.execute(
            "insert into perdure.policies values ('default', 'u1', '', 1, %s, 'Mina', now())", [policy]
        )
    await ask(memory, "t1")
    clock.forward(hours=2)
    assert await memory.pending(user="u1") == []


async def test_a_host_graph_with_the_agent_as_a_node_is_resumed_with_a_command(memory: Memory) -> None:
    host = StateGraph(InputState, Context)
    host.add_node("agent", memory.builder.compile())
    host.add_edge(START, "agent")
    host.add_edge("agent", END)
    await _check_host(memory, host.compile(checkpointer=memory.checkpointer))


async def test_a_host_graph_that_calls_the_agent_is_resumed_with_a_command(memory: Memory) -> None:
    agent = memory.builder.compile()

    async def consult(state: InputState) -> Any:
        answer = await agent.ainvoke({"messages": state["messages"]}, context=ASKING)
        return {"messages": answer["messages"][-1:]}

    host = StateGraph(InputState, Context)
    host.add_node("consult", consult)
    host.add_edge(START, "consult")
    host.add_edge("consult", END)
    await _check_host(memory, host.compile(checkpointer=memory.checkpointer))


async def test_the_graph_itself_is_resumed_with_a_command(memory: Memory) -> None:
    await _check_host(memory, memory.graph)


async def _check_host(memory: Memory, host: Any) -> None:
    config = {"configurable": {"thread_id": "host thread"}}
    asked = await host.ainvoke({"messages": [HumanMessage(HOME)]}, config, context=ASKING)
    (interrupt,) = asked["__interrupt__"]
    assert interrupt.value["action_requests"][0]["args"]["value"] == "Seoul"
    unfit = await host.ainvoke(Command(resume={"decisions": []}), config, context=ASKING)
    assert "error" in unfit["__interrupt__"][0].value and await cities(memory) == []
    edited = {"type": "edit", "edited_action": {"name": "memory_write", "args": {"value": "Incheon"}}}
    done = await host.ainvoke(Command(resume={"decisions": [edited]}), config, context=ASKING)
    assert "__interrupt__" not in done and done["messages"][-1].text == "as scripted"
    assert await cities(memory) == ["Incheon"]


async def test_a_thousand_waiting_threads_are_listed_in_one_round_trip(
    memory: Memory, scripted_settings: Settings
) -> None:
    await ask(memory, "t")
    async with memory.checkpoints.connection() as connection:
        for number in range(1_000):
            names = {"source": "default/u1/t", "target": f"default/u1/t{number}"}
            await connection.execute(statements("checkpoints")["copy_thread"], names)
    assert scripted_settings.database_url
    async with (
        proxied(scripted_settings.database_url.get_secret_value()) as proxy,
        open_pool(proxy.dsn, size=1) as pool,
    ):
        counted = replace(memory, checkpoints=pool)
        for listed in (counted.pending, counted.threads):
            before = proxy.round_trips
            assert len(await listed(user="u1")) == 1_001
            assert proxy.round_trips - before == 1

"""What is asked about waits, inert and whole, until a person decides; what a person refuses leaves no words behind."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from scripted_openai import ScriptedOpenAI

from perdure import Answer, Context, Memory, Scope, Settings, open_memory

ME = Scope(user="u1")
DIABETES = "I was diagnosed with diabetes in May."
TEA = "I love green tea."
MIXED = f"{TEA} {DIABETES}"
KOREAN = "저는 당뇨병 진단을 받았어요. 녹차를 좋아해요."


@pytest.fixture
async def memory(scripted_settings: Settings) -> AsyncIterator[Memory]:
    async with open_memory(scripted_settings) as memory:
        yield memory


def told(attribute: str, value: str, said: str, **more: Any) -> dict[str, Any]:
    return {"action": "assert", "attribute": attribute, "value": value, "content": said, "evidence": said} | more


async def tell(memory: Memory, server: ScriptedOpenAI, text: str, *found: dict[str, Any], thread: str = "t1") -> Answer:
    server.script("extract", json.dumps({"operations": found}))
    return await memory.ask(text, user="u1", thread=thread)


async def values(memory: Memory) -> set[str]:
    return {fact.value for fact in await memory.facts.facts(ME)}


def requests(answer: Answer) -> list[dict[str, Any]]:
    (interrupt,) = answer.interrupts
    found: list[dict[str, Any]] = interrupt["action_requests"]
    return found


def decision(kind: str, **args: Any) -> dict[str, Any]:
    return {"type": kind} | ({"edited_action": {"name": "memory_write", "args": args}} if args else {})


async def test_a_plain_preference_is_applied_at_once(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    answer = await tell(memory, openai_server, TEA, told("likes", "green tea", TEA))
    assert answer.interrupts == [] and await values(memory) == {"green tea"}


@pytest.mark.parametrize(
    ("text", "value", "said"), [(DIABETES, "diabetes", DIABETES), (KOREAN, "당뇨병", "저는 당뇨병 진단을 받았어요.")]
)
async def test_health_is_asked_about_and_written_when_a_person_agrees(
    memory: Memory, openai_server: ScriptedOpenAI, text: str, value: str, said: str
) -> None:
    answer = await tell(memory, openai_server, text, told("health.condition", value, said))
    (request,) = requests(answer)
    assert answer.text and "health" in request["description"] and await values(memory) == set()
    context = Context(user="u1", reviewer="mina")
    done = await memory.resume("t1", context=context, decisions=[decision("approve")])
    assert [receipt["outcome"] for receipt in done.written] == ["applied"] and await values(memory) == {value}
    (statement,) = await memory.facts.statements(ME)
    assert statement.author == "mina" and statement.evidence == said


async def test_one_batch_is_staged_before_any_side_effect(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    """Of a turn with something to ask about, nothing is written before the decision; then all of it in its order."""
    answer = await tell(
        memory, openai_server, MIXED, told("likes", "green tea", TEA), told("health.condition", "diabetes", DIABETES)
    )
    assert len(requests(answer)) == 1 and await memory.facts.statements(ME) == []
    assert await memory.recall("green tea diabetes", user="u1", threshold=0) == []
    done = await memory.resume("t1", user="u1", decisions=[decision("reject")])
    assert [receipt["outcome"] for receipt in done.written] == ["applied", "dropped"]
    assert await values(memory) == {"green tea"}


async def test_what_is_rejected_leaves_no_words_in_the_memory(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    openai_server.script("reply", "I am sorry to hear about your DIABETES; tea is fine.")
    found = (told("likes", "green tea", TEA), told("health.condition", "diabetes", DIABETES))
    await tell(memory, openai_server, MIXED, *found)
    await memory.resume("t1", user="u1", decisions=[decision("reject")])
    hits = await memory.recall("diabetes", user="u1", k=20, threshold=0)
    assert hits and not any("diabetes" in hit.content.casefold() for hit in hits)
    (exchange,) = [hit for hit in hits if hit.source == "episode"]
    assert TEA in exchange.content and "[…]" in exchange.content


async def test_retractions_are_asked_about(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    await tell(memory, openai_server, TEA, told("likes", "green tea", TEA))
    said = "It was never true that I love green tea."
    answer = await tell(
        memory,
        openai_server,
        said,
        {"action": "retract", "target": "f1", "evidence": said},
        thread="t2",
    )
    assert len(requests(answer)) == 1 and await values(memory) == {"green tea"}
    await memory.resume("t2", user="u1", decisions=[decision("approve")])
    assert await values(memory) == set()


async def test_an_edit_is_validated_like_any_operation(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    await tell(memory, openai_server, DIABETES, told("health.condition", "diabetes", DIABETES))
    refused = (
        {"value": "x\x00"},
        {"importance": 11},
        {"content": "My password is hunter2hunter2."},
        {"trust": "tool"},
        {"evidence": "something else"},
        {"approved_by": "nobody"},
        {"valid_from": "2026-05-01T00:00:00"},
        {"unknown": 1},
        {"action": "episode", "content": ""},
    )
    for args in refused:
        answer = await memory.resume("t1", user="u1", decisions=[decision("edit", **args)])
        (interrupt,) = answer.interrupts
        assert interrupt["error"] and await memory.facts.statements(ME) == [], args
    edit = decision("edit", value="type 2 diabetes", content="Has type 2 diabetes.")
    done = await memory.resume("t1", user="u1", decisions=[edit])
    assert done.written[0]["after"]["content"] == "Has type 2 diabetes." and await values(memory) == {"type 2 diabetes"}


@pytest.mark.parametrize("reviewer", ["agent", "assistant", "Coach"])
async def test_no_agent_decides_about_its_own_writes(
    memory: Memory, openai_server: ScriptedOpenAI, reviewer: str
) -> None:
    openai_server.script("extract", json.dumps({"operations": [told("health.condition", "diabetes", DIABETES)]}))
    await memory.ask(DIABETES, thread="t1", context=Context(user="u1", agent="coach"))
    context = Context(user="u1", reviewer=reviewer)
    answer = await memory.resume("t1", context=context, decisions=[decision("approve")])
    assert "agent" in answer.interrupts[0]["error"] and await memory.facts.statements(Scope("u1", agent="coach")) == []


async def test_a_form_sends_text_for_everything(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    """As Agent Chat UI does: all arguments, numbers as text, a day for a moment, and nothing where a date was."""
    openai_server.script("extract", json.dumps({"operations": [told("health.condition", "diabetes", DIABETES)]}))
    seoul = Context(user="u1", time_zone="Asia/Seoul")
    asked = await memory.ask(DIABETES, thread="t1", context=seoul)
    args = requests(asked)[0]["args"]
    form = {**{name: str(value) for name, value in args.items()}, "valid_from": "2026-05-02", "valid_to": ""}
    done = await memory.resume("t1", context=seoul, decisions=[decision("edit", **form)])
    assert [receipt["after"]["valid_from"] for receipt in done.written] == ["2026-05-01T15:00:00+00:00"]


async def test_why_decisions_were_not_taken_is_where_interfaces_show_it(
    memory: Memory, openai_server: ScriptedOpenAI
) -> None:
    await tell(memory, openai_server, DIABETES, told("health.condition", "diabetes", DIABETES))
    answer = await memory.resume("t1", user="u1", decisions=[decision("edit", importance="11")])
    assert "Not taken" in requests(answer)[0]["description"] and "importance" in requests(answer)[0]["description"]
    rejected = [{"type": "reject", "message": None}]
    assert (await memory.resume("t1", user="u1", decisions=rejected)).interrupts == []

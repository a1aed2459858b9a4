"""What people report of other memories about junk, and about memories that feed on themselves."""

from __future__ import annotations

import pytest
from scripted_openai import Request, Say, ScriptedOpenAI
from told import ME, change, current, told

from perdure import Memory

WITHOUT_A_FACT = (
    "How do I reverse a list in Python?",
    "Thanks, that worked!",
    "Can you explain the difference between TCP and UDP?",
    "파이썬에서 리스트를 어떻게 뒤집어?",
    "고마워, 잘 됐어!",
    "TCP하고 UDP 차이를 설명해 줄래?",
)


@pytest.mark.parametrize("said", WITHOUT_A_FACT)
async def test_extract_junk_from_a_message_without_a_fact(memory: Memory, said: str) -> None:
    """FC48"""
    answer = await memory.ask(said, user="me", thread="t")
    assert answer.written == []
    assert await memory.facts.facts(ME, history=True) == []


@pytest.mark.parametrize(
    "said", ["I had a strange day, and the build is green again.", "오늘 좀 이상했는데 빌드는 다시 초록색이야."]
)
async def test_extract_junk_of_a_model_that_stores_its_own_instructions(
    modelled: Memory, openai_server: ScriptedOpenAI, said: str
) -> None:
    """FC48: the first line of the system prompt, once as its own evidence and once with the user's words as evidence."""

    def parrot(request: Request) -> Say:
        line = request.body["messages"][0]["content"].strip().splitlines()[0]
        return Say(
            told(change(line), {**change(line, "reply.style", line), "evidence": {"source": "user", "quote": said}})
        )

    openai_server.always("extract", parrot)
    await modelled.ask(said, user="me", thread="t")
    prompt = openai_server.asked("extract")[0].body["messages"][0]["content"]
    for fact in await modelled.facts.facts(ME, history=True):
        assert fact.content not in prompt and (not fact.value or fact.value not in prompt)


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [("I play the cello.", "hobby", "cello"), ("나는 첼로를 연주해.", "hobby", "첼로")],
)
async def test_extract_feedback_loop_of_fifty_turns_by_the_rules(
    memory: Memory, said: str, attribute: str, value: str
) -> None:
    """FC49"""
    for _ in range(50):
        await memory.ask(said, user="me", thread="t")
    assert await current(memory, attribute) == [value]
    assert len(await memory.facts.facts(ME, history=True)) == 1


@pytest.mark.parametrize(
    ("said", "value", "idle"),
    [
        ("I play the cello.", "cello", "What should I practise today, do you think?"),
        ("나는 첼로를 연주해.", "첼로", "오늘은 뭘 연습하면 좋을까?"),
    ],
)
async def test_extract_feedback_loop_of_a_model_that_repeats_what_was_recalled(
    modelled: Memory, openai_server: ScriptedOpenAI, said: str, value: str, idle: str
) -> None:
    """FC49: each later answer claims the recalled fact again, once under its name and once as a profile of its own."""
    invented = change(said, "work.role", "musician" if value == "cello" else "음악가")
    openai_server.script("extract", told(change(said, "hobby", value, cardinality="many")))
    await modelled.ask(said, user="me", thread="t")
    openai_server.always("extract", Say(told(change(said, "hobby", value, cardinality="many"), invented)))
    for _ in range(50):
        await modelled.ask(idle, user="me", thread="t")
    (fact,) = await modelled.facts.facts(ME, history=True)
    assert (fact.value, fact.corroboration) == (value, 1)

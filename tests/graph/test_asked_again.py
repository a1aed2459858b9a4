"""A question that was asked before is no memory of what it asks about, however often it was asked."""

from __future__ import annotations

import pytest
from scripted_openai import ScriptedOpenAI

from perdure import Memory

BOOKING = ("예매 번호는 AB-1029-KR 이야.", "예매 번호가 뭐였지?")


async def test_what_answers_a_question_is_found_however_often_it_was_asked(memory: Memory) -> None:
    told, question = BOOKING
    await memory.ask(told, thread="told", user="u1")
    replies = {(await memory.ask(question, thread=f"asked {n}", user="u1")).text for n in range(6)}
    assert len(replies) == 1 and "AB-1029-KR" in replies.pop()
    assert [hit.thread for hit in await memory.recall(question, user="u1")] == ["told"]


@pytest.mark.parametrize("question", ["What is my blood type?", "내 혈액형이 뭐야?"])
async def test_what_nobody_can_answer_is_not_found_when_it_is_asked_again(memory: Memory, question: str) -> None:
    for thread in ("once", "twice"):
        assert (await memory.ask(question, thread=thread, user="u1")).recalled == []
    assert await memory.recall(question, user="u1") == []


async def test_conversations_have_what_was_asked(memory: Memory) -> None:
    _, question = BOOKING
    await memory.ask(question, thread="asked", user="u1")
    for query in (question, ""):
        assert [hit.thread for hit in await memory.conversations(query, user="u1")] == ["asked"]


async def test_what_a_chat_model_answers_is_found(modelled: Memory, openai_server: ScriptedOpenAI) -> None:
    openai_server.script("reply", "A GIN index.")
    await modelled.ask("Which index do you recommend?", thread="asked", user="u1")
    found = await modelled.recall("Which index did you recommend?", user="u1")
    assert [hit.thread for hit in found] == ["asked"]

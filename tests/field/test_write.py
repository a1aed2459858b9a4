"""What people report of other memories about writes that get lost."""

from __future__ import annotations

import pytest
from scripted_openai import ScriptedOpenAI
from told import ME, change, told

from perdure import Memory

NAMED = [
    ("My name is Ines and my favourite food is ramen.", ("Ines", "ramen")),
    ("내 이름은 인혜고 제일 좋아하는 음식은 라면이야.", ("인혜", "라면")),
]


@pytest.mark.parametrize(("said", "values"), NAMED)
async def test_write_lost_first_message_stores_both_of_its_facts(
    memory: Memory, said: str, values: tuple[str, str]
) -> None:
    """FC13"""
    answer = await memory.ask(said, user="me", thread="t")
    assert [receipt["outcome"] for receipt in answer.written] == ["applied", "applied"]
    assert {fact.value for fact in await memory.facts.facts(ME)} == set(values)


@pytest.mark.parametrize(("said", "values"), NAMED)
async def test_write_lost_first_message_of_a_model_that_takes_news_for_known(
    modelled: Memory, openai_server: ScriptedOpenAI, said: str, values: tuple[str, str]
) -> None:
    """FC13: the model answers that both are confirmed, although the store is empty."""
    name, food = values
    openai_server.script(
        "extract",
        told(
            change(said, "name", name, action="confirm"),
            change(said, "food.favorite", food, action="confirm"),
        ),
    )
    await modelled.ask(said, user="me", thread="t")
    assert {fact.value for fact in await modelled.facts.facts(ME)} == set(values)


@pytest.mark.parametrize(
    "notes",
    [
        (
            "I play the cello.",
            "My cat is called Miso.",
            "I work at Acme.",
            "I'm allergic to peanuts.",
            "I live in Leeds.",
        ),
        (
            "나는 첼로를 연주해.",
            "우리 고양이 이름은 미소야.",
            "나는 애크미에서 일해.",
            "나는 땅콩 알레르기가 있어.",
            "나는 대전에 살아.",
        ),
    ],
)
async def test_write_lost_notes_are_stored_one_by_one_or_reported(memory: Memory, notes: tuple[str, ...]) -> None:
    """FC14: by hand each note is stored; told in a talk, each is stored, or its turn reports that nothing was."""
    for number, note in enumerate(notes, 1):
        receipt = await memory.remember(note, user="by hand")
        assert receipt.outcome == "applied"
        hits = await memory.recall(note, user="by hand", k=100, threshold=0)
        assert len(hits) == number and hits[0].content == note
    reported = 0
    for note in notes:
        answer = await memory.ask(note, user="me", thread="t")
        reported += len([receipt for receipt in answer.written if receipt["outcome"] == "applied"])
        asked = [request for interrupt in answer.interrupts for request in interrupt["action_requests"]]
        if asked:
            answer = await memory.resume("t", user="me", decisions=[{"type": "approve"}] * len(asked))
            reported += len(answer.written)
    assert len(await memory.facts.facts(ME)) == reported == len(notes)

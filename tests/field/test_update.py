"""What people report of other memories when something changes: contradictions kept side by side, or lost with the old."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from clock import SetClock
from scripted_openai import ScriptedOpenAI
from told import ME, change, current, history, told

from perdure import Memory

JANUARY, JUNE = datetime(2026, 1, 10, 9, tzinfo=UTC), datetime(2026, 6, 20, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("likes", "dislikes", "value"),
    [
        ("I really enjoy durian.", "I cannot stand durian any more.", "durian"),
        ("나는 두리안을 정말 좋아해.", "나는 이제 두리안을 싫어해.", "두리안"),
    ],
)
async def test_update_contradiction_leaves_the_new_taste_and_history(
    memory: Memory, clock: SetClock, likes: str, dislikes: str, value: str
) -> None:
    """FC01"""
    await memory.ask(likes, user="me", thread="t1")
    changed_at = clock.forward(days=30)
    await memory.ask(dislikes, user="me", thread="t2")
    (fact,) = await memory.facts.facts(ME)
    assert (fact.attribute, fact.value) == ("dislikes", value)
    assert await history(memory, "likes") == [(value, changed_at)]
    hits = [hit for hit in await memory.recall(value, user="me") if hit.source == "fact"]
    assert [(hit.attribute, hit.past) for hit in hits] == [("dislikes", False)]


@pytest.mark.parametrize(
    ("likes", "dislikes", "value"),
    [
        ("Durian? I really enjoy it.", "Durian, no: I cannot stand it any more.", "durian"),
        ("두리안? 정말 좋아하지.", "두리안은 이제 질색이야.", "두리안"),
    ],
)
async def test_update_contradiction_that_a_model_only_asserts(
    modelled: Memory, clock: SetClock, openai_server: ScriptedOpenAI, likes: str, dislikes: str, value: str
) -> None:
    """FC01: the model names neither the old fact nor its end."""
    for said, attribute in ((likes, "likes"), (dislikes, "dislikes")):
        openai_server.script("extract", told(change(said, attribute, value, cardinality="many")))
        await modelled.ask(said, user="me", thread="t", sent_at=clock.forward(days=30))
    (fact,) = await modelled.facts.facts(ME)
    assert (fact.attribute, fact.value) == ("dislikes", value)
    assert await history(modelled, "likes") == [(value, clock.now())]


@pytest.mark.parametrize(
    ("before", "after", "question"),
    [
        (
            ("I am a vegetarian.", "vegetarian"),
            ("Had a great rib-eye last night, meat is back on my menu.", "meat is back on my menu"),
            "what can I cook for this user?",
        ),
        (
            ("나는 채식주의자야.", "채식주의자"),
            ("어젯밤에 꽃등심을 먹었는데, 이제 고기도 다시 먹어.", "고기도 다시 먹어"),
            "이 사용자에게 무슨 요리를 해 줄까?",
        ),
    ],
)
async def test_update_implicit_supersedes_what_the_new_state_excludes(
    modelled: Memory,
    openai_server: ScriptedOpenAI,
    before: tuple[str, str],
    after: tuple[str, str],
    question: str,
) -> None:
    """FC03"""
    for (said, value), at in ((before, JANUARY), (after, JUNE)):
        openai_server.script("extract", told(change(said, "food.diet", value)))
        await modelled.ask(said, user="me", thread=f"{at:%B}", sent_at=at)
    assert await history(modelled, "food.diet") == [(before[1], JUNE), (after[1], None)]
    hits = [hit for hit in await modelled.recall(question, user="me") if hit.source == "fact"]
    assert [(hit.value, hit.past) for hit in hits] == [(after[1], False)]
    then = [hit for hit in await modelled.recall(question, user="me", as_of=JANUARY) if hit.source == "fact"]
    assert [(hit.value, hit.past, hit.valid_to) for hit in then] == [(before[1], True, JUNE)]


@pytest.mark.parametrize(
    ("sentences", "values"),
    [
        (("My desk is on floor 3.", "My desk is on floor 5."), ("floor 3", "floor 5")),
        (("내 자리는 3층이야.", "내 자리는 5층이야."), ("3층", "5층")),
    ],
)
async def test_update_contradiction_of_one_digit_is_a_change_and_no_merge(
    modelled: Memory,
    clock: SetClock,
    openai_server: ScriptedOpenAI,
    sentences: tuple[str, str],
    values: tuple[str, str],
) -> None:
    """FC04"""
    for said, value in zip(sentences, values, strict=True):
        openai_server.script("extract", told(change(said, "desk.place", value)))
        await modelled.ask(said, user="me", thread="t", sent_at=clock.forward(days=1))
    (fact,) = await modelled.facts.facts(ME)
    assert (fact.value, fact.content) == (values[1], sentences[1])
    assert await history(modelled, "desk.place") == [(values[0], clock.now()), (values[1], None)]


async def test_update_correct_api_replaces_the_text_and_keeps_the_audit_trail(memory: Memory, clock: SetClock) -> None:
    """FC06"""
    await memory.remember("stack: FastAPI + PostgreSQL", attribute="stack", value="FastAPI + PostgreSQL", user="me")
    believed_then = clock.now()
    clock.forward(days=1)
    await memory.correct("stack", "stack: FastAPI + MySQL", value="FastAPI + MySQL", user="me")
    assert [hit.content for hit in await memory.recall("stack", user="me")] == ["stack: FastAPI + MySQL"]
    assert await history(memory, "stack") == [("FastAPI + MySQL", None)]
    trail = await memory.recall("stack", user="me", as_known_at=believed_then)
    assert [hit.content for hit in trail] == ["stack: FastAPI + PostgreSQL"]


@pytest.mark.parametrize(
    ("attribute", "sentences", "values"),
    [
        (
            "project.assignment",
            ("K works on project Alpha.", "K was moved from project Alpha to project Beta."),
            ("Alpha", "Beta"),
        ),
        (
            "project.assignment",
            ("K는 알파 프로젝트를 해.", "K는 알파 프로젝트에서 베타 프로젝트로 옮겼어."),
            ("알파", "베타"),
        ),
        ("home.city", ("K lives in Alba.", "K moved from Alba to Bern."), ("Alba", "Bern")),
        ("work.employer", ("K works at Alcor.", "K left Alcor for Belden."), ("Alcor", "Belden")),
    ],
)
async def test_update_invalidation_is_the_same_for_every_single_valued_relation(
    modelled: Memory,
    clock: SetClock,
    openai_server: ScriptedOpenAI,
    attribute: str,
    sentences: tuple[str, str],
    values: tuple[str, str],
) -> None:
    """FC08"""
    for said, value in zip(sentences, values, strict=True):
        openai_server.script("extract", told(change(said, attribute, value, subject="K")))
        await modelled.ask(said, user="me", thread="t", sent_at=clock.forward(days=7))
    assert await history(modelled, attribute) == [(values[0], clock.now()), (values[1], None)]
    assert await current(modelled) == [values[1]]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            ("I am head of finance at Acme.", "work.role", "head of finance"),
            ("I also administer Acme's code hosting account.", "work.duty", "code hosting account"),
        ),
        (
            ("나는 애크미의 재무 책임자야.", "work.role", "재무 책임자"),
            ("나는 애크미의 코드 저장소 계정도 관리해.", "work.duty", "코드 저장소 계정"),
        ),
    ],
)
async def test_update_over_invalidation_even_by_a_model_that_names_the_old_fact(
    modelled: Memory,
    openai_server: ScriptedOpenAI,
    first: tuple[str, str, str],
    second: tuple[str, str, str],
) -> None:
    """FC09: the second answer claims that it supersedes the first fact, which nothing contradicts."""
    openai_server.script("extract", told(change(*first)), told(change(*second, target="f1", cardinality="many")))
    for said, *_ in (first, second):
        await modelled.ask(said, user="me", thread="t")
    assert await history(modelled, first[1]) == [(first[2], None)]
    assert await current(modelled, second[1]) == [second[2]]

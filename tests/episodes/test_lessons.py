"""Lessons: what tasks that went alike have taught, with where it comes from, and only as long as that stands."""

from __future__ import annotations

import json
import random

import pytest
from clock import SetClock
from hypothesis import given
from hypothesis import strategies as st
from scripted_openai import Fail, Say, ScriptedOpenAI

from perdure import Context, Episode, Memory
from perdure.context_block import build_context
from perdure.lesson import STALE, SUPERSEDED
from perdure.models.numbers import counts_in
from perdure.task_groups import task_groups

DEPLOY = "Deploy the billing service to production"
TRIES = (("all at once", "an outage", 0.1), ("one region at a time", "no downtime", 0.9), ("blue-green", "fine", 1.0))


async def tried(memory: Memory, task: str = DEPLOY, user: str = "u1") -> list[Episode]:
    return [
        await memory.episodes.log(task, approach, outcome, quality=quality, user=user)
        for approach, outcome, quality in TRIES
    ]


async def test_three_tasks_that_are_alike_are_a_lesson_with_its_sources(memory: Memory) -> None:
    tasks = await tried(memory)
    await memory.episodes.log("Bake a sourdough bread", "long proof", "good crust", user="u1")
    assert (await memory.lessons.distil(user="u1")).lessons == 1
    (lesson,) = await memory.lessons.latest(user="u1")
    assert set(lesson.details["sources"]) == {str(task.id) for task in tasks}
    assert (lesson.details["successes"], lesson.details["failures"]) == (2, 1)
    about, works, fails, sources = lesson.content.splitlines()
    assert about == f"Tasks like “{DEPLOY}”: 3 tried, 2 went well, 1 went badly."
    assert "one region at a time → no downtime" in works and "blue-green → fine" in works
    assert fails == "What does not work: all at once → an outage."
    assert all(str(task.id)[:8] in sources for task in tasks)


async def test_two_tasks_teach_nothing_and_nothing_new_is_not_taught_again(memory: Memory) -> None:
    for approach, outcome, _ in TRIES[:2]:
        await memory.episodes.log(DEPLOY, approach, outcome, user="u1")
    assert (await memory.lessons.distil(user="u1")).lessons == 0
    await memory.episodes.log(DEPLOY, "blue-green", "fine", user="u1")
    assert [(await memory.lessons.distil(user="u1")).lessons for _ in range(2)] == [1, 0]


async def test_a_new_source_supersedes_the_lesson_from_the_old_ones(memory: Memory, clock: SetClock) -> None:
    await tried(memory)
    await memory.lessons.distil(user="u1")
    (old,) = await memory.lessons.latest(user="u1")
    clock.forward(days=1)
    await memory.episodes.log(DEPLOY, "canary", "found a bug early", quality=1, user="u1")
    await memory.lessons.distil(user="u1")
    (new,) = await memory.lessons.latest(user="u1")
    assert set(new.details["sources"]) > set(old.details["sources"]) and len(new.details["sources"]) == 4
    gone = await memory.episode_store.find(Context(user="u1").scope, str(old.id))
    assert (gone.valid_to, gone.invalidated_because) == (clock.now(), SUPERSEDED)


async def test_a_lesson_goes_with_a_source_that_proved_wrong_and_is_drawn_from_the_rest(memory: Memory) -> None:
    first, *_ = await tried(memory)
    await memory.lessons.distil(user="u1")
    (old,) = await memory.lessons.latest(user="u1")
    await memory.episodes.invalidate(str(first.id), because="it was another service", user="u1")
    assert await memory.lessons.latest(user="u1") == []
    gone = await memory.episode_store.find(Context(user="u1").scope, str(old.id))
    assert gone.invalidated_because == STALE
    assert (await memory.lessons.distil(user="u1")).lessons == 0
    await memory.episodes.log(DEPLOY, "canary", "found a bug early", quality=1, user="u1")
    assert (await memory.lessons.distil(user="u1")).lessons == 1
    (again,) = await memory.lessons.latest(user="u1")
    assert str(first.id) not in again.details["sources"] and again.details["failures"] == 0


async def test_the_lesson_from_fewer_is_drawn_again_when_the_one_from_more_went_stale(memory: Memory) -> None:
    await tried(memory)
    await memory.lessons.distil(user="u1")
    more = await memory.episodes.log(DEPLOY, "canary", "found a bug early", quality=1, user="u1")
    await memory.lessons.distil(user="u1")
    await memory.episodes.invalidate(str(more.id), because="it was another service", user="u1")
    assert (await memory.lessons.distil(user="u1")).lessons == 1
    (lesson,) = await memory.lessons.latest(user="u1")
    assert len(lesson.details["sources"]) == 3


async def test_a_lesson_that_a_person_takes_back_is_not_drawn_again_from_the_same(memory: Memory) -> None:
    await tried(memory)
    await memory.lessons.distil(user="u1")
    (lesson,) = await memory.lessons.latest(user="u1")
    await memory.episodes.invalidate(str(lesson.id), because="it does not follow", user="u1")
    assert (await memory.lessons.distil(user="u1")).lessons == 0
    await memory.episodes.log(DEPLOY, "canary", "found a bug early", quality=1, user="u1")
    assert (await memory.lessons.distil(user="u1")).lessons == 1


async def test_users_learn_from_their_own_tasks_in_batches(memory: Memory) -> None:
    for user in ("u1", "u2"):
        await tried(memory, user=user)
    await memory.episodes.log(DEPLOY, "blue-green", "fine", user="u3")
    told: list[Episode] = []
    report = await memory.lessons.distil_all(limit=1, tell=told.append)
    assert (report.lessons, report.learners) == (1, 1)
    assert (await memory.lessons.distil_all(tell=told.append)).lessons == 1
    own = {str(task.id) for task in await memory.episodes.latest(user="u2")}
    assert set(told[1].details["sources"]) == own and await memory.lessons.latest(user="u3") == []


async def test_a_lesson_is_told_in_its_own_section_of_a_prompt(memory: Memory) -> None:
    await tried(memory, "결제 서비스를 운영 환경에 배포")
    await memory.lessons.distil(user="u1")
    found = await memory.recall("결제 서비스를 배포하려면?", user="u1")
    block = memory.layer.build_context(found, language="ko", budget_tokens=2_000)
    headings = [line for line in block.text.splitlines() if not line.startswith("- ")]
    assert headings == ["이전 작업에서 얻은 교훈:", "비슷한 작업의 사례(방법 → 결과):"]
    assert "3번 시도, 2번 성공, 1번 실패" in block.text.splitlines()[1]
    assert build_context((), language="ko", at=memory.layer.clock.now(), budget_tokens=9).ids == ()


async def test_a_model_words_the_lesson_and_the_counts_are_ours(
    modelled: Memory, openai_server: ScriptedOpenAI
) -> None:
    await tried(modelled)
    openai_server.script("extract", json.dumps({"works": "Go region by region.", "fails": "Everything at once."}))
    report = await modelled.lessons.distil(user="u1")
    (lesson,) = await modelled.lessons.latest(user="u1")
    assert lesson.content.splitlines()[:3] == [
        f"Tasks like “{DEPLOY}”: 3 tried, 2 went well, 1 went badly.",
        "What works: Go region by region.",
        "What does not work: Everything at once.",
    ]
    assert report.usage[0].input_tokens > 0 and lesson.details["by"] == modelled.settings.reply_model


@pytest.mark.parametrize(
    "answer",
    [
        Say('{"works": "It worked 17 times.", "fails": ""}'),
        Say('{"works": "Region by region went well twice.", "fails": ""}'),
        Say('{"works": "한 지역씩 하니 세 번 잘되었다.", "fails": ""}'),
        Say('{"works": "", "fails": ""}'),
        Say("no idea"),
        Fail(500),
    ],
)
async def test_what_the_tasks_do_not_bear_out_is_told_by_rules(
    modelled: Memory, openai_server: ScriptedOpenAI, answer: Say | Fail
) -> None:
    await tried(modelled)
    openai_server.script("extract", answer)
    await modelled.lessons.distil(user="u1")
    (lesson,) = await modelled.lessons.latest(user="u1")
    assert lesson.details["by"] == "rules" and "one region at a time → no downtime" in lesson.content


async def test_nothing_works_where_all_went_badly(modelled: Memory, openai_server: ScriptedOpenAI) -> None:
    for approach in ("all at once", "at night", "by hand"):
        await modelled.episodes.log(DEPLOY, approach, "an outage", quality=0, user="u1")
    openai_server.script("extract", json.dumps({"works": "Do it by hand.", "fails": "Everything at once."}))
    await modelled.lessons.distil(user="u1")
    (lesson,) = await modelled.lessons.latest(user="u1")
    assert "by hand" not in lesson.content and "Everything at once." in lesson.content


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("It went well twice, 3 of 4 tries", {"twice", "3 of 4"}),
        ("세 번 실패했고 80%가 그랬다", {"세 번", "80%"}),
        ("Use one region at a time, and two replicas", set()),
        ("한 지역씩 하고 두 사람이 확인", set()),
    ],
)
def test_counts_are_told_from_other_numbers(text: str, counted: set[str]) -> None:
    assert counts_in(text) == counted


def _unit(numbers: list[float]) -> list[float]:
    length = sum(number * number for number in numbers) ** 0.5
    return [number / length for number in numbers]


_ANY_VECTORS = st.lists(
    st.integers(0, 10_000).map(lambda seed: _unit([random.Random(seed).gauss(0.4, 1) for _ in range(4)])),
    max_size=12,
    unique_by=tuple,
)


@given(_ANY_VECTORS, st.randoms())
def test_what_belongs_together_does_not_depend_on_the_order(vectors: list[list[float]], chance: random.Random) -> None:
    groups = task_groups(vectors, 0.5)
    assert sorted(position for group in groups for position in group) == list(range(len(vectors)))
    order = list(range(len(vectors)))
    chance.shuffle(order)
    again = task_groups([vectors[position] for position in order], 0.5)
    assert {frozenset(order[position] for position in group) for group in again} == set(map(frozenset, groups))

"""What a failing model left is extracted later: with its own dates, in order, once, and under the same rules."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from clock import SetClock
from langgraph.types import Command
from openai_script import Answer, Request
from scripted_openai import Fail, Hang, Say, ScriptedOpenAI

from perdure import Context, Memory, Scope, Settings, open_memory
from perdure.backfill import FAILURES_IN_A_ROW, BackfillReport, MadeUp, exchange_texts
from perdure.episodes import Episode
from perdure.errors import InvalidInput

CITIES = ("Busan", "Daegu", "Incheon", "Suwon", "Seoul")
ME = Scope(user="u1")
MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


def extraction(request: Request) -> Answer:
    """The city that the user says to have moved to."""
    said = asked_about(request)
    operation = {
        "action": "assert",
        "attribute": "home.city",
        "value": said.removeprefix("I moved to ").removesuffix("."),
        "content": said,
        "evidence": said,
    }
    return Say(json.dumps({"operations": [operation]}))


def asked_about(request: Request) -> str:
    return str(json.loads(request.body["messages"][1]["content"])["user_said"])


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def memory(scripted_settings: Settings, openai_server: ScriptedOpenAI, clock: SetClock) -> AsyncIterator[Memory]:
    """The model was down for five turns, and is up again."""
    async with open_memory(scripted_settings, clock=clock) as memory:
        openai_server.always("extract", Fail(500))
        for number, city in enumerate(CITIES):
            await move(memory, city, MONDAY + timedelta(weeks=number), thread=f"t{number % 2}")
        openai_server.always("extract", extraction)
        openai_server.requests.clear()
        yield memory


async def move(
    memory: Memory, city: str, at: datetime | None = None, thread: str = "t", context: Context | None = None
) -> None:
    await memory.ask(f"I moved to {city}.", thread=thread, sent_at=at, context=context or Context(user="u1"))


async def homes(memory: Memory, scope: Scope = ME) -> list[tuple[str, datetime]]:
    return [(fact.value, fact.valid_from) for fact in await memory.facts.facts(scope, history=True)]


EVERY_HOME = [(city, MONDAY + timedelta(weeks=number)) for number, city in enumerate(CITIES)]


async def test_facts_are_written_in_order_with_the_dates_of_their_messages(memory: Memory) -> None:
    told: list[MadeUp] = []
    assert await memory.backfill(user="u1", tell=told.append) == BackfillReport(5, 0, 0, 0)
    assert await homes(memory) == EVERY_HOME
    assert [one.written[0]["after"]["value"] for one in told] == list(CITIES)
    assert [one.thread for one in told] == ["t0", "t1", "t0", "t1", "t0"]
    said = await memory.facts.statements(ME)
    assert [(one.thread, one.message) for one in said] == [(one.thread, one.message) for one in told]
    assert sorted(thread.thread for thread in await memory.threads(user="u1")) == ["t0", "t1"]


async def test_a_second_run_does_nothing_and_asks_no_model(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    await memory.backfill(user="u1")
    statements, asked = await memory.facts.statements(ME), len(openai_server.requests)
    assert await memory.backfill(user="u1") == BackfillReport(0, 0, 0, 0)
    assert (await memory.facts.statements(ME), len(openai_server.requests)) == (statements, asked)


async def test_the_exchange_stays_one_and_is_flagged_no_longer(memory: Memory) -> None:
    before = await memory.recall("I moved to Busan.", user="u1", k=50, threshold=0)
    kept = [hit for hit in before if hit.source == "episode"]
    assert not any([(await memory.episode_store.get(ME, hit.id)).extracted for hit in kept]) and len(kept) == 5
    await memory.backfill(user="u1")
    after = [
        hit for hit in await memory.recall("I moved to Busan.", user="u1", k=50, threshold=0) if hit.source == "episode"
    ]
    assert {(hit.id, hit.content, hit.valid_from) for hit in after} == {
        (hit.id, hit.content, hit.valid_from) for hit in kept
    }
    assert all([(await memory.episode_store.get(ME, hit.id)).extracted for hit in after])


async def test_relative_dates_are_those_of_the_message(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    await memory.backfill(user="u1", limit=1)
    (request,) = openai_server.asked("extract")
    assert json.loads(request.body["messages"][1]["content"])["said_at"].startswith("2026-03-02T09:00:00")


async def test_a_limit_leaves_the_rest_for_the_next_run(memory: Memory) -> None:
    assert await memory.backfill(user="u1", limit=2) == BackfillReport(2, 0, 0, 3)
    assert await homes(memory) == EVERY_HOME[:2]
    assert await memory.backfill(user="u1", limit=3) == BackfillReport(3, 0, 0, 0)
    assert await homes(memory) == EVERY_HOME


async def test_one_that_fails_keeps_its_flag_and_costs_no_other(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    def all_but_suwon(request: Request) -> Answer:
        return Say("no idea") if "Suwon" in asked_about(request) else extraction(request)

    openai_server.always("extract", all_but_suwon)
    told: list[MadeUp] = []
    assert await memory.backfill(user="u1", tell=told.append) == BackfillReport(4, 0, 1, 1)
    assert [one.outcome for one in told] == ["written"] * 3 + ["failed", "written"]
    assert [home for home, _ in await homes(memory)] == ["Busan", "Daegu", "Incheon", "Seoul"]
    openai_server.always("extract", extraction)
    assert await memory.backfill(user="u1") == BackfillReport(1, 0, 0, 0)
    assert await homes(memory) == EVERY_HOME


async def test_a_model_that_is_still_down_is_not_asked_for_all(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    openai_server.always("extract", Fail(500))
    assert await memory.backfill(user="u1") == BackfillReport(0, 0, FAILURES_IN_A_ROW, 5)
    assert len({asked_about(request) for request in openai_server.asked("extract")}) == FAILURES_IN_A_ROW
    openai_server.always("embed", Fail(500))
    assert (await memory.backfill(user="u1")).left == 5
    assert await memory.facts.statements(ME) == []
    assert sorted(thread.thread for thread in await memory.threads(user="u1")) == ["t0", "t1"]


async def test_a_backfill_that_is_killed_goes_on_where_it_was(
    scripted_settings: Settings, memory: Memory, clock: SetClock, openai_server: ScriptedOpenAI
) -> None:
    openai_server.always(
        "extract", lambda request: Hang() if "Incheon" in asked_about(request) else extraction(request)
    )

    async def make_up() -> None:
        async with open_memory(scripted_settings, clock=clock) as other:
            await other.backfill(user="u1")

    running = asyncio.create_task(make_up())
    while not any("Incheon" in asked_about(request) for request in openai_server.asked("extract")):  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    running.cancel()
    await asyncio.wait([running])
    assert await homes(memory) == EVERY_HOME[:2]
    openai_server.always("extract", extraction)
    openai_server.requests.clear()
    assert await memory.backfill(user="u1") == BackfillReport(3, 0, 0, 0)
    assert await homes(memory) == EVERY_HOME
    assert [asked_about(request)[11:-1] for request in openai_server.asked("extract")] == list(CITIES[2:])


async def test_what_needs_a_person_waits_as_in_any_other_turn(memory: Memory, clock: SetClock) -> None:
    asking = Context(user="u1", policy="ask")
    assert await memory.backfill(context=asking, limit=2) == BackfillReport(0, 2, 0, 5)
    assert await memory.facts.statements(ME) == []
    assert await memory.backfill(context=asking) == BackfillReport(0, 5, 0, 5)
    pending = await memory.pending(user="u1")
    assert len(pending) == 5
    decided = await memory.decide({one.thread: [{"type": "approve"}] for one in pending[1:]}, user="u1")
    assert not any(one.error for one in decided)
    assert len(await homes(memory)) == 4 and await memory.episode_store.count_unextracted(ME) == 1
    assert {thread.thread for thread in await memory.threads(user="u1")} == {"t0", "t1", pending[0].thread}
    clock.forward(days=8)
    assert await memory.backfill(context=asking) == BackfillReport(1, 0, 0, 0)
    assert len(await homes(memory)) == 4 and len(await memory.threads(user="u1")) == 2


async def test_the_scopes_policy_rules_a_backfill_too(memory: Memory) -> None:
    async with memory.checkpoints.connection() as connection:
        rule = {"verdict": "drop", "why": "no homes", "attributes": ["home.city"]}
        policy = json.dumps({"rules": [rule]})
        await connection.execute(
            "insert into perdure.policies values ('default', 'u1', '', 1, %s, 'M', now())", [policy]
        )
    told: list[MadeUp] = []
    assert await memory.backfill(user="u1", tell=told.append) == BackfillReport(5, 0, 0, 0)
    assert {one.written[0]["why"] for one in told} == {"no homes"} and await homes(memory) == []


async def test_words_that_a_person_rejects_are_kept_no_longer(memory: Memory) -> None:
    assert any("Busan" in hit.content for hit in await memory.recall("Busan", user="u1", k=50, threshold=0))
    await memory.backfill(context=Context(user="u1", policy="ask"), limit=1)
    (waiting,) = await memory.pending(user="u1")
    await memory.resume(waiting.thread, user="u1", decisions=[{"type": "reject"}])
    hits = await memory.recall("Busan", user="u1", k=50, threshold=0)
    assert len(hits) == 5 and not any("Busan" in hit.content for hit in hits)


async def test_memories_go_to_the_agent_whose_turn_it_was(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    openai_server.script("extract", Fail(500), Fail(500))
    await move(memory, "Jeju", context=Context(user="u1", agent="coach"))
    await memory.backfill(user="u1")
    assert (
        "Jeju" in dict(await homes(memory)),
        "Jeju" in dict(await homes(memory, Scope(user="u1", agent="coach"))),
    ) == (
        False,
        True,
    )


async def test_what_a_killed_process_did_not_come_to_delete_is_deleted(memory: Memory) -> None:
    """Of a turn that is written, all checkpoints or all but the last may be left."""
    asking = Context(user="u1", policy="ask")
    await memory.backfill(context=asking, limit=2)
    for one, lost in zip(await memory.pending(user="u1"), (True, False), strict=True):
        key = f"default/u1/{one.thread}"
        await memory.turns.run(key, Command(resume={"decisions": [{"type": "approve"}]}), asking)
        if lost:
            async with memory.checkpoints.connection() as connection:
                await connection.execute(
                    "delete from checkpoints where thread_id = %(thread)s and checkpoint_id ="
                    " (select max(checkpoint_id) from checkpoints where thread_id = %(thread)s)",
                    {"thread": key},
                )
    assert len(await memory.threads(user="u1")) == 4
    assert await memory.backfill(user="u1") == BackfillReport(3, 0, 0, 0)
    assert len(await memory.facts.statements(ME)) == 5 and len(await memory.threads(user="u1")) == 2


async def test_the_extractor_sees_what_it_would_have_seen_in_the_turn(
    memory: Memory, openai_server: ScriptedOpenAI
) -> None:
    """Also what is not about the message: a statement may change it all the same."""
    await memory.remember("Tea is what I like.", attribute="likes", value="tea", user="u1")
    await move(memory, "Jeju")
    await memory.backfill(limit=1, user="u1")
    in_turn, later = (request.body["messages"][1]["content"] for request in openai_server.asked("extract"))
    assert "Tea is what I like." in in_turn and "Tea is what I like." in later


async def test_two_at_once_do_the_work_of_one(
    scripted_settings: Settings, memory: Memory, openai_server: ScriptedOpenAI
) -> None:
    async with open_memory(scripted_settings) as other:
        reports = await asyncio.gather(*(each.backfill(user="u1") for each in (memory, other, memory)))
    assert sorted(report.written for report in reports) == [0, 0, 5]
    assert await homes(memory) == EVERY_HOME and len(openai_server.asked("extract")) == 5


async def test_a_backfill_that_would_drop_everything_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="drop"):
        await memory.backfill(context=Context(user="u1", policy="drop"))


async def test_an_exchange_of_an_older_release_is_taken_up_as_one_of_today(memory: Memory) -> None:
    async with memory.checkpoints.connection() as connection:
        await connection.execute("update perdure.episodes set details = '{}'")
    assert await memory.backfill(user="u1") == BackfillReport(5, 0, 0, 0)
    assert await homes(memory) == EVERY_HOME


@pytest.mark.parametrize("details", [{}, {"user_characters": len("user: hi\nassistant: bye")}])
def test_an_answer_is_never_taken_for_the_users_words(details: dict[str, int]) -> None:
    content = "user: hi\nassistant: bye\nassistant: I am a pilot."
    told = exchange_texts(exchange(content, details))
    assert told == (("hi", "bye\nassistant: I am a pilot.") if not details else ("hi\nassistant: bye", "I am a pilot."))


def exchange(content: str, details: dict[str, int]) -> Episode:
    return Episode(
        id=uuid4(),
        agent="",
        kind="exchange",
        content=content,
        occurred_at=MONDAY,
        thread="t",
        message="m",
        details=details,
        extracted=False,
        valid_from=MONDAY,
        valid_to=None,
        recorded_at=MONDAY,
        invalidated_because="",
    )


async def test_what_a_run_was_to_ask_about_is_asked_about_when_it_is_made_up_for(
    memory: Memory, openai_server: ScriptedOpenAI
) -> None:
    await memory.backfill(user="u1")
    openai_server.always("extract", Fail(500))
    await move(memory, "Oslo", context=Context(user="u1", policy="ask"))
    openai_server.always("extract", extraction)
    assert await memory.backfill(user="u1") == BackfillReport(0, 1, 0, 1)
    assert [request["args"]["value"] for request in (await memory.pending(user="u1"))[0].requests] == ["Oslo"]
    assert "Oslo" not in dict(await homes(memory))

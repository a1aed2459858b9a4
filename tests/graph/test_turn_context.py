"""A turn is finished as it was begun, whatever the run that finishes it brings; and a person's last word counts."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from scripted_openai import Fail, ScriptedOpenAI

from perdure import Context, Memory, Scope, Settings, open_memory
from perdure.errors import InterruptedThread, InvalidTime, ModelUnavailable

HOME = "I moved to Seoul."
ASKING = Context(user="u1", policy="ask")


@pytest.fixture
def settings(scripted_settings: Settings, openai_server: ScriptedOpenAI) -> Settings:
    operation = {"action": "assert", "attribute": "home.city", "value": "Seoul", "content": HOME, "evidence": HOME}
    openai_server.script("extract", json.dumps({"operations": [operation]}))
    return scripted_settings


@pytest.fixture
async def memory(settings: Settings) -> AsyncIterator[Memory]:
    async with open_memory(settings) as memory:
        yield memory


@asynccontextmanager
async def broken_store(memory: Memory) -> AsyncIterator[None]:
    """No write succeeds meanwhile."""
    async with memory.checkpoints.connection() as connection:
        await connection.execute("alter table perdure.statements rename to away")
    with pytest.raises(psycopg.errors.UndefinedTable):
        yield
    async with memory.checkpoints.connection() as connection:
        await connection.execute("alter table perdure.away rename to statements")


def decisions(kind: str, **changed: Any) -> list[dict[str, Any]]:
    return [{"type": kind} | ({"edited_action": {"args": changed}} if changed else {})]


async def values(memory: Memory, agent: str = "") -> list[str]:
    return [fact.value for fact in await memory.facts.facts(Scope(user="u1", agent=agent))]


async def test_what_a_person_rejects_is_not_written_by_a_run_of_another_policy(memory: Memory) -> None:
    await memory.ask(HOME, thread="t1", context=ASKING)
    done = await memory.resume("t1", user="u1", decisions=decisions("reject"))
    assert [receipt["why"] for receipt in done.written] == ["a person rejected it"] and await values(memory) == []


async def test_new_decisions_after_a_write_that_failed_replace_the_old(memory: Memory) -> None:
    await memory.ask(HOME, thread="t1", context=ASKING)
    async with broken_store(memory):
        await memory.resume("t1", context=ASKING, decisions=decisions("approve"))
    with pytest.raises(InterruptedThread):
        await memory.resume("t1", context=ASKING)
    unfit = await memory.resume("t1", context=ASKING, decisions=decisions("shrug"))
    assert "error" in unfit.interrupts[0] and await values(memory) == []
    await memory.resume("t1", context=ASKING, decisions=decisions("edit", value="Incheon"))
    assert await values(memory) == ["Incheon"]


async def test_an_edit_that_does_not_fit_what_is_stored_is_dropped_and_closes_no_thread(memory: Memory) -> None:
    await memory.ask(HOME, thread="t1", context=ASKING)
    edit = decisions("edit", valid_to="2020-01-01T00:00:00Z")
    done = await memory.resume("t1", context=ASKING, decisions=edit)
    assert [receipt["outcome"] for receipt in done.written] == ["dropped"]
    assert (await memory.ask("Thanks!", thread="t1", context=ASKING)).text == "as scripted"


async def test_memories_go_to_the_agent_whose_turn_it_was(memory: Memory) -> None:
    async with broken_store(memory):
        await memory.ask(HOME, thread="t1", context=Context(user="u1", agent="coach"))
    await memory.ask("Thanks!", thread="t1", context=Context(user="u1", agent="chef", policy="drop"))
    assert {agent: await values(memory, agent) for agent in ("", "coach", "chef")} == {
        "": [],
        "coach": ["Seoul"],
        "chef": [],
    }


async def test_a_resumed_reply_frames_its_memories_as_of_the_moment_they_were_asked_for(
    memory: Memory, openai_server: ScriptedOpenAI
) -> None:
    openai_server.script("reply", Fail(500))
    then = Context(user="u1", as_of=datetime(2019, 5, 17, tzinfo=UTC), language="en")
    with pytest.raises(ModelUnavailable):
        await memory.ask("Where did I live?", thread="t1", context=then)
    await memory.resume("t1", user="u1")
    failed, resumed = (request.prompt for request in openai_server.asked("reply"))
    assert "2019" in failed and "2019" in resumed


async def test_a_term_that_is_over_before_it_begins_is_refused_by_hand(memory: Memory) -> None:
    with pytest.raises(InvalidTime):
        await memory.remember("I lived in Rome.", valid_to=datetime(2020, 1, 1, tzinfo=UTC), user="u1")

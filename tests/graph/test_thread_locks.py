"""One thread, several processes: as two memories over one database, which share nothing but that."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from scripted_openai import Hang, Say, ScriptedOpenAI

from perdure import Memory, Settings, open_memory
from perdure.errors import BusyThread
from perdure.stores import thread_locks


@pytest.fixture
def settings(scripted_settings: Settings) -> Settings:
    return scripted_settings.model_copy(update={"pool_size": 2})


@pytest.fixture
async def memories(settings: Settings) -> AsyncIterator[list[Memory]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(open_memory(settings)) for _ in range(4)]


async def test_turns_of_several_processes_on_one_thread_all_stay(
    memories: list[Memory], openai_server: ScriptedOpenAI
) -> None:
    openai_server.always("reply", Say("ok then", delay=0.05))
    said = [f"I said number {number}." for number in range(8)]
    await asyncio.gather(*(memories[n % 4].ask(text, user="u1", thread="t1") for n, text in enumerate(said)))
    state = await memories[0].graph.aget_state({"configurable": {"thread_id": "default/u1/t1"}})
    messages = state.values["messages"]
    assert sorted(message.text for message in messages if message.type == "human") == said
    assert [message.type for message in messages] == ["human", "ai"] * 8


async def test_other_threads_do_not_wait(memories: list[Memory], openai_server: ScriptedOpenAI) -> None:
    openai_server.script("reply", Hang())
    hanging = asyncio.create_task(memories[0].ask("I wait here.", user="u1", thread="t1"))
    while not openai_server.asked("reply"):  # noqa: ASYNC110  # the server asked is another thread
        await asyncio.sleep(0.02)
    for memory in memories:
        assert (await memory.ask("Hello, it is me.", user="u1", thread="t2")).text == "as scripted"
    openai_server.release()
    assert (await hanging).text


async def test_a_process_that_does_not_finish_is_told_of(
    memories: list[Memory], openai_server: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread_locks, "PATIENCE", 0.3)
    openai_server.script("reply", Hang())
    hanging = asyncio.create_task(memories[0].ask("I wait here.", user="u1", thread="t1"))
    while not openai_server.asked("reply"):  # noqa: ASYNC110  # the server asked is another thread
        await asyncio.sleep(0.02)
    with pytest.raises(BusyThread, match="'t1'"):
        await memories[1].ask("And I?", user="u1", thread="t1")
    openai_server.release()
    await hanging
    assert (await memories[1].ask("And I?", user="u1", thread="t1")).text == "as scripted"

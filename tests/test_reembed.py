"""Going over to another embedding model while the memory is in use, in this process and in others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest
from clock import SetClock
from scripted_openai import Fail, ScriptedOpenAI
from stored_vectors import check_all_of, embed_by_model

from perdure import Memory, Settings, open_memory
from perdure.errors import EmbedderMismatch, InvalidInput, ModelUnavailable, ReembeddingUnderWay
from perdure.reembed import Step
from perdure.scope import Scope

OLD, NEW = "scripted-embedding", "newer-embedding"
CITIES = ("Busan", "Seoul", "Oslo", "Lima", "Rome", "Cairo", "Quito", "Kyoto")


@pytest.fixture
async def memory(scripted_settings: Settings, openai_server: ScriptedOpenAI) -> AsyncIterator[Memory]:
    embed_by_model(openai_server)
    async with open_memory(scripted_settings, clock=SetClock()) as opened:
        yield opened


@asynccontextmanager
async def another(memory: Memory) -> AsyncIterator[Memory]:
    """What another process would have open: its own embedder and its own connections."""
    async with open_memory(memory.settings, clock=SetClock()) as opened:
        yield opened


def dsn(memory: Memory) -> str:
    assert memory.settings.database_url
    return memory.settings.database_url.get_secret_value()


async def remember_cities(memory: Memory, users: int = 3) -> None:
    for number in range(users):
        for city in CITIES:
            await memory.remember(f"I have been to {city}.", user=f"u{number}")


async def found(memory: Memory, content: str, user: str = "u0") -> bool:
    hits = await memory.recall(content, user=user, k=3, threshold=0, preset="vector")
    return content in [hit.content for hit in hits]


@pytest.mark.parametrize("dimensions", [64, 96], ids=["of as many dimensions", "of more dimensions"])
async def test_all_vectors_become_those_of_the_new_model(memory: Memory, dimensions: int) -> None:
    await remember_cities(memory)
    await memory.ask("I moved to Seoul.", thread="t", user="u0")
    async with another(memory) as other:
        assert await found(other, "I have been to Oslo.")
        report = await memory.reembed.run(NEW, dimensions)
        assert (report.before, report.after) == (f"{OLD}/64", f"{NEW}/{dimensions}")
        assert check_all_of(dsn(memory), NEW, dimensions) == 25
        for process in (memory, other):  # both began with the old model, and go on
            assert await found(process, "I have been to Lima.")
            await process.remember("I like tea.", user="u1")
            assert await found(process, "I like tea.", user="u1")
        assert check_all_of(dsn(memory), NEW, dimensions) > 25
        assert await memory.reembed.run(NEW, dimensions) == type(report)(report.after, report.after, 0, 0)


async def test_a_process_that_starts_with_the_old_model_is_told_how_to_go_over(memory: Memory) -> None:
    await memory.reembed.run(NEW, 64)
    with pytest.raises(EmbedderMismatch, match="`perdure reembed --model NAME`"):
        async with another(memory):
            pass
    settings = memory.settings.model_copy(update={"embedding_model": NEW})
    async with open_memory(settings) as opened:
        await opened.remember("I like tea.", user="u")


async def test_searches_and_writes_go_on_all_the_while(memory: Memory) -> None:
    """Two processes search and write until some time after the switch: no error, and nothing is lost."""
    await remember_cities(memory)
    over = asyncio.Event()
    missed, written = list[str](), dict[str, list[str]]()
    progressed = dict[str, asyncio.Event]()

    async def search(process: Memory) -> None:
        while not over.is_set():
            for city in CITIES:
                if not await found(process, f"I have been to {city}."):
                    missed.append(city)

    async def write(process: Memory, user: str) -> None:
        told = written.setdefault(user, [])
        while not over.is_set():
            content = f"Saw film number {len(told)}."
            await process.remember(content, user=user)
            told.append(content)
            assert await found(process, content, user)
            if waited_for := progressed.get(user):
                waited_for.set()

    async with another(memory) as other, asyncio.TaskGroup() as tasks:
        for number, process in enumerate((memory, other)):
            tasks.create_task(search(process))
            tasks.create_task(write(process, f"w{number}"))
        for model, dimensions in ((NEW, 64), ("third-embedding", 96)):
            await memory.reembed.run(model, dimensions)
            await asyncio.gather(*(progressed.setdefault(user, asyncio.Event()).wait() for user in written))
            progressed.clear()
        over.set()
    assert missed == []
    rows = check_all_of(dsn(memory), "third-embedding", 96)
    assert rows == 24 + sum(map(len, written.values())) and min(map(len, written.values())) > 4


class Killed(Exception):
    pass


@pytest.mark.parametrize("phase", ["embedding", "switching", "tidying"])
async def test_cut_short_it_goes_on_where_it_was(
    memory: Memory, phase: str, monkeypatch: pytest.MonkeyPatch, openai_server: ScriptedOpenAI
) -> None:
    monkeypatch.setattr("perdure.reembed.BATCH", 5)
    await remember_cities(memory)

    def die(step: Step) -> None:
        if step.phase == phase:
            raise Killed

    with pytest.raises(Killed):
        await memory.reembed.run(NEW, 64, die)
    status = await memory.reembed.status()
    decided = phase == "tidying"
    assert status.in_force == (f"{NEW}/64" if decided else f"{OLD}/64")
    assert status.under_way and status.under_way.decided == decided
    assert await found(memory, "I have been to Rome.")
    await memory.remember("I like tea.", user="u2")  # also where writers were stopped
    await memory.reembed.run()
    assert check_all_of(dsn(memory), NEW, 64) == 25
    # Nothing that had been saved was asked for again; the documents, that is: questions are not kept.
    asked = [text for request in openai_server.asked("embed") if request.model == NEW for text in request.body["input"]]
    assert len([text for text in asked if text.startswith("I have been")]) <= len(CITIES) * 3 + 1


async def test_aborted_nothing_of_it_is_left(memory: Memory) -> None:
    await remember_cities(memory)

    def die(step: Step) -> None:
        raise Killed

    with pytest.raises(Killed):
        await memory.reembed.run(NEW, 96, die)
    with pytest.raises(ReembeddingUnderWay, match=f"{NEW}/96 has begun, not with third-embedding/96"):
        await memory.reembed.run("third-embedding", 96)
    dropped = await memory.reembed.abort()
    assert dropped and dropped.model == f"{NEW}/96"
    assert check_all_of(dsn(memory), OLD, 64) == 24
    assert await memory.reembed.abort() is None
    with pytest.raises(InvalidInput, match="no re-embedding has begun"):
        await memory.reembed.run()


async def test_only_one_process_is_at_it(memory: Memory) -> None:
    await remember_cities(memory, 1)
    refused = list[type[BaseException]]()
    attempts = set[asyncio.Task[object]]()

    async def refuse() -> None:
        for attempt in (memory.reembed.run(NEW, 64), memory.reembed.abort()):
            try:
                await attempt
            except ReembeddingUnderWay as error:
                refused.append(type(error))

    def try_too(step: Step) -> None:
        if not attempts:
            attempts.add(asyncio.create_task(refuse()))

    await memory.reembed.run(NEW, 64, try_too)
    await asyncio.gather(*attempts)
    assert refused and check_all_of(dsn(memory), NEW, 64) == 8


async def test_a_model_that_fails_changes_nothing(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    await remember_cities(memory)
    openai_server.script("embed", Fail(400))
    with pytest.raises(ModelUnavailable):
        await memory.reembed.run(NEW, 64)
    assert await found(memory, "I have been to Quito.")
    await memory.reembed.run()
    assert check_all_of(dsn(memory), NEW, 64) == 24


async def test_what_no_row_holds_at_present_has_a_vector_when_it_is_needed(memory: Memory) -> None:
    """The second saying of a value: a fact again, once the first has been retracted."""
    first = await memory.remember("I live in Busan.", attribute="home.city", value="Busan", user="u")
    await memory.remember("Home is Busan.", attribute="home.city", value="Busan", user="u")
    assert first.after
    await memory.reembed.run(NEW, 64)
    await memory.undo(str(first.statement), user="u")
    (fact,) = await memory.facts.facts(Scope(user="u"))
    assert fact.content == "Home is Busan."
    check_all_of(dsn(memory), NEW, 64)


async def test_a_reader_who_does_not_end_keeps_nobody_waiting(memory: Memory) -> None:
    await remember_cities(memory, 1)
    reader = await psycopg.AsyncConnection.connect(dsn(memory))
    await reader.execute("select from perdure.facts")  # its transaction holds the table until it ends
    switching = asyncio.Event()
    running = asyncio.create_task(memory.reembed.run(NEW, 64, lambda step: switching.set()))
    await asyncio.wait([running], timeout=1.5)
    assert not running.done()
    assert await found(memory, "I have been to Cairo.")
    await memory.remember("I like tea.", user="u0")
    await reader.rollback()
    await running
    await reader.close()
    assert check_all_of(dsn(memory), NEW, 64) == 9

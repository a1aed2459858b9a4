"""Threads that nobody has spoken in for long, and faded memories, go to the archive and come back exactly as they were."""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from clock import SetClock

from perdure import Context, Memory, Settings, open_memory
from perdure.errors import AlreadyRunning, ArchivedThread, ArchiveUnusable, InvalidInput, NotFound
from perdure.maintenance import ChoreReport
from perdure.retention import Retention
from perdure.scope import Scope
from perdure.threads import thread_key
from perdure.time import SystemClock

ME = Scope(user="u1")
TABLES = "checkpoints checkpoint_blobs checkpoint_writes perdure.episodes perdure.statements perdure.facts"
SAID = "I moved to Seoul in May."


@pytest.fixture
def settings(local_database: str, tmp_path: Path) -> Settings:
    return Settings(
        database_url=local_database,  # type: ignore[arg-type]  # pydantic makes a secret of it
        archive=tmp_path,
        retention=Retention(exchange=400, fact=100, other=100),
    )


@pytest.fixture
async def memory(settings: Settings, clock: SetClock) -> AsyncIterator[Memory]:
    async with open_memory(settings, clock=clock) as memory:
        yield memory


async def rows(memory: Memory) -> dict[str, list[str]]:
    """All that the tables hold, as text."""
    found: dict[str, list[str]] = {}
    async with memory.checkpoints.connection() as connection:
        for table in TABLES.split():
            cursor = await connection.execute(f"select t::text as row from {table} t order by 1".encode())
            found[table] = [row["row"] async for row in cursor]
    return found


def files(folder: Path, suffix: str = "") -> list[Path]:
    return [path for path in folder.rglob(f"*{suffix}") if path.is_file()]


async def maintain(memory: Memory, *only: str, **more: Any) -> dict[str, ChoreReport]:
    report = await memory.maintenance.run(only=only, **more)
    assert not report.failed
    return {chore.chore: chore for chore in report.chores}


async def talked(memory: Memory, clock: SetClock) -> dict[str, list[str]]:
    """A thread of each of two users. LangGraph dates checkpoints by the real clock: the set one begins there."""
    clock.set(SystemClock().now())
    await memory.ask(SAID, thread="봄/여행", user="u1")
    await memory.ask("Where do I live?", thread="봄/여행", user="u1")
    await memory.ask("I have a cat.", thread="t2", user="u2")
    return await rows(memory)


async def test_an_idle_thread_is_archived_and_restored_row_by_row(
    memory: Memory, clock: SetClock, tmp_path: Path
) -> None:
    before = await talked(memory, clock)
    assert (await maintain(memory, "archive"))["archive"].done == 0
    clock.forward(days=200)
    assert (await maintain(memory, "archive", dry_run=True))["archive"].due == 2
    assert (await maintain(memory, "archive", user="u1"))["archive"].done == 1
    (record,) = await memory.archives.entries(user="u1")
    assert (record.name, record.state, record.rows["episodes"]) == ("봄/여행", "archived", 2)
    left = await rows(memory)
    assert left["perdure.facts"] == before["perdure.facts"] and len(left["perdure.episodes"]) == 1
    assert {row.split(",")[0] for row in left["checkpoints"]} == {"(default/u2/t2"}
    with pytest.raises(ArchivedThread, match="archive restore"):
        await memory.ask("Hello?", thread="봄/여행", user="u1")
    with pytest.raises(ArchivedThread):
        await memory.resume("봄/여행", user="u1")
    assert not any("u1" in str(path.relative_to(tmp_path)) for path in files(tmp_path))
    (manifest,) = files(tmp_path, ".json")
    assert json.loads(manifest.read_text("utf-8"))["sha256"] == record.sha256
    assert [one.problem for one in await memory.archives.verify(user="u1")] == [""]

    await memory.archives.restore("봄/여행", user="u1")
    assert await rows(memory) == before
    assert files(tmp_path) == []
    assert (await maintain(memory, "archive", user="u1"))["archive"].done == 0, "restored just now"
    assert (await memory.ask("And now?", thread="봄/여행", user="u1")).text
    with pytest.raises(NotFound):
        await memory.archives.restore("봄/여행", user="u1")


async def test_a_copy_whose_rows_were_not_deleted_is_finished(memory: Memory, clock: SetClock) -> None:
    """As after a kill between the file and the deletion, and between the two databases."""
    before = await talked(memory, clock)
    clock.forward(days=200)
    archives, key = memory.archives, thread_key(ME, "봄/여행")
    assert await archives._copy(ME, "봄/여행", key)
    await archives.checkpoints.delete(key)
    with pytest.raises(ArchivedThread):
        await memory.ask("Hello?", thread="봄/여행", user="u1")
    assert (await maintain(memory, "archive", user="u1"))["archive"].done == 1
    await archives.restore("봄/여행", user="u1")
    assert await rows(memory) == before


async def test_a_thread_that_goes_on_after_it_was_copied_is_left_alone(memory: Memory, clock: SetClock) -> None:
    await talked(memory, clock)
    clock.forward(days=200)
    archives, key = memory.archives, "default/u2/t2"
    other = Scope(user="u2")
    assert await archives._copy(other, "t2", key)
    await memory.ask("I have a dog.", thread="t2", user="u2")
    before = await rows(memory)
    assert (await maintain(memory, "archive", user="u2"))["archive"].done == 0
    assert await rows(memory) == before
    assert await archives.entries(user="u2") == []
    assert (await memory.ask("Still there?", thread="t2", user="u2")).text


async def test_a_file_that_was_changed_is_not_restored(memory: Memory, clock: SetClock, tmp_path: Path) -> None:
    await talked(memory, clock)
    clock.forward(days=200)
    await maintain(memory, "archive", user="u1")
    (file,) = files(tmp_path, ".gz")
    whole = file.read_bytes()
    file.write_bytes(gzip.compress(gzip.decompress(whole).replace(b"Seoul", b"Busan")))
    (verified,) = await memory.archives.verify(user="u1")
    assert "not the file that was written" in verified.problem
    before = await rows(memory)
    with pytest.raises(ArchiveUnusable):
        await memory.archives.restore("봄/여행", user="u1")
    assert await rows(memory) == before
    file.write_bytes(whole)
    await memory.archives.restore("봄/여행", user="u1")


async def test_what_fades_is_archived_unless_it_is_of_use_and_comes_back(memory: Memory, clock: SetClock) -> None:
    for number, content in enumerate(("The printer is out of toner.", "The spare key is under the pot.")):
        await memory.remember(content, user="u1", importance=2)
        clock.forward(minutes=1 + number)
    await memory.remember("Allergic to peanuts.", user="u1", importance=10)
    await memory.remember("Lives in Oslo.", attribute="home.city", value="Oslo", user="u1", importance=2)
    fading = await memory.fading.next(user="u1")
    assert [f.content for f in fading] == ["The printer is out of toner.", "The spare key is under the pot."]
    assert all(f.uses == 0 and 0.99 < f.strength <= 1 for f in fading)
    clock.forward(days=500)
    used = next(f for f in await memory.facts.facts(ME) if "key" in f.content)
    async with memory.checkpoints.connection() as connection:
        await connection.execute(
            "insert into perdure.uses values ('default', 'u1', %s, 3, %s, 'm')", (used.id, clock.now())
        )
    clock.forward(days=300)
    before = await rows(memory)
    assert (await maintain(memory, "fade"))["fade"].done == 1
    assert sorted(f.content for f in await memory.facts.facts(ME)) == [
        "Allergic to peanuts.",
        "Lives in Oslo.",
        "The spare key is under the pot.",
    ]
    assert (await memory.facts.rebuild(ME, check=True)).identical
    (record,) = await memory.archives.entries(user="u1")
    assert record.name.startswith("faded-") and record.rows == {"statements": 1, "embeddings": 1}
    await memory.archives.restore(record.name, user="u1")
    assert await rows(memory) == before
    assert (await maintain(memory, "fade"))["fade"].done == 0, "what was asked back is of use"


async def test_old_checkpoints_go_and_the_thread_goes_on(memory: Memory, clock: SetClock) -> None:
    before = await talked(memory, clock)
    clock.forward(days=31)
    assert (await maintain(memory, "prune"))["prune"].done == 2
    pruned = await rows(memory)
    assert len(pruned["checkpoints"]) == 2 < len(before["checkpoints"])
    assert pruned["perdure.episodes"] == before["perdure.episodes"]
    assert (await maintain(memory, "prune"))["prune"].done == 0
    state = await memory.graph.aget_state({"configurable": {"thread_id": "default/u2/t2"}})
    assert state.values["messages"][0].text == "I have a cat."
    assert (await memory.ask("Thanks!", thread="t2", user="u2")).text


async def test_what_waits_for_a_person_is_neither_pruned_nor_archived(memory: Memory, clock: SetClock) -> None:
    clock.set(SystemClock().now())
    asking = Context(user="u1", policy="ask")
    answer = await memory.ask("I moved to Busan.", thread="t1", context=asking)
    assert answer.interrupts
    clock.forward(days=400)
    before = await rows(memory)
    done = await maintain(memory, "prune", "archive")
    assert (done["prune"].done, done["archive"].done, done["archive"].left) == (0, 0, 1)
    assert await rows(memory) == before
    assert (await memory.resume("t1", context=asking)).text, "lapsed, but finished"


async def test_vectors_of_no_text_are_forgotten(memory: Memory, clock: SetClock) -> None:
    await talked(memory, clock)
    await memory.remember("A note.", user="u1")
    async with memory.checkpoints.connection() as connection:
        await connection.execute("delete from perdure.statements where content = 'A note.'")
        await connection.execute("delete from perdure.facts where content = 'A note.'")
    assert (await maintain(memory, "vectors"))["vectors"].done == 1
    assert (await maintain(memory))["vectors"].done == 0
    assert (await memory.facts.rebuild(ME, check=True)).identical
    await memory.facts.rebuild(ME)


async def test_one_upkeep_at_a_time_and_only_chores_that_there_are(memory: Memory) -> None:
    async with memory.maintenance.store.alone("default"):
        with pytest.raises(AlreadyRunning):
            await memory.maintenance.run()
        assert not (await memory.maintenance.run(tenant="another")).failed
    with pytest.raises(InvalidInput, match="choose from expire, sessions"):
        await memory.maintenance.run(only=["tidy"])


async def test_erasing_a_user_erases_the_archives(memory: Memory, clock: SetClock, tmp_path: Path) -> None:
    await talked(memory, clock)
    clock.forward(days=200)
    await maintain(memory, "archive")
    receipt = await memory.erase(user="u1")
    assert receipt.complete and receipt.counts["archives"] == 1
    assert await memory.archives.entries(user="u1") == []
    assert len(files(tmp_path, ".gz")) == 1, "the other user's"
    with pytest.raises(NotFound):
        await memory.resume("봄/여행", user="u1")

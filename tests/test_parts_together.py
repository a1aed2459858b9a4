"""Where the parts of a memory's life meet: what one of them made, another one keeps, moves or erases."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any, LiteralString
from uuid import UUID

import pytest
from clock import SetClock

from perdure import Context, Memory, Settings, open_memory
from perdure.calls import Counts
from perdure.errors import NotFound, StaleFact
from perdure.facts import Action, Operation, Source
from perdure.retention import Retention
from perdure.scope import Scope
from perdure.stores.costs import CostLine, PostgresCostStore
from perdure.stores.pool import borrowed
from perdure.stores.reembedding import Reembedding, alone, begin, drop, finish, lacking
from perdure.time import SystemClock

ME = Scope(user="u1")
SAID = ("I sing in Seongsu-dong these days", "These days I sing in Seongsu-dong")


@pytest.fixture
async def memory(local_database: str, tmp_path: Path, clock: SetClock) -> AsyncIterator[Memory]:
    settings = Settings(
        database_url=local_database,  # type: ignore[arg-type]  # pydantic makes a secret of it
        archive=tmp_path,
        retention=Retention(exchange=400, fact=100),
    )
    async with open_memory(settings, clock=clock) as memory:
        yield memory


async def save(memory: Memory, thread: str, *operations: Operation) -> None:
    at = memory.layer.clock.now()
    await memory.layer.save(ME, operations, Source(at=at, thread=thread, message=f"in {thread} at {at}"))


async def rows(memory: Memory, statement: LiteralString) -> list[dict[str, Any]]:
    async with borrowed(memory.checkpoints) as connection:
        return await (await connection.execute(statement)).fetchall()


async def told(memory: Memory) -> list[tuple[str, int]]:
    """What holds, and how often it was said; the facts are what follows from the statements."""
    assert (await memory.facts.rebuild(ME, check=True)).identical
    return sorted((fact.content, fact.corroboration) for fact in await memory.facts.facts(ME))


async def merged(memory: Memory, clock: SetClock) -> str:
    """The id of a merge of what was said in two threads, "t0" and "t1", in the words of "t0"."""
    for number, content in enumerate(SAID):
        await save(memory, f"t{number}", Operation(content=content))
        clock.forward(minutes=1)
    await memory.consolidation.run(user="u1", similarity=0.5)
    assert await told(memory) == [(SAID[0], 2)]
    (merge,) = await memory.consolidation.list(user="u1")
    return merge.merge


@pytest.mark.parametrize("erased", [0, 1])
async def test_of_a_merge_what_was_said_in_an_erased_thread_goes_and_the_rest_stands_in_its_own_words(
    memory: Memory, clock: SetClock, erased: int
) -> None:
    merge = await merged(memory, clock)
    receipt = await memory.erase(thread=f"t{erased}", user="u1")
    assert receipt.proof.traces == ()
    assert await told(memory) == [(SAID[1 - erased], 1)]
    assert await memory.consolidation.list(user="u1") == []
    with pytest.raises(NotFound):
        await memory.consolidation.undo(merge, user="u1")
    assert (await memory.erase(thread=f"t{1 - erased}", user="u1")).proof.traces == ()
    assert await rows(memory, "select * from perdure.statements") == []


@pytest.mark.parametrize("erased", [0, 1])
async def test_what_ended_after_it_was_merged_does_not_hold_again_because_a_source_is_erased(
    memory: Memory, clock: SetClock, erased: int
) -> None:
    await merged(memory, clock)
    (fact,) = await memory.facts.facts(ME)
    await save(memory, "t2", Operation(action=Action.END, target=fact.id))
    clock.forward(minutes=1)
    await memory.erase(thread=f"t{erased}", user="u1")
    assert await told(memory) == []
    await memory.consolidation.list(user="u1")
    assert (await memory.consolidation.run(user="u1", similarity=0.5)).merges == []


async def test_a_merge_that_has_faded_is_undone_once_it_is_back(memory: Memory, clock: SetClock) -> None:
    merge = await merged(memory, clock)
    clock.forward(days=9000)
    await memory.maintenance.run(only=["fade"])
    assert await told(memory) == []
    with pytest.raises(StaleFact, match="archive restore"):
        await memory.consolidation.undo(merge, user="u1")
    (archived,) = await memory.archives.entries(user="u1")
    await memory.archives.restore(archived.name, user="u1")
    await memory.consolidation.undo(merge, user="u1")
    assert await told(memory) == sorted((content, 1) for content in SAID)


async def test_a_lesson_goes_with_the_thread_of_its_tasks(memory: Memory) -> None:
    for way in ("blue-green", "all at once", "one by one"):
        await memory.episodes.log("Deploy the billing service", approach=way, outcome="fine", thread="w", user="u1")
    await memory.maintenance.run(only=["lessons"])
    assert len(await memory.lessons.latest(user="u1")) == 1
    assert (await memory.erase(thread="w", user="u1")).counts["episodes"] == 4
    assert await rows(memory, "select content from perdure.episodes") == []
    assert await rows(memory, "select text_hash from perdure.embeddings") == []


async def test_a_session_goes_with_an_exchange_of_its_and_the_others_become_another(
    memory: Memory, clock: SetClock
) -> None:
    clock.set(SystemClock().now())
    await memory.ask("I moved to Busan.", thread="t", user="u1")
    await memory.ask("I have a cat called Momo.", thread="t", user="u1")
    await memory.sessions.end("t", user="u1")
    (cat,) = [fact for fact in await memory.facts.facts(ME) if "Momo" in fact.content]
    await memory.erase(fact=cat.id, user="u1")
    assert [row["kind"] for row in await rows(memory, "select kind from perdure.episodes")] == ["exchange"]
    session = await memory.sessions.end("t", user="u1")
    assert "Busan" in session.content and "Momo" not in session.content


async def test_a_session_that_tells_of_a_fact_goes_with_it_though_its_exchanges_are_archived(
    memory: Memory, clock: SetClock
) -> None:
    clock.set(SystemClock().now())
    await memory.ask("I have a cat called Momo.", thread="t", user="u1")
    await memory.sessions.end("t", user="u1")
    clock.forward(days=200)
    await memory.maintenance.run(only=["archive"])
    (cat,) = await memory.facts.facts(ME)
    assert (await memory.erase(fact=cat.id, user="u1")).proof.traces == ()
    assert await rows(memory, "select id from perdure.episodes") == []


async def test_of_an_archived_thread_only_what_told_the_fact_is_erased_with_it(memory: Memory, clock: SetClock) -> None:
    clock.set(SystemClock().now())
    for said in ("I have a cat called Momo.", "I moved to Busan."):
        await memory.ask(said, thread="t", user="u1")
    clock.forward(days=200)
    await memory.maintenance.run(only=["archive"])
    (cat,) = [fact for fact in await memory.facts.facts(ME) if "Momo" in fact.content]
    receipt = await memory.erase(fact=cat.id, user="u1")
    assert receipt.counts["episodes"] == 1 and receipt.counts["checkpoints"] > 0
    (left,) = await rows(memory, "select content from perdure.episodes")
    assert "Busan" in left["content"] and await memory.archives.entries(user="u1") == []


async def test_a_faded_memory_comes_back_into_a_reembedding_as_one_that_lacks_its_new_vector(
    memory: Memory, clock: SetClock, local_database: str
) -> None:
    """What a re-embedding that was dropped since has noted of it does not count."""
    await save(memory, "t", Operation(content="The key is under the pot.", importance=1))
    clock.forward(days=9000)
    async with alone(local_database) as connection:
        await begin(connection, Reembedding("dropped", "dropped", None, 3, clock.now(), decided=False))
        await connection.execute("update perdure.statements set reembedded = true")
        await memory.maintenance.run(only=["fade"])
        await drop(connection)
        await finish(connection)
        await begin(connection, Reembedding("next", "next", None, 3, clock.now(), decided=False))
        (archived,) = await memory.archives.entries(user="u1")
        await memory.archives.restore(archived.name, user="u1")
        assert [row.kind for row in await lacking(connection, "next", 9)] == ["statement", "fact"]


async def test_what_was_of_use_is_forgotten_with_what_is_erased(memory: Memory, clock: SetClock) -> None:
    clock.set(SystemClock().now())
    await memory.ask("I moved to Seoul in May.", thread="a", user="u1")
    await memory.ask("Where do I live?", thread="b", user="u1")
    (used,) = await rows(memory, "select memory from perdure.uses")
    await memory.erase(thread="a", user="u1")
    left = await rows(memory, "select memory from perdure.uses")
    assert used not in left
    kept = await rows(memory, "select id as memory from perdure.episodes union select id from perdure.facts")
    assert all(row in kept for row in left)


async def test_only_threads_that_there_are_can_be_erased_also_beside_archives(memory: Memory) -> None:
    await save(memory, "t", Operation(content="I have a cat."))
    with pytest.raises(NotFound, match="'other'"):
        await memory.erase(thread="other", user="u1")


async def test_what_a_thread_costs_after_one_of_its_name_was_erased_is_its_own(memory: Memory, clock: SetClock) -> None:
    store, line = PostgresCostStore(memory.checkpoints), CostLine(ME, "secret", clock.now().date(), "reply", "m")
    for batch in (1, 2):
        await store.add({line: Counts(calls=batch)}, batch=UUID(int=batch))
        if batch == 1:
            await save(memory, "secret", Operation(content="I have a cat."))
            await memory.erase(thread="secret", user="u1")
    by_thread = dict(await store.read(ME, "thread", None))
    assert by_thread["secret"].calls == 2


async def test_the_upkeep_keeps_the_vectors_by_which_tasks_are_compared(memory: Memory) -> None:
    for way in ("blue-green", "all at once", "one by one"):
        await memory.episodes.log("Deploy the billing service", approach=way, outcome="fine", user="u1")
    before = await rows(memory, "select text_hash from perdure.embeddings order by 1")
    await memory.maintenance.run(only=["vectors"])
    assert await rows(memory, "select text_hash from perdure.embeddings order by 1") == before


async def test_an_expired_episode_is_in_no_answer(memory: Memory, clock: SetClock) -> None:
    """Whichever way it is asked for."""
    party = Operation(action=Action.EPISODE, content="A party on Monday", expires_at=clock.now() + timedelta(hours=1))
    await save(memory, "t", party)
    (identity,) = [row["id"] for row in await rows(memory, "select id from perdure.episodes")]
    store = memory.episode_store
    assert (await store.find(ME, str(identity)[:8])).id == identity and identity in await store.named(ME, [identity])
    await rows(memory, "update perdure.episodes set kind = 'task' returning 1")
    assert [one.id for one in await store.latest(ME, "task", 5)] == [identity]
    clock.forward(hours=2)
    with pytest.raises(NotFound):
        await store.find(ME, str(identity)[:8])
    assert await store.named(ME, [identity]) == {} and await store.latest(ME, "task", 5) == []


async def test_what_expires_goes_to_no_archive(memory: Memory, clock: SetClock) -> None:
    """In a file, it would outlive its time."""
    expires = clock.now() + timedelta(days=9500)
    await save(memory, "t", Operation(content="The key is under the pot.", importance=1, expires_at=expires))
    clock.forward(days=9000)
    await memory.maintenance.run(only=["fade", "archive"])
    assert await memory.archives.entries(user="u1") == [] and len(await told(memory)) == 1


async def test_an_archive_without_texts_is_restored_under_another_embedder(memory: Memory, clock: SetClock) -> None:
    clock.set(SystemClock().now())
    await memory.ask("I have a cat.", thread="t", context=Context(user="u1", policy="drop"))
    clock.forward(days=200)
    await memory.maintenance.run(only=["archive"])
    await rows(memory, "update perdure.archives set model = 'another/3' returning 1")
    await memory.archives.restore("t", user="u1")
    assert (await memory.ask("Hello?", thread="t", user="u1")).text

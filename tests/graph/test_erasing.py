"""Erasure of a user, a thread and a fact: nothing of it is left, nobody else is touched, and the receipt says so."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any, LiteralString

import psycopg
import pytest
from databases import create_database, drop_database
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from scripted_openai import Hang, ScriptedOpenAI

from bench.untouched import untouched
from perdure import Memory, Settings, open_memory
from perdure.embedded import EmbeddedPostgres
from perdure.erasure_receipt import Erased
from perdure.errors import InvalidInput, NotFound
from perdure.graph.context import Context
from perdure.graph.state import InputState
from perdure.scope import Scope
from perdure.stores.erasures import Subject
from perdure.stores.large_users import index_large_users
from perdure.stores.pool import borrowed

ADA = Context(user="ada@home/1", tenant="acme")
"""A name that is escaped in the keys of threads."""
OTHERS = [Context(user="ada@home/12", tenant="acme"), Context(user="ada@home/1", tenant="big-acme")]
MOVED, CAT, FORMER = "I live in Gyeongju.", "I have a cat called Momo.", "I work at Hanbit Robotics."


@pytest.fixture
def dsn(local_database: str) -> str:
    return local_database


async def _tell(memory: Memory, context: Context) -> None:
    await memory.ask(MOVED, thread="first/1", context=context)
    await memory.ask(CAT, thread="second", context=context)
    await memory.ask("I have diabetes.", thread="asks", context=context.model_copy(update={"policy": "ask"}))


async def _tell_in_studio(memory: Memory, context: Context) -> str:
    """On a thread whose id Perdure did not make, as LangGraph's server does."""
    thread = str(uuid.uuid4())
    said: InputState = {"messages": [HumanMessage("I live in Gyeongju, and I sing.")]}
    await memory.graph.ainvoke(said, {"configurable": {"thread_id": thread}}, context=context)
    return thread


def _places(dsn: str, needle: str) -> set[str]:
    """Tables that hold the text anywhere, by their whole rows as text: found without the code that is tested."""
    with psycopg.connect(dsn) as connection:
        tables = connection.execute(
            "select format('%I.%I', schemaname, tablename) from pg_tables where schemaname in ('perdure', 'public')"
        ).fetchall()
        wanted = [needle, needle.encode().hex()]
        return {
            table
            for (table,) in tables
            if connection.execute(
                f"select 1 from {table} t where exists (select from unnest(%s::text[]) n where strpos(t::text, n) > 0)".encode(),
                (wanted,),
            ).fetchone()
        }


async def test_of_a_user_nothing_is_left_and_nobody_else_is_touched(memory: Memory, dsn: str) -> None:
    for context in (ADA, *OTHERS):
        await _tell(memory, context)
    studio, other_studio = await _tell_in_studio(memory, ADA), await _tell_in_studio(memory, OTHERS[0])
    async with borrowed(memory.checkpoints) as connection:
        assert [user async for user in index_large_users(connection, memory.layer.clock, least=3)]
    before = untouched(dsn, ADA.scope, [studio])
    assert (await memory.erasure.verify(context=ADA)).hits > 0

    receipt = await memory.erase(context=ADA)

    assert receipt.complete and receipt.proof.hits == 0 and receipt.proof.traces == ()
    assert receipt.counts["threads"] == 4 and receipt.runs == 1
    for table in ("statements", "facts", "episodes", "embeddings", "checkpoints", "checkpoint_blobs"):
        assert receipt.counts[table] > 0, table
    assert untouched(dsn, ADA.scope, [studio]) == before
    assert _places(dsn, "acme/ada%40home%2F1/") <= {
        "public.checkpoints",
        "public.checkpoint_blobs",
        "public.checkpoint_writes",
    }  # of big-acme
    assert _places(dsn, studio) == set() and _places(dsn, other_studio)
    assert (await memory.erasure.verify(context=ADA)).hits == 0
    assert all([(await memory.erasure.verify(context=other)).hits for other in OTHERS])
    with pytest.raises(NotFound, match="no thread"):
        await memory.resume("asks", context=ADA)
    assert [len(await memory.threads(context=context)) for context in (ADA, *OTHERS)] == [0, 3, 3]
    again = await memory.erase(context=ADA)
    assert again.complete and again.counts == {} and again.runs == 1


WHAT: list[tuple[Erased, str]] = [("user", ""), ("thread", "a"), ("fact", "a")]
ATTRIBUTE: LiteralString = "insert into perdure.attributes values"
PLANTED: dict[str, tuple[LiteralString, str]] = {
    "the author of a tenant's attribute": (
        f"{ATTRIBUTE} ('acme', 'pet.toy', 'many', 'fact', '{{}}', '{{}}', '', 'ada@home/1', now())",
        "attributes.author",
    ),
    "an erased sentence among words of a tenant": (
        f"{ATTRIBUTE} ('acme', 'pet.toy', 'many', 'fact', '{{}}', '{{I have a cat called Momo.}}', '', 'user', now())",
        "attributes.korean",
    ),
    "a thread's key within somebody else's memory": (
        "update perdure.episodes set details = jsonb_build_object('see', array[%(told)s])",
        "episodes.details",
    ),
    "the id in the metadata of a thread of nobody": (
        "insert into checkpoints values ('x', '', '1', null, null, '{}', '{\"who\": [\"ada@home/1\"]}')",
        "checkpoints.metadata",
    ),
    "the id in a value of a thread of nobody": (
        "insert into checkpoint_blobs values ('x', '', 'told', '1', 'msgpack', %(blob)s)",
        "checkpoint_blobs.blob",
    ),
    "a key in a write of somebody else's thread": (
        "insert into checkpoint_writes values ('acme/b/c', '', '1', 't', 0, 'told', 'msgpack', %(key)s)",
        "checkpoint_writes.blob",
    ),
}


@pytest.mark.parametrize("planted", PLANTED)
async def test_the_proof_finds_what_no_deletion_knows_of(planted: str, memory: Memory, dsn: str) -> None:
    await memory.ask(CAT, thread="t", context=ADA)
    await memory.ask("I sing.", thread="t", context=OTHERS[0])
    statement, place = PLANTED[planted]
    packed = {
        "told": "acme/ada%40home%2F1/first",
        "blob": JsonPlusSerializer().dumps_typed({"a": [HumanMessage("ada@home/1")]})[1],
        "key": JsonPlusSerializer().dumps_typed(["acme/ada%40home%2F1/first"])[1],
    }
    with psycopg.connect(dsn) as connection:
        connection.execute(statement, packed)
    receipt = await memory.erase(context=ADA)
    assert [f"{trace.table}.{trace.column}" for trace in receipt.proof.traces] == [place]
    assert not receipt.complete and receipt.proof.hits == 1


async def test_a_thread_goes_with_what_was_said_in_it_and_with_nothing_else(memory: Memory, dsn: str) -> None:
    await memory.ask(MOVED, thread="t1", context=ADA)
    await memory.ask("I live in Mokpo now.", thread="t2", context=ADA)
    await memory.ask(CAT, thread="t2", context=ADA)
    await memory.ask("I live in Mokpo now.", thread="t2", context=OTHERS[0])
    await memory.costs.ledger.flush()  # else it is saved while the thread is erased
    before = untouched(dsn, ADA.scope)
    receipt = await memory.erase(thread="t2", context=ADA)
    assert receipt.complete and receipt.counts["threads"] == 1 and receipt.counts["episodes"] == 2
    facts = await memory.facts.facts(ADA.scope, history=True)
    assert [(fact.value, fact.valid_to) for fact in facts] == [("Gyeongju", None)]
    assert [thread.thread for thread in await memory.threads(context=ADA)] == ["t1"]
    assert receipt.proof.traces == () and _places(dsn, CAT) == set()
    assert untouched(dsn, ADA.scope) == before
    assert (await memory.facts.rebuild(ADA.scope, check=True)).identical
    with pytest.raises(NotFound, match="'t2'"):
        await memory.erase(thread="t2", context=ADA)
    with pytest.raises(InvalidInput):
        await memory.erase(thread="t1", fact=facts[0].id, context=ADA)


async def test_a_fact_goes_with_the_exchanges_and_what_is_left_is_told(memory: Memory, dsn: str) -> None:
    await memory.ask(f"{CAT} {FORMER}", thread="t1", context=ADA)
    await memory.ask("My sister calls the cat Momo, too.", thread="t2", context=ADA)
    work = await memory.facts.find(ADA.scope, "work.employer")
    (cat,) = [fact for fact in await memory.facts.facts(ADA.scope) if "Momo" in fact.content and fact.thread == "t1"]
    receipt = await memory.erase(fact=cat.id, context=ADA)
    assert receipt.complete and receipt.counts["episodes"] == 1 and receipt.counts["checkpoints"] > 0
    assert work.id in {fact.id for fact in await memory.facts.facts(ADA.scope)}
    assert [thread.thread for thread in await memory.threads(context=ADA)] == ["t2"]
    # The other thread was given the fact to answer with: that is told, and where.
    left = {place.removeprefix("public.") for place in _places(dsn, CAT)}
    assert left == {"checkpoint_blobs", "checkpoint_writes"} <= {trace.table for trace in receipt.proof.traces}
    assert {trace.where for trace in receipt.proof.traces if trace.table in left} == {("acme/ada%40home%2F1/t2",)}
    assert all(trace.holds == "text" and "Momo" not in str(trace) for trace in receipt.proof.traces)
    await memory.erase(thread="t2", context=ADA)
    assert _places(dsn, CAT) == set()
    with pytest.raises(NotFound, match=str(cat.id)):
        await memory.erase(fact=cat.id, context=ADA)


async def test_a_turn_that_is_under_way_ends_before_it_is_erased(
    scripted_settings: Settings, openai_server: ScriptedOpenAI
) -> None:
    openai_server.script("reply", Hang())
    async with open_memory(scripted_settings) as running, open_memory(scripted_settings) as other:
        turn = asyncio.create_task(running.ask(MOVED, thread="t1", context=ADA))
        while not openai_server.asked("reply"):  # noqa: ASYNC110  # the server asked is another thread
            await asyncio.sleep(0.02)
        erasing = asyncio.create_task(other.erase(context=ADA))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(erasing), 0.5)
        openai_server.release()
        await turn
        receipt = await erasing
        assert receipt.complete and receipt.proof.hits == 0 and receipt.counts["episodes"] == 1
        assert (await running.ask("Hello, it is me.", thread="t1", context=ADA)).text
        assert len((await running.graph.aget_state(_config("acme/ada%40home%2F1/t1"))).values["messages"]) == 2


@pytest.fixture
async def apart(postgres: EmbeddedPostgres, dsn: str) -> AsyncIterator[Memory]:
    """Memory and checkpoints in two databases."""
    other = create_database(postgres)
    settings = Settings(memory_url=dsn, checkpoint_url=other)  # type: ignore[arg-type]  # pydantic makes secrets of them
    async with open_memory(settings) as memory:
        yield memory
    drop_database(postgres, other)


async def test_checkpoints_in_a_database_of_their_own_are_erased_and_searched(apart: Memory) -> None:
    await _tell(apart, ADA)
    studio = await _tell_in_studio(apart, ADA)
    receipt = await apart.erase(context=ADA)
    assert receipt.complete and receipt.counts["threads"] == 4 and receipt.counts["checkpoint_writes"] > 0
    assert {table.table for table in receipt.proof.scanned} >= {"checkpoints", "checkpoint_blobs", "statements"}
    assert (await apart.graph.aget_state(_config(studio))).created_at is None


async def test_the_caches_of_the_process_are_erased_too(
    scripted_settings: Settings, openai_server: ScriptedOpenAI
) -> None:
    async with open_memory(scripted_settings) as memory:
        for expected in (1, 1):
            await memory.recall("Where do I hide?", context=ADA)
            assert len(openai_server.asked("embed")) == expected
        await memory.erase(context=ADA)
        await memory.recall("Where do I hide?", context=ADA)
        assert len(openai_server.asked("embed")) == 2


class _Files:
    """What is kept outside of the tables: a folder of names of threads, as archives are."""

    def __init__(self, *threads: str) -> None:
        self.threads = set(threads)

    async def forget(self, scope: Scope, thread: str | None) -> Mapping[str, int]:
        gone = {name for name in self.threads if thread in {None, name}}
        self.threads -= gone
        return {"files": len(gone)} if gone else {}

    async def bring_back(self, scope: Scope, thread: str) -> None:
        self.threads.discard(thread)


async def test_what_is_kept_outside_of_the_tables_is_forgotten_and_counted(memory: Memory) -> None:
    files = _Files("t1", "t2", "t3", "archived")
    erasure = replace(memory.erasure, elsewhere=[files])
    for thread in ("t1", "t2", "t3"):
        await memory.ask(f"I live in Gyeongju. It is {thread}.", thread=thread, context=ADA)
    await memory.ask(CAT, thread="t2", context=ADA)
    (cat,) = [fact for fact in await memory.facts.facts(ADA.scope) if "Momo" in fact.content]
    assert (await erasure.fact(cat.id, context=ADA)).complete and files.threads == {"t1", "t3", "archived"}
    assert (await erasure.thread("archived", context=ADA)).counts == {"files": 1}
    assert (await erasure.thread("t1", context=ADA)).counts["files"] == 1
    assert (await erasure.user(context=ADA)).counts["files"] == 1 and not files.threads


async def test_of_a_user_who_is_not_known_nothing_is_erased(memory: Memory) -> None:
    receipt = await memory.erase(context=Context(user="nobody"))
    assert receipt.counts == {} and receipt.complete and receipt.proof.rows > 0


async def test_a_common_name_is_no_trace_of_its_user(memory: Memory) -> None:
    for user in ("user", "default", "agent"):
        context = Context(user=user)
        await memory.ask(CAT, thread="t", context=context)
        assert (await memory.erase(context=context)).proof.traces == ()


def _config(thread: str) -> Any:
    return {"configurable": {"thread_id": thread}}


def test_subjects_are_told_apart_and_name_nobody() -> None:
    scopes = [Scope(user="ada", tenant="b"), Scope(user="b", tenant="ada")]
    subjects = [Subject(scope, what, name) for scope in scopes for what, name in WHAT]
    assert len({subject.hash for subject in subjects}) == len(subjects)
    assert all(b"ada" not in subject.hash and len(subject.hash) == 32 for subject in subjects)

"""The saver's operations on a real PostgreSQL."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from datetime import datetime, timedelta
from typing import Annotated, Any
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import interrupt
from psycopg.conninfo import make_conninfo
from typing_extensions import TypedDict
from wire_proxy import proxied

from perdure.errors import DatabaseUnavailable, DatabaseUnsuitable
from perdure.stores.checkpoints import PooledSaver, open_saver, saver_over
from perdure.stores.pending import thread_heads
from perdure.stores.pool import Connection, Pool, connect, open_pool

CAPABILITIES = {
    "put",
    "put_writes",
    "get_tuple",
    "list",
    "delete_thread",
    "delete_for_runs",
    "copy_thread",
    "prune",
}


class Talk(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]
    notes: dict[str, Any]


def talk(saver: PooledSaver, *, ask: bool = False) -> CompiledStateGraph[Talk, None, Talk, Talk]:
    def answer(state: Talk) -> dict[str, Any]:
        return {"messages": [AIMessage(f"{state['messages'][-1].text}? 그렇군요.")], "notes": {"asked": ask}}

    def confirm(state: Talk) -> dict[str, Any]:
        return {"notes": {"decision": interrupt("기억할까요?")}} if ask else {}

    graph = StateGraph(Talk)
    graph.add_sequence([answer, confirm])
    graph.add_edge(START, "answer")
    return graph.compile(checkpointer=saver)


def thread(name: str) -> RunnableConfig:
    return RunnableConfig(configurable={"thread_id": name})


def said(text: str) -> Talk:
    return {"messages": [HumanMessage(text)], "notes": {}}


async def count(pool: Pool, table: str) -> int:
    async with pool.connection() as connection:
        row = await (await connection.execute(f"select count(*) as n from {table}".encode())).fetchone()
    assert row is not None
    return int(row["n"])


async def test_the_conformance_suite_of_langgraph(database: str) -> None:
    @checkpointer_test(name="PooledSaver")
    async def saver() -> AsyncGenerator[PooledSaver, None]:
        async with open_saver(database) as opened:
            yield opened

    report = await validate(saver)
    assert {name: result.failures for name, result in report.results.items()} == {name: [] for name in CAPABILITIES}
    assert all(result.passed for result in report.results.values())


OPEN = """
import asyncio, sys
from perdure.stores.checkpoints import open_saver

async def main():
    async with open_saver(sys.argv[1], size=1) as saver:
        await saver.aget_tuple({"configurable": {"thread_id": "t"}})

asyncio.run(main())
"""


async def test_four_processes_may_set_up_at_once(database: str) -> None:
    processes = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", OPEN, database, stderr=asyncio.subprocess.PIPE)
        for _ in range(4)
    ]
    errors = [(await process.communicate())[1].decode() for process in processes]
    assert [(process.returncode, error) for process, error in zip(processes, errors, strict=True)] == [(0, "")] * 4


async def test_eight_tasks_may_set_up_at_once(database: str) -> None:
    async with open_pool(database, size=8) as pool:
        await asyncio.gather(*(saver_over(pool) for _ in range(8)))
        assert await count(pool, "checkpoint_migrations") > 0
        locks = "pg_locks join pg_database on pg_database.oid = database where datname = current_database()"
        assert await count(pool, f"{locks} and locktype = 'advisory'") == 0


async def test_operations_run_side_by_side(database: str) -> None:
    async with (
        open_saver(database, size=6) as saver,
        await connect(database) as holder,
        await connect(database) as watcher,
    ):
        async with holder.transaction():
            await holder.execute("lock table checkpoints in access exclusive mode")
            reads = [asyncio.create_task(saver.aget_tuple(thread(f"t{n}"))) for n in range(6)]
            async with asyncio.timeout(30):
                await until_waiting(watcher, 6)  # all six are on the server, each on a connection of its own
        assert await asyncio.gather(*reads) == [None] * 6


async def until_waiting(connection: Connection, connections: int) -> None:
    query = (
        "select count(*) >= %s as enough from pg_stat_activity"
        " where datname = current_database() and wait_event_type = 'Lock'"
    )
    while True:
        row = await (await connection.execute(query, (connections,))).fetchone()
        if row and row["enough"]:
            return
        await asyncio.sleep(0.02)


async def test_many_threads_at_once_keep_their_states_apart(database: str) -> None:
    async with open_saver(database, size=4) as saver:
        graph = talk(saver)
        await asyncio.gather(*(graph.ainvoke(said(f"말 {n}"), thread(f"t{n}")) for n in range(12)))
        for n in range(12):
            messages = (await graph.aget_state(thread(f"t{n}"))).values["messages"]
            assert [message.text for message in messages] == [f"말 {n}", f"말 {n}? 그렇군요."]


async def test_a_lost_server_is_told(database: str) -> None:
    async with open_pool(database) as pool:
        saver = await saver_over(pool)
    with pytest.raises(DatabaseUnavailable, match="closed already"):
        await saver.aget_tuple(thread("t"))
    with pytest.raises(DatabaseUnavailable, match="closed already"):
        await anext(saver.alist(thread("t")))


async def test_an_edit_of_the_state_keeps_custom_metadata(database: str) -> None:
    """FC46. What the edit itself says wins, and it belongs to no run."""
    async with open_saver(database) as saver:
        graph = talk(saver)
        run = thread("t") | {"metadata": {"user_id": "u1", "channel": "web"}, "run_id": uuid4()}
        await graph.ainvoke(said("안녕"), run)
        before = [found async for found in graph.aget_state_history(thread("t"), filter={"user_id": "u1"})]
        await graph.aupdate_state(thread("t"), {"notes": {"edited": True}})
        await graph.aupdate_state(thread("t") | {"metadata": {"channel": "desk"}}, {"notes": {"edited": "twice"}})
        after = [found async for found in graph.aget_state_history(thread("t"), filter={"user_id": "u1"})]

        assert len(after) == len(before) + 2
        assert after[0].metadata is not None and after[1].metadata is not None
        assert (after[1].metadata.get("source"), after[1].metadata.get("channel")) == ("update", "web")
        assert after[0].metadata.get("channel") == "desk"
        assert "run_id" not in after[0].metadata


async def test_deleting_a_run_takes_its_values_and_leaves_those_of_others(database: str) -> None:
    async with open_pool(database) as pool:
        saver = await saver_over(pool)
        graph = talk(saver)
        first, second = str(uuid4()), str(uuid4())
        await graph.ainvoke(said("하나"), thread("t") | {"metadata": {"run_id": first}})
        blobs = await count(pool, "checkpoint_blobs")
        before = await graph.aget_state(thread("t"))
        await graph.ainvoke(said("둘"), thread("t") | {"metadata": {"run_id": second}})
        assert await count(pool, "checkpoint_blobs") > blobs

        await saver.adelete_for_runs([second])
        assert await count(pool, "checkpoint_blobs") == blobs
        assert await graph.aget_state(thread("t")) == before
        await saver.adelete_for_runs([first, second])
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            assert await count(pool, table) == 0


async def test_runs_are_found_by_an_index(database: str) -> None:
    async with open_saver(database), await connect(database) as connection:
        await connection.execute("set enable_seqscan = off")
        query = "explain select 1 from checkpoints where metadata ->> 'run_id' = any(array['a', 'b'])"
        plan = await (await connection.execute(query)).fetchall()
        assert any("checkpoints_run_id_idx" in line["QUERY PLAN"] for line in plan)


async def test_a_copied_thread_waits_for_its_own_decision(database: str) -> None:
    async with open_saver(database) as saver:
        graph = talk(saver, ask=True)
        await graph.ainvoke(said("이사했어"), thread("from"))
        await saver.acopy_thread("from", "to")
        source, copy = await graph.aget_state(thread("from")), await graph.aget_state(thread("to"))
        assert copy.values == source.values
        assert [found.value for found in copy.interrupts] == ["기억할까요?"]
        assert copy.config.get("configurable", {})["thread_id"] == "to"
        await saver.adelete_thread("from")
        assert (await graph.aget_state(thread("to"))).values == source.values


async def test_threads_are_listed_by_a_literal_prefix_the_latest_first(database: str) -> None:
    async with open_pool(database) as pool:
        saver = await saver_over(pool)
        graph = talk(saver)
        for name in ("a_b/one", "axb/two", "a%/three", "a_b/둘", "b/four"):
            await graph.ainvoke(said("안녕"), thread(name))
        subgraph = RunnableConfig(configurable={"thread_id": "a_b/one", "checkpoint_ns": "child:1"})
        await saver.aput(subgraph, empty_checkpoint(), {"source": "loop", "step": 1, "parents": {}}, {})
        found = await thread_heads(pool, saver.serde, "a_b/")
        assert [record.thread for record in found] == ["a_b/둘", "a_b/one"]
        assert [record.thread for record in await thread_heads(pool, saver.serde, "a%")] == ["a%/three"]
        assert len(await thread_heads(pool, saver.serde, "")) == 5
        assert await thread_heads(pool, saver.serde, "nobody/") == []

        history = [state async for state in graph.aget_state_history(thread("a_b/one"))]
        assert found[1].checkpoints == len(history)
        assert found[1].updated_at == datetime.fromisoformat(history[0].created_at or "")
        assert found[1].updated_at.utcoffset() == timedelta(0)


async def test_a_thread_is_listed_until_it_is_deleted(database: str) -> None:
    async with open_pool(database) as pool:
        saver = await saver_over(pool)
        assert await thread_heads(pool, saver.serde, "") == []
        await talk(saver).ainvoke(said("안녕"), thread("t"))
        assert [record.thread for record in await thread_heads(pool, saver.serde, "")] == ["t"]
        await saver.adelete_thread("t")
        assert await thread_heads(pool, saver.serde, "") == []


async def test_tables_that_are_there_are_used_by_whoever_may_not_make_them(database: str) -> None:
    readers = make_conninfo(database, options="-c default_transaction_read_only=on")
    with pytest.raises(DatabaseUnsuitable, match="read-only"):
        async with open_saver(readers):
            pass
    async with open_saver(database) as saver:
        await talk(saver).ainvoke({"messages": [HumanMessage("안녕")], "notes": {}}, thread("t"))
    async with open_saver(readers) as saver:
        state = await talk(saver).aget_state(thread("t"))
    assert [message.text for message in state.values["messages"]] == ["안녕", "안녕? 그렇군요."]


async def test_a_pooler_serves_the_tables_and_does_not_make_them(database: str) -> None:
    async with proxied(database, pooler=True) as proxy:
        with pytest.raises(DatabaseUnsuitable, match="perdure migrate"):
            async with open_saver(proxy.dsn):
                pass
        async with open_saver(database):
            pass
        async with open_saver(proxy.dsn) as saver:
            await talk(saver).ainvoke({"messages": [HumanMessage("안녕")], "notes": {}}, thread("t"))

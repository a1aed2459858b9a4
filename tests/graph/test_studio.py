"""The graph as LangGraph Studio sees it: the real server, our checkpointer, a kill in mid-turn, and a restart."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from scripted_openai import Hang, Say, ScriptedOpenAI
from studio_server import StudioServer

USER = {"user": "ada"}
MOVED = {
    "action": "assert",
    "attribute": "home.city",
    "value": "Seoul",
    "content": "I moved to Seoul.",
    "evidence": "I moved to Seoul",
}


@pytest.fixture
def server(tmp_path: Path, local_database: str, openai_server: ScriptedOpenAI) -> Iterator[StudioServer]:
    server = StudioServer(tmp_path, {"DATABASE_URL": local_database, "OPENAI_BASE_URL": openai_server.url})
    server.start()
    yield server
    server.kill()


async def test_a_turn_cut_short_by_a_killed_server_is_finished_by_the_next(
    server: StudioServer, openai_server: ScriptedOpenAI
) -> None:
    client = get_client(url=server.url)
    await _check_schemas(client)
    await _check_consolidation(client)
    thread = await _thread(client)
    openai_server.script("reply", "Noted.")
    openai_server.script("extract", Hang(then="{}"), Say(json.dumps({"operations": [MOVED]})))
    message: Any = {"messages": [{"role": "user", "content": "I moved to Seoul."}]}
    await client.runs.create(thread, "perdure", input=message, context=USER)
    while not openai_server.asked("extract"):  # noqa: ASYNC110  # the server asked is another thread
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.3)  # the checkpoint behind `respond` is written while `extract` already runs
    server.kill()
    server.start()
    client = get_client(url=server.url)
    await _thread(client, thread)
    state = await client.threads.get_state(thread)
    assert state["next"] == ["extract"]
    await _run(client, thread, None)
    values = await _values(client, thread)
    assert [message["type"] for message in values["messages"]] == ["human", "ai"]
    assert [receipt["after"]["value"] for receipt in values["written"]] == ["Seoul"]
    assert len(openai_server.asked("reply")) == 1


async def test_an_interrupt_is_shown_survives_a_kill_and_is_answered(
    server: StudioServer, openai_server: ScriptedOpenAI
) -> None:
    client = get_client(url=server.url)
    thread = await _thread(client)
    openai_server.script("extract", json.dumps({"operations": [MOVED]}))
    asking = {**USER, "policy": "ask"}
    message = {"messages": [{"role": "user", "content": "I moved to Seoul."}]}
    await _run(client, thread, message, context=asking)
    server.kill()

    server.start()
    client = get_client(url=server.url)
    await _thread(client, thread)
    state = await client.threads.get_state(thread)
    (interrupt,) = state["tasks"][0]["interrupts"]
    (request,) = interrupt["value"]["action_requests"]
    assert request["name"] == "memory_write" and request["args"]["value"] == "Seoul"
    edited = {"type": "edit", "edited_action": {"name": "memory_write", "args": {**request["args"], "value": "Busan"}}}
    await _run(client, thread, None, context=asking, command={"resume": {"decisions": [edited]}})
    values = await _values(client, thread)
    assert [receipt["after"]["value"] for receipt in values["written"]] == ["Busan"]


async def _check_schemas(client: LangGraphClient) -> None:
    (assistant,) = await client.assistants.search(graph_id="perdure")
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    shown = {name: set(schema["properties"]) for name, schema in schemas.items() if isinstance(schema, dict)}
    assert shown["input_schema"] == {"messages"}
    assert shown["output_schema"] == {"messages", "recalled", "written", "usage"}
    assert {"user", "as_of", "language", "policy"} <= shown["context_schema"]


async def _check_consolidation(client: LangGraphClient) -> None:
    """The second graph, with the same checkpointer, over the same memory."""
    (assistant,) = await client.assistants.search(graph_id="consolidation")
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    assert {"user", "similarity", "dry_run"} <= set((schemas["context_schema"] or {})["properties"])
    done: Any = await client.runs.wait(None, "consolidation", input={"cursor": ""}, context=USER)
    assert (done["surveyed"], done["merges"]) == (0, [])


async def _thread(client: LangGraphClient, thread: str | None = None) -> str:
    created = await client.threads.create(
        thread_id=thread or str(uuid.uuid4()), if_exists="do_nothing", graph_id="perdure"
    )
    return str(created["thread_id"])


async def _run(client: LangGraphClient, thread: str, message: Any, *, context: Any = USER, command: Any = None) -> None:
    async for event in client.runs.stream(thread, "perdure", input=message, context=context, command=command):
        assert event.event != "error", event.data


async def _values(client: LangGraphClient, thread: str) -> dict[str, Any]:
    state = await client.threads.get_state(thread)
    assert state["next"] == []
    values: dict[str, Any] = dict(state["values"])  # type: ignore[arg-type]
    return values

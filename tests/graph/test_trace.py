"""What a tracer sees of a turn: why something was or was not remembered."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import HumanMessage

from perdure import Context, Memory, Settings, open_memory


class Tracer(AsyncCallbackHandler):
    """Keeps what each node gave back, as a tracing service would."""

    def __init__(self) -> None:
        self.names: dict[UUID, str] = {}
        self.outputs: dict[str, Any] = {}

    async def on_chain_start(self, serialized: Any, inputs: Any, *, run_id: UUID, **more: Any) -> None:
        self.names[run_id] = str(more.get("name"))

    async def on_chain_end(self, outputs: Any, *, run_id: UUID, **more: Any) -> None:
        self.outputs[self.names[run_id]] = outputs


@pytest.fixture
async def memory(local_database: str) -> AsyncIterator[Memory]:
    settings = Settings(database_url=local_database)  # type: ignore[arg-type]  # pydantic makes a secret of it
    async with open_memory(settings) as memory:
        yield memory


@pytest.mark.parametrize(
    ("said", "remember"),
    [("I live in Busan.", True), ("Thanks a lot!", False), ("부산 날씨 어때?", False), ("나는 부산에 살아.", True)],
)
async def test_the_gates_decision_and_its_reason_are_in_the_trace(memory: Memory, said: str, remember: bool) -> None:
    tracer = Tracer()
    await memory.graph.ainvoke(
        {"messages": [HumanMessage(said)]},
        {"configurable": {"thread_id": "default/u1/t1"}, "callbacks": [tracer]},
        context=Context(user="u1"),
    )
    gate = tracer.outputs["extract"]["candidates"]["gate"]
    assert gate["remember"] is remember and gate["why"]
    assert bool(tracer.outputs["write"]["written"]) is remember

"""What comes back from a checkpoint: what was saved, its plain data, or an error on saving; never None in its place.

Two reports of other projects are tests here: FC43, a dataclass with a field that its constructor does not take loaded as
None; FC44, Fraction and complex could not be saved. The latter are refused, because state is plain JSON and messages.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.graph import START, StateGraph
from pydantic import BaseModel
from typing_extensions import TypedDict

from perdure.stores.checkpoints import PooledSaver, open_saver


@dataclass
class Derived:
    """FC43: one field is not an argument of the constructor."""

    name: str
    size: int = field(init=False, default=7)


class Preference(BaseModel):
    theme: str


class Notes(TypedDict):
    notes: dict[str, Any]


async def round_trip(saver: PooledSaver, value: object) -> object:
    """Through a checkpoint, and as the pending write of a node."""
    config = RunnableConfig(configurable={"thread_id": str(uuid4()), "checkpoint_ns": ""})
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"], checkpoint["channel_versions"] = {"held": value}, {"held": "1"}
    saved = await saver.aput(config, checkpoint, {"source": "loop", "step": 1, "parents": {}}, {"held": "1"})
    await saver.aput_writes(saved, [("held", value)], str(uuid4()))
    found = await saver.aget_tuple(saved)
    assert found is not None
    assert found.pending_writes is not None
    assert repr(found.pending_writes[0][2]) == repr(found.checkpoint["channel_values"]["held"])
    return found.checkpoint["channel_values"]["held"]


@pytest.mark.parametrize(
    "value",
    [
        {"text": "서울 🏙", "list": [1, 2.5, None, True], "nested": {"": []}},
        [HumanMessage("안녕", id="1"), AIMessage("네", id="2", tool_calls=[{"name": "f", "args": {}, "id": "3"}])],
        [ToolMessage("결과", tool_call_id="3", id="4")],
        "line\nfeed",
        datetime(2026, 10, 1, tzinfo=UTC),
    ],
    ids=["json", "messages", "tool message", "text", "instant"],
)
async def test_plain_values_and_messages_come_back_as_they_were(database: str, value: object) -> None:
    async with open_saver(database) as saver:
        assert await round_trip(saver, value) == value


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Derived("a"), {"name": "a", "size": 7}),
        ({"deep": [Derived("a")]}, {"deep": [{"name": "a", "size": 7}]}),
        (Preference(theme="dark"), {"theme": "dark"}),
    ],
    ids=["FC43", "FC43 nested", "pydantic"],
)
async def test_an_object_of_another_class_comes_back_as_its_data(database: str, value: object, plain: object) -> None:
    async with open_saver(database) as saver:
        assert await round_trip(saver, value) == plain


@pytest.mark.parametrize("value", [Fraction(1, 3), 1j, object(), [1j]], ids=["fraction", "complex", "object", "nested"])
async def test_what_cannot_be_saved_is_refused(database: str, value: object) -> None:
    """FC44."""
    async with open_saver(database) as saver:
        with pytest.raises(TypeError, match="not msgpack serializable"):
            await round_trip(saver, value)


async def test_a_node_that_returns_what_cannot_be_saved_fails_its_run(database: str) -> None:
    def third(state: Notes) -> dict[str, Any]:
        return {"notes": {"share": Fraction(1, 3)}}

    config = RunnableConfig(configurable={"thread_id": "t"})
    async with open_saver(database) as saver:
        graph = StateGraph(Notes)
        graph.add_node(third)
        graph.add_edge(START, "third")
        with pytest.raises(TypeError, match="not msgpack serializable"):
            await graph.compile(checkpointer=saver).ainvoke({"notes": {}}, config, durability="async")

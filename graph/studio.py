"""What langgraph.json names: the graphs and their checkpointer, for LangGraph Studio and the LangGraph server.

The server opens the checkpointer once, in its own event loop, and gives the graph this checkpointer; the memory that
is opened with it serves every run.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, get_running_loop
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary

from langgraph.checkpoint.base import BaseCheckpointSaver

from perdure.app import open_memory
from perdure.errors import ConfigurationError
from perdure.graph.consolidation import ConsolidationGraph
from perdure.memory import Graph, Memory

_opened: WeakKeyDictionary[AbstractEventLoop, Memory] = WeakKeyDictionary()


@asynccontextmanager
async def checkpointer() -> AsyncIterator[BaseCheckpointSaver[str]]:
    """The pooled Postgres saver; its memory stays open as long as the server runs."""
    async with open_memory() as memory:
        _opened[get_running_loop()] = memory
        yield memory.checkpointer


async def graph() -> Graph:
    """The graph over the open memory, without a checkpointer: the server sets its own, which is the one above."""
    return _memory().builder.compile(name="perdure")


async def consolidation() -> ConsolidationGraph:
    """The graph that merges what says the same, over the same memory."""
    return _memory().consolidation.builder.compile(name="consolidation")


def _memory() -> Memory:
    memory = _opened.get(get_running_loop())
    if memory is None:
        raise ConfigurationError("the graph was asked for before its checkpointer: name both in langgraph.json")
    return memory

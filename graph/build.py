"""The graph: retrieve → respond → extract → write, over one typed state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from langgraph.graph import END, START, StateGraph
from langgraph.types import RetryPolicy

from perdure.errors import DatabaseUnavailable
from perdure.graph.context import Context
from perdure.graph.state import InputState, OutputState, State
from perdure.layer import MemoryLayer
from perdure.nodes.extract import extract
from perdure.nodes.respond import respond
from perdure.nodes.retrieve import retrieve
from perdure.nodes.write import write
from perdure.ports import Replier, Summariser

Builder = StateGraph[State, Context, InputState, OutputState]

DATABASE_RETRY = RetryPolicy(max_attempts=3, initial_interval=0.2, retry_on=DatabaseUnavailable)
"""A dropped connection is worth another try; every write is idempotent."""


@dataclass(frozen=True, slots=True)
class Resources:
    """What the nodes work with. Without a summariser, messages beyond the budget are left out of the prompt."""

    memory: MemoryLayer
    replier: Replier
    summariser: Summariser | None


def build_graph(resources: Resources) -> Builder:
    """The graph, not compiled: `compile(checkpointer=…)` it, or let the server do so."""
    memory = resources.memory
    answering = partial(respond, memory=memory, replier=resources.replier, summariser=resources.summariser)
    builder = StateGraph(State, Context, input_schema=InputState, output_schema=OutputState)
    builder.add_node("retrieve", partial(retrieve, memory=memory), retry_policy=DATABASE_RETRY)
    builder.add_node("respond", answering)
    builder.add_node("extract", partial(extract, memory=memory))
    builder.add_node("write", partial(write, memory=memory), retry_policy=DATABASE_RETRY)
    builder.add_edge(START, "retrieve")
    builder.add_edge("retrieve", "respond")
    builder.add_edge("respond", "extract")
    builder.add_edge("extract", "write")
    builder.add_edge("write", END)
    return builder

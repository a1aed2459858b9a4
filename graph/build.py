"""The graph: retrieve → respond → extract → write, over one typed state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from langgraph.graph import END, START, StateGraph
from langgraph.types import RetryPolicy

from perdure.errors import DatabaseUnavailable
from perdure.graph.accounts import on_account
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
    memory, ledger = resources.memory, resources.memory.ledger
    answering = partial(respond, memory=memory, replier=resources.replier, summariser=resources.summariser)
    builder = StateGraph(State, Context, input_schema=InputState, output_schema=OutputState)
    builder.add_node("retrieve", on_account(partial(retrieve, memory=memory), ledger), retry_policy=DATABASE_RETRY)
    builder.add_node("respond", on_account(answering, ledger))
    builder.add_node("extract", on_account(partial(extract, memory=memory), ledger))
    builder.add_node("write", on_account(partial(write, memory=memory), ledger), retry_policy=DATABASE_RETRY)
    builder.add_edge(START, "retrieve")
    builder.add_edge("retrieve", "respond")
    builder.add_edge("respond", "extract")
    builder.add_edge("extract", "write")
    builder.add_edge("write", END)
    return builder

"""The graph of the consolidation: survey → propose → merge, batch by batch, until all facts were looked at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from perdure.consolidation_ports import ConsolidationStore, Wording
from perdure.graph.build import DATABASE_RETRY
from perdure.graph.consolidation_context import ConsolidationContext
from perdure.graph.consolidation_state import DONE, ConsolidationInput, ConsolidationOutput, ConsolidationState
from perdure.nodes.merge import merge
from perdure.nodes.propose import propose
from perdure.nodes.survey import survey
from perdure.ports import Embeddings

ConsolidationBuilder = StateGraph[ConsolidationState, ConsolidationContext, ConsolidationInput, ConsolidationOutput]
ConsolidationGraph = CompiledStateGraph[
    ConsolidationState, ConsolidationContext, ConsolidationInput, ConsolidationOutput
]


@dataclass(frozen=True, slots=True)
class ConsolidationResources:
    """What the nodes work with. Without a wording, a rule chooses the sentence among those that there are."""

    store: ConsolidationStore
    embeddings: Embeddings
    wording: Wording | None


def build_consolidation(resources: ConsolidationResources) -> ConsolidationBuilder:
    """The graph, not compiled: `compile(checkpointer=…)` it, or let the server do so."""
    store = resources.store
    builder = StateGraph(
        ConsolidationState,
        ConsolidationContext,
        input_schema=ConsolidationInput,
        output_schema=ConsolidationOutput,
    )
    builder.add_node("survey", partial(survey, store=store), retry_policy=DATABASE_RETRY)
    builder.add_node("propose", partial(propose, wording=resources.wording))
    builder.add_node("merge", partial(merge, store=store, embeddings=resources.embeddings), retry_policy=DATABASE_RETRY)
    builder.add_edge(START, "survey")
    builder.add_conditional_edges("survey", _next)
    builder.add_edge("propose", "merge")
    builder.add_conditional_edges("merge", _next)
    return builder


def _next(state: ConsolidationState) -> Literal["survey", "propose", "__end__"]:
    if state["groups"]:
        return "propose"
    return "__end__" if state["cursor"] == DONE else "survey"

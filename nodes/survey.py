"""survey: the next facts that say the same as others, batch by batch, until there are groups or all were looked at."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from langgraph.runtime import Runtime

from perdure.alike import groups_of
from perdure.consolidation_ports import ConsolidationStore
from perdure.graph.consolidation_context import ConsolidationContext, consolidation_context
from perdure.graph.consolidation_state import DONE, START, ConsolidationState

BEFORE_ALL = UUID(int=0)


async def survey(
    state: ConsolidationState, runtime: Runtime[ConsolidationContext], *, store: ConsolidationStore
) -> dict[str, Any]:
    """One batch a step, so that a kill costs one; a first step forgets what an earlier run on the thread has left."""
    first = state["cursor"] == START
    context = consolidation_context(runtime)
    context = context if first else ConsolidationContext.model_validate(state["context"])
    taken = [] if first else state["taken"]
    after = BEFORE_ALL if first else UUID(state["cursor"])
    near = await store.neighbours(context.scope, after, context.similarity)
    apart = await store.apart(context.scope)
    groups = groups_of(near.pairs, near.members, apart, set(map(UUID, taken)))
    cursor = str(near.last) if near.last else DONE
    in_groups = [str(fact.id) for group in groups for fact in group.facts]
    return {
        "context": context.model_dump(mode="json"),
        "cursor": cursor,
        "surveyed": near.facts + (0 if first else state["surveyed"]),
        "taken": [identity for identity in (*taken, *in_groups) if identity > cursor],
        "groups": [group.to_json() for group in groups],
        "proposals": [],
        "merges": [] if first else state["merges"],
        "usage": [] if first else state["usage"],
    }

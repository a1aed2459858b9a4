"""extract: the operations that this turn asks for. The reply is out already; a model that fails costs nobody's words."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from perdure.graph.context import Context, context_of
from perdure.graph.state import State
from perdure.graph.turn import turn_of
from perdure.layer import MemoryLayer


async def extract(state: State, runtime: Runtime[Context], *, memory: MemoryLayer) -> dict[str, Any]:
    """Writes `candidates` and the usage of the call, if one was made."""
    context = context_of(runtime)
    recalled = state["recalled"]
    # What held or was believed at another moment is no target for a change that is told now.
    hits = [] if recalled["as_of"] or recalled["as_known_at"] else recalled["hits"]
    extraction = await memory.extract(turn_of(state), hits, model=context.extract_model)
    usage = [extraction.usage.to_json()] if extraction.usage else []
    return {
        "candidates": {
            "operations": [operation.model_dump(mode="json") for operation in extraction.operations],
            "why": extraction.why,
            "complete": extraction.complete,
        },
        "usage": state["usage"] + usage,
    }

"""extract: the operations that this turn asks for, beside those that the model noted while it replied.

The reply is out already; a model that fails costs nobody's words.
"""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from perdure.facts import Operation
from perdure.graph.context import Context, context_of
from perdure.graph.state import State
from perdure.graph.thread import thread_name
from perdure.graph.turn import agent_scope, attributes_of, turn_of
from perdure.graph.upgrade import upgraded
from perdure.layer import MemoryLayer
from perdure.noted import with_noted


async def extract(state: State, runtime: Runtime[Context], *, memory: MemoryLayer) -> dict[str, Any]:
    """Writes `candidates` and the usage of the calls, if any was made."""
    context = context_of(runtime)
    state = upgraded(state, thread_name(runtime, context.scope))
    recalled = state["recalled"]
    # What held or was believed at another moment is no target for a change that is told now.
    elsewhen = recalled["as_of"] or recalled["as_known_at"]
    hits = [] if elsewhen else [hit for hit in recalled["hits"] if not hit["past"]]
    scope = agent_scope(state, context.scope)
    extraction = await memory.extract(scope, turn_of(state), hits, attributes_of(state), model=context.extract_model)
    noted = [Operation.model_validate(item) for item in state["noted"]]
    operations = with_noted(extraction.operations, noted)
    return {
        "candidates": {
            "operations": [operation.model_dump(mode="json") for operation in operations],
            "gate": extraction.gate.to_json(),
            "decisions": state["refused"] + [decision.to_json() for decision in extraction.decisions],
            "why": extraction.why,
            "complete": extraction.complete,
            "at": memory.clock.now().isoformat(),
        },
        "usage": state["usage"] + [call.to_json() for call in extraction.usage],
    }

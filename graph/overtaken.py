"""A turn that new input has overtaken before it was written: a host or a server may start a run while a question waits.

`Turns` finishes such a turn first, or refuses the input. Who runs the graph without it must lose nothing either.
"""

from __future__ import annotations

from typing import cast

from langchain_core.messages import HumanMessage

from perdure.facts import Operation
from perdure.graph.settling import write_settled
from perdure.graph.state import State
from perdure.graph.turn import agent_scope, policy_of
from perdure.layer import MemoryLayer
from perdure.scope import Scope

OVERTAKEN = "a new message came before anybody decided: the question lapsed"


def overtaken(state: State) -> State | None:
    """The state as the turn before left it, if that turn was begun and not written; None if there is none."""
    turn = state.get("turn")
    if not turn or state.get("settled") == turn["message"] or "run_policy" not in turn:
        return None
    messages = state["messages"]
    own = next((place for place, message in enumerate(messages) if message.id == turn["message"]), None)
    if own is None:
        return None
    later = (place for place in range(own + 1, len(messages)) if isinstance(messages[place], HumanMessage))
    return cast(State, {**state, "messages": messages[: next(later, len(messages))]})


async def write_overtaken(state: State, scope: Scope, memory: MemoryLayer) -> None:
    """Write what needed no decision, and keep the exchange. What a person was asked about lapses; see `overtaken`."""
    scope, (policy, run), candidates = agent_scope(state, scope), policy_of(state), state["candidates"]
    # What the model noted while it replied is among the candidates once those were made, and else it is all there is.
    asked = candidates["operations"] if candidates["at"] else state.get("noted", [])
    operations = [Operation.model_validate(item) for item in asked]
    stage = await memory.stage(scope, operations, policy, run)
    stage = stage.settled([OVERTAKEN] * len(stage.asked))
    extracted = candidates["complete"] and bool(candidates["gate"])
    await write_settled(stage, state, scope, memory, extracted=extracted)

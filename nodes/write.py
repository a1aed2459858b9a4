"""write: what the turn asks to remember, under its policy, in one transaction that a retry does not repeat."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from langgraph.errors import GraphInterrupt
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from perdure.errors import InvalidInput
from perdure.facts import Operation
from perdure.graph.context import Context, context_of
from perdure.graph.settling import write_settled
from perdure.graph.state import State
from perdure.graph.thread import thread_name
from perdure.graph.turn import agent_scope, policy_of, turn_zone
from perdure.graph.upgrade import upgraded
from perdure.layer import MemoryLayer
from perdure.review import LAPSED, Review


async def write(state: State, runtime: Runtime[Context], *, memory: MemoryLayer) -> dict[str, Any]:
    """Writes the receipts to `written`. Interrupts, before any side effect, when the policy is to ask a person."""
    context = context_of(runtime)
    state = upgraded(state, thread_name(runtime, context.scope))
    scope, (policy, run) = agent_scope(state, context.scope), policy_of(state)
    candidates = state["candidates"]
    operations = [Operation.model_validate(item) for item in candidates["operations"]]
    stage = await memory.stage(scope, operations, policy, run)
    if stage.asked:
        expires = datetime.fromisoformat(candidates["at"]) + policy.question_lifetime
        lapsed = memory.clock.now() >= expires
        review = Review(stage.asked, expires, turn_zone(state))
        stage = stage.settled([LAPSED] * len(stage.asked) if lapsed else _ask(review, context.reviewer, scope.agent))
    receipts = await write_settled(stage, state, scope, memory, extracted=candidates["complete"])
    return {"written": [receipt.to_json() for receipt in receipts], "settled": state["turn"]["message"]}


def _ask(review: Review, reviewer: str, agent: str) -> list[Operation | str]:
    """A person's last decisions; ones that do not fit are asked for again.

    All that were ever given are part of the replay. Where a write failed after its decisions, new ones are asked for:
    the old must not be taken in their place.
    """
    request, chosen = review.request(), None
    while True:
        try:
            answer = interrupt(request)
        except GraphInterrupt:
            if chosen is None:
                raise
            return chosen
        try:
            chosen = review.decided(answer, reviewer, agent)
        except InvalidInput as error:
            request, chosen = review.request(str(error)), None

"""write: what the turn asks to remember, under the turn's policy, in one transaction that a retry does not repeat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from langgraph.errors import GraphInterrupt
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from perdure.errors import InvalidInput
from perdure.facts import Operation, Receipt, Source
from perdure.graph.context import Context, context_of
from perdure.graph.state import State
from perdure.graph.thread import thread_name
from perdure.graph.turn import turn_of
from perdure.layer import MemoryLayer
from perdure.operations import checked
from perdure.review import decided, review_request


async def write(state: State, runtime: Runtime[Context], *, memory: MemoryLayer) -> dict[str, Any]:
    """Writes the receipts to `written`. Interrupts, before any side effect, when the policy is to ask a person."""
    context = context_of(runtime)
    scope, turn = replace(context.scope, agent=state["turn"]["agent"]), turn_of(state)
    policy = state["turn"]["policy"]
    candidates = state["candidates"]
    operations, dropped = _usable([Operation.model_validate(item) for item in candidates["operations"]])
    if policy == "drop":
        refused = [_dropped(operation, "the run's policy is to write nothing") for operation in operations]
        return {"written": [receipt.to_json() for receipt in (*dropped, *refused)]}
    if policy == "ask" and operations:
        chosen = _ask(operations)
        pairs = list(zip(operations, chosen, strict=True))
        dropped += [_dropped(asked, "a person rejected it") for asked, kept in pairs if kept is None]
        operations = [kept for _, kept in pairs if kept]
    source = Source(at=turn.at, thread=thread_name(runtime, scope), message=turn.message)
    receipts = await memory.save(scope, operations, source, exchange=turn, extracted=candidates["complete"])
    return {"written": [receipt.to_json() for receipt in (*receipts, *dropped)]}


def _ask(operations: list[Operation]) -> list[Operation | None]:
    """A person's last decisions; ones that do not fit are asked for again.

    All that were ever given are part of the replay. Where a write failed after its decisions, new ones are asked for:
    the old must not be taken in their place.
    """
    request, chosen = review_request(operations), None
    while True:
        try:
            answer = interrupt(request)
        except GraphInterrupt:
            if chosen is None:
                raise
            return chosen
        try:
            chosen = decided(operations, answer)
        except InvalidInput as error:
            request, chosen = review_request(operations) | {"error": str(error)}, None


def _usable(operations: list[Operation]) -> tuple[list[Operation], list[Receipt]]:
    """Operations that can be stored, and a receipt for each that cannot: one bad candidate does not cost the others."""
    usable: list[Operation] = []
    dropped: list[Receipt] = []
    for operation in operations:
        try:
            usable.append(checked(operation))
        except InvalidInput as error:
            dropped.append(_dropped(operation, str(error)))
    return usable, dropped


def _dropped(operation: Operation, why: str) -> Receipt:
    return Receipt(operation.action, "dropped", why)

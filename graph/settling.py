"""A turn whose writes are all decided, written: what is wanted of it, and the exchange without what is not."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from perdure.facts import Receipt
from perdure.graph.state import State
from perdure.graph.turn import only_asked, policy_of, source_of, turn_of
from perdure.layer import MemoryLayer
from perdure.recall import relevant
from perdure.scope import Scope
from perdure.staging import Stage
from perdure.withholding import withholding, without_withheld


async def write_settled(
    stage: Stage, state: State, scope: Scope, memory: MemoryLayer, *, extracted: bool
) -> list[Receipt]:
    """A receipt for each operation of the stage. Without `extracted` the exchange is flagged, to be extracted later.

    A run that is to write nothing keeps no exchange either.
    """
    _, run = policy_of(state)
    turn = replace(turn_of(state), only_asked=only_asked(state))
    exchange = None if run == "drop" else withholding(turn, stage.withheld)
    wanted = without_withheld(stage.operations, stage.withheld)
    used = [UUID(hit["id"]) for hit in relevant(state["recalled"]["hits"])]
    written = await memory.save(
        scope, wanted, source_of(state), exchange=exchange, extracted=extracted, run=run, used=used
    )
    return stage.receipts(written)

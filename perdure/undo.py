"""Statements taken back: as if they had never been made, but for the record that they were. Pure, like `reconcile`.

What a statement had closed is open again, what it had struck counts again, and what was taken for another saying of a
known value can be stated apart. So every merge, correction and retraction can be undone; and so can the undoing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from perdure.facts import Action, Operation, Receipt, Source, Statement, taking_back_id
from perdure.reconcile import Plan, Writing
from perdure.scope import Scope
from perdure.slots import Slots, Stored
from perdure.timeline import standing


def take_back(
    scope: Scope,
    statements: Sequence[Statement],
    source: Source,
    stored: Stored,
    recorded_at: datetime,
    *,
    apart: bool = False,
) -> Plan:
    """The plan that strikes exactly these statements; ``stored`` holds their slots. One receipt for each of them.

    With `apart`, one that was written under another spelling of its value is stated again under its own; its receipt
    is then that of the new statement.
    """
    slots = Slots(stored, recorded_at)
    receipts = []
    for statement in statements:
        receipt = _strike(scope, statement, source, slots)
        restated = restated_apart(statement) if apart else None
        owner = replace(scope, agent=statement.agent)  # what the shared memory held stays there, whoever takes it apart
        receipts.append(Writing(owner, source, slots).apply(restated) if restated else receipt)
    return Plan(tuple(slots.new), slots.changes(), tuple(receipts))


def restated_apart(statement: Statement) -> Operation | None:
    """What was taken for another saying of a known value, as a value of its own; None for any other statement."""
    if not statement.said:
        return None
    return Operation(
        action=Action.ASSERT,
        attribute=statement.attribute,
        value=statement.said if statement.attribute else "",
        content=statement.content,
        subject=statement.subject,
        cardinality=statement.cardinality,
        kind=statement.kind,
        importance=statement.importance,
        confidence=statement.confidence,
        trust=statement.trust,
        valid_from=statement.valid_from if statement.dated else None,
        valid_to=statement.stated_to,
        evidence=statement.evidence,
        expires_at=statement.expires_at,
        apart=True,
    )


def _strike(scope: Scope, statement: Statement, source: Source, slots: Slots) -> Receipt:
    identity = taking_back_id(scope, source, statement.id)
    # What something else has struck is taken back all the same: it must not count again if that is taken back, too.
    taken_back = any(_takes_back(scope, other, statement) for other in standing(slots.statements(statement.slot)))
    if slots.has(identity) or taken_back:
        return Receipt(Action.RETRACT, "unchanged", "it was taken back already", identity)
    before = slots.at(statement.slot, statement.valid_from)
    slots.add(
        replace(
            statement,
            id=identity,
            action=Action.RETRACT,
            value="",
            content="",
            said="",
            evidence="",
            stated_to=None,
            expires_at=None,
            targets=(statement.id,),
            recorded_at=slots.recorded_at,
            thread=source.thread,
            message=source.message,
            author=source.author,
        )
    )
    return Receipt(
        Action.RETRACT, "applied", "taken back", identity, before, slots.at(statement.slot, statement.valid_from)
    )


def _takes_back(scope: Scope, other: Statement, statement: Statement) -> bool:
    if other.targets != (statement.id,):
        return False
    source = Source(at=other.recorded_at, thread=other.thread, message=other.message)
    return other.id == taking_back_id(scope, source, statement.id)

"""Erasure: what must not exist is deleted, with a count of the rows for the receipt."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from uuid import UUID

from perdure.attributes import Cardinality
from perdure.errors import NotFound
from perdure.facts import Action, Statement
from perdure.scope import Scope
from perdure.stores.pool import Connection
from perdure.stores.rebuild import rebuild_slot
from perdure.stores.rows import statement_of
from perdure.stores.scoped import ScopedStatements
from perdure.stores.vectors import forget_vectors
from perdure.text import normalise

_SQL, _RENAMING, _POLICIES, _CORE, _COSTS = (
    ScopedStatements(file) for file in ("facts", "renaming", "policies", "core_blocks", "costs")
)


async def erase_user(connection: Connection, scope: Scope) -> dict[str, int]:
    """Delete all that the memory store holds of a user, for every agent; rows per table."""
    await _SQL.run(connection, scope, "lock_user")
    cursors = {
        "statements": await _SQL.run(connection, scope, "delete_user_statements"),
        "facts": await _SQL.run(connection, scope, "delete_beliefs"),
        "episodes": await _SQL.run(connection, scope, "delete_user_episodes"),
        "embeddings": await _SQL.run(connection, scope, "delete_user_embeddings"),
        "core_blocks": await _CORE.run(connection, scope, "delete_of_user"),
        "policies": await _POLICIES.run(connection, scope, "delete_of_user"),
        "costs": await _COSTS.run(connection, scope, "delete_of_user"),
    }
    return {table: cursor.rowcount for table, cursor in cursors.items()}


async def erase_fact(connection: Connection, scope: Scope, fact: UUID) -> dict[str, int]:
    """Delete a fact's value from its slot: every statement that gave it, and every belief that followed.

    So from the slots from which or to which a merge of attributes has moved it. Raises `NotFound`. The verbatim exchanges
    in which it was said are episodes, and are not touched.
    """
    await _SQL.run(connection, scope, "lock_user")
    cursor = await _SQL.run(connection, scope, "slot_statements", slots=[], facts=[fact], alike=[])
    told = [statement_of(row) async for row in cursor]
    opening = next((statement for statement in told if statement.id == fact), None)
    if opening is None:
        raise NotFound(f"no fact has the id {fact} in this scope")
    counts: Counter[str] = Counter(statements=0, facts=0, embeddings=0)
    slots, done = {opening.slot}, set[UUID]()
    while slots := slots - done:
        slot = slots.pop()
        done.add(slot)
        slots |= await _erase_value(connection, scope, slot, normalise(opening.value), counts)
    return dict(counts)


async def _erase_value(connection: Connection, scope: Scope, slot: UUID, value: str, counts: Counter[str]) -> set[UUID]:
    """Delete a value from one slot; the other slots in which the same was stated by a merge."""
    cursor = await _SQL.run(connection, scope, "slot_statements", slots=[slot], facts=[], alike=[])
    told = [statement_of(row) async for row in cursor if row["slot"] == slot]
    erased = _said(told, value)
    moved = await _RENAMING.run(connection, scope, "same_elsewhere", ids=[statement.id for statement in erased])
    others = {row["slot"] async for row in moved}
    kept = [statement for statement in told if statement not in erased]
    others_here = {statement.id for statement in kept}
    hollow = [_hollowed(statement) for statement in erased if not others_here.isdisjoint(statement.targets)]
    ids = [statement.id for statement in erased if others_here.isdisjoint(statement.targets)]
    repeats = [statement.id for statement in kept if value in normalise(statement.evidence)]
    remaining = [
        replace(statement, targets=tuple(target for target in statement.targets if target not in ids))
        for statement in (*kept, *hollow)
    ]
    deleted = await _SQL.run(connection, scope, "delete_statements", ids=ids)
    await _SQL.run(connection, scope, "hollow_statements", ids=[statement.id for statement in hollow])
    await _SQL.run(connection, scope, "forget_targets", ids=ids)
    await _SQL.run(connection, scope, "forget_evidence", ids=repeats)
    before = await _SQL.run(connection, scope, "delete_slot_beliefs", slot=slot)
    await rebuild_slot(connection, scope, slot, remaining)
    counts["statements"] += deleted.rowcount + len(hollow)
    counts["facts"] += before.rowcount
    counts["embeddings"] += await forget_vectors(connection, scope, [statement.content for statement in erased])
    return others


def _hollowed(correction: Statement) -> Statement:
    """What it corrected was wrong all the same: that stays struck, while nothing is left of what was said instead."""
    return replace(correction, action=Action.RETRACT, value="", content="", evidence="")


def _said(told: list[Statement], value: str) -> list[Statement]:
    """The statements that gave this value, and the retractions of them, whose evidence may repeat it.

    Where a slot is one value's own, all of them: an end has no value, but tells what ended.
    """
    if any(statement.cardinality is Cardinality.MANY for statement in told):
        return told
    gave = [s for s in told if s.action not in {Action.END, Action.RETRACT} and normalise(s.value) == value]
    ids = {statement.id for statement in gave}
    return gave + [s for s in told if s.action is Action.RETRACT and not ids.isdisjoint(s.targets)]

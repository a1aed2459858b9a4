"""Facts made anew from their statements: the proof that they are a projection, and the repair if they are not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from perdure.facts import Statement
from perdure.plain import Record
from perdure.projection import Belief, replay
from perdure.scope import Scope
from perdure.stores.beliefs import open_beliefs
from perdure.stores.pool import Connection
from perdure.stores.rows import belief_of, statement_of
from perdure.stores.scoped import ScopedStatements

_SQL = ScopedStatements("facts")


@dataclass(frozen=True, slots=True)
class RebuildReport(Record):
    """How the stored facts compare with those that follow from the statements, past beliefs included."""

    statements: int
    facts: int
    missing: tuple[UUID, ...]
    """Ids of facts that follow from the statements and are not stored as such."""
    surplus: tuple[UUID, ...]
    """Ids of stored facts that do not follow from the statements."""

    @property
    def identical(self) -> bool:
        return not self.missing and not self.surplus


async def rebuild_user(connection: Connection, scope: Scope, *, check: bool) -> RebuildReport:
    """Compare, and unless `check`, write the user's facts anew; within the caller's transaction."""
    await _SQL.run(connection, scope, "lock_user")
    cursor = await _SQL.run(connection, scope, "user_statements", attributes=None, now=None)
    told = [statement_of(row) async for row in cursor]
    stored = [belief_of(row) async for row in await _SQL.run(connection, scope, "user_beliefs")]
    derived = replay_slots(told)
    report = RebuildReport(
        statements=len(told),
        facts=len(derived),
        missing=_difference(derived, stored),
        surplus=_difference(stored, derived),
    )
    if not check:  # even if identical: what a search goes by may be that of an earlier release
        await _SQL.run(connection, scope, "delete_beliefs")
        await open_beliefs(connection, scope, [(belief.fact, belief.known_to) for belief in derived])
    return report


async def rebuild_slot(connection: Connection, scope: Scope, slot: UUID, statements: Sequence[Statement]) -> None:
    """Replace the facts of one slot by those that follow from these statements; within the caller's transaction."""
    await _SQL.run(connection, scope, "delete_slot_beliefs", slot=slot)
    await open_beliefs(connection, scope, [(belief.fact, belief.known_to) for belief in replay(statements)])


def replay_slots(statements: Iterable[Statement]) -> list[Belief]:
    """`replay` of each slot among the statements."""
    slots: defaultdict[UUID, list[Statement]] = defaultdict(list)
    for statement in statements:
        slots[statement.slot].append(statement)
    return [belief for told in slots.values() for belief in replay(told)]


def _difference(these: Iterable[Belief], those: Iterable[Belief]) -> tuple[UUID, ...]:
    return tuple(belief.fact.id for belief in set(these) - set(those))

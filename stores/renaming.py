"""Moves a user's facts from a learned name to another attribute, and back; within the caller's transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from perdure.facts import Source, Statement
from perdure.projection import Changes
from perdure.renaming import Renaming, UserMoved, merges_in_force, moved, restatements_of, shortened, struck_since
from perdure.scope import Scope
from perdure.slots import Slots, Stored
from perdure.stores.beliefs import close_beliefs, open_beliefs
from perdure.stores.pool import Connection
from perdure.stores.rows import fact_of_row, row_of, statement_of
from perdure.stores.scoped import ScopedStatements
from perdure.time import Clock
from perdure.undo import take_back

_FACTS, _SQL = ScopedStatements("facts"), ScopedStatements("renaming")


async def move_user(connection: Connection, scope: Scope, renaming: Renaming, clock: Clock) -> UserMoved:
    """Move what the user, with all agents, has under the old name. Doing it again moves only what has come since.

    No vector is computed: the sentences stay as they are.
    """
    recorded_at = await _lock(connection, scope, clock)
    told = await _SQL.run(connection, scope, "about", attribute=renaming.old)
    new = moved(scope, [statement_of(row) async for row in told], renaming, recorded_at)
    slots = Slots(await _stored(connection, scope, {statement.slot for statement in new}), recorded_at)
    for statement in new:
        slots.add(statement)
    changed = slots.changes()
    await _save(connection, scope, slots.new, changed, recorded_at)
    closed = [fact for change in changed for fact in change.closed]
    opened = [fact for change in changed for fact in change.opened]
    return UserMoved(sum(fact.attribute == renaming.old for fact in closed), shortened(closed, opened))


async def move_user_back(connection: Connection, scope: Scope, old: str, author: str, clock: Clock) -> UserMoved:
    """Take back the moves that are in force. Doing it again changes nothing.

    What was moved and has been corrected, retracted or taken back since is not believed where it came from, either.
    """
    recorded_at = await _lock(connection, scope, clock)
    told = [statement_of(row) async for row in await _SQL.run(connection, scope, "about", attribute=old)]
    merges = merges_in_force(told, old)
    ids = [identity for merge in merges for identity in restatements_of(merge)]
    restated = [statement_of(row) async for row in await _SQL.run(connection, scope, "by_id", ids=ids)]
    stored = await _stored(connection, scope, {statement.slot for statement in (*merges, *restated)})
    source = Source(at=recorded_at, message=f"split:{old}", author=author)
    struck = struck_since(restated, stored.statements)
    gone = [statement for statement in told if statement.id in struck]
    plan = take_back(scope, [*merges, *restated, *gone], source, stored, recorded_at)
    await _save(connection, scope, plan.statements, plan.changes, recorded_at)
    return UserMoved(sum(fact.attribute == old for change in plan.changes for fact in change.opened))


async def _lock(connection: Connection, scope: Scope, clock: Clock) -> datetime:
    """The moment of this write, when it is the user's only one: later than those of all before."""
    await _FACTS.run(connection, scope, "lock_user")
    row = await (await _FACTS.run(connection, scope, "last_recorded")).fetchone()
    now = clock.now()
    return max(now, row["recorded_at"] + timedelta(microseconds=1)) if row and row["recorded_at"] else now


async def _stored(connection: Connection, scope: Scope, slots: Iterable[UUID]) -> Stored:
    wanted = list(slots)
    told = await _FACTS.run(connection, scope, "slot_statements", slots=wanted, facts=[], alike=[])
    believed = await _FACTS.run(connection, scope, "slot_beliefs", slots=wanted, facts=[], alike=[])
    return Stored(
        statements=tuple([statement_of(row) async for row in told]),
        believed=tuple([fact_of_row(row) async for row in believed]),
        slot_of_fact={},
    )


async def _save(
    connection: Connection,
    scope: Scope,
    statements: Sequence[Statement],
    changed: Sequence[Changes],
    recorded_at: datetime,
) -> None:
    await _FACTS.run_many(connection, scope, "insert_statement", map(row_of, statements))
    await close_beliefs(connection, scope, [fact for change in changed for fact in change.closed], recorded_at)
    await open_beliefs(connection, scope, [(fact, None) for change in changed for fact in change.opened])

"""Erasure: what must not exist is deleted, with a count of the rows for the receipt."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from psycopg import sql

from perdure.attributes import Cardinality
from perdure.erased_thread import statements_of_thread
from perdure.facts import Action, Statement
from perdure.scope import Scope
from perdure.stores.owned_tables import OwnedTable, owned_tables
from perdure.stores.pool import Connection
from perdure.stores.rebuild import rebuild_slot
from perdure.stores.rows import Row, statement_of
from perdure.stores.scoped import ScopedStatements
from perdure.stores.vectors import forget_vectors
from perdure.text import normalise

_SQL, _RENAMING, _ERASURE, _USES = (ScopedStatements(file) for file in ("facts", "renaming", "erasure", "uses"))
_PROJECTED = frozenset({"statements", "facts", "episodes"})
"""Tables of which an erasure of a thread takes more care than to delete the thread's rows."""
_NUMBERS = frozenset({"costs"})
"""Tables whose rows are numbers that belong to the user's totals: of a thread that is erased, only its name goes."""
_NAMELESS = "update {} set thread = %(nameless)s, line = gen_random_uuid()"
"""The line is a hash of the name, too; a later thread of that name begins lines of its own."""


async def erase_user(connection: Connection, scope: Scope) -> dict[str, int]:
    """Delete all that the memory store holds of a user, for every agent; rows per table, within the caller's transaction.

    The tables are the catalogue's: whatever table has a tenant and a user, none is forgotten.
    """
    await _SQL.run(connection, scope, "lock_user")
    counts: dict[str, int] = {}
    for table in await owned_tables(connection):
        cursor = await connection.execute(
            sql.SQL("delete from {} where tenant = %(tenant)s and user_id = %(user)s").format(table.identifier),
            {"tenant": scope.tenant, "user": scope.user},
        )
        counts[table.name] = cursor.rowcount
    return counts


async def told_of(connection: Connection, scope: Scope, fact: UUID) -> list[Statement]:
    """Every statement that gave the fact's value in its slot, and in those to or from which a merge has moved it.

    None, if there is no such fact in this scope.
    """
    cursor = await _SQL.run(connection, scope, "slot_statements", slots=[], facts=[fact], alike=[])
    opening = next((s for s in [statement_of(row) async for row in cursor] if s.id == fact), None)
    if opening is None:
        return []
    found: list[Statement] = []
    slots, done = {opening.slot}, set[UUID]()
    while slots := slots - done:
        slot = slots.pop()
        done.add(slot)
        said = _said(await _slot(connection, scope, slot), normalise(opening.value))
        found += said
        slots |= await _elsewhere(connection, scope, said)
    return found


async def erase_fact(connection: Connection, scope: Scope, fact: UUID) -> dict[str, int]:
    """Delete a fact's value: the statements that gave it, every belief that followed, and the exchanges that told it.

    Nothing is counted where there is no such fact in this scope. Within the caller's transaction.
    """
    await _SQL.run(connection, scope, "lock_user")
    erased = await told_of(connection, scope, fact)
    counts: Counter[str] = Counter(statements=0, facts=0, episodes=0, embeddings=0)
    opening = next((statement for statement in erased if statement.id == fact), None)
    if opening is None:
        return dict(counts)
    for slot in {statement.slot for statement in erased}:
        here = [statement for statement in erased if statement.slot == slot]
        await _erase_value(connection, scope, here, normalise(opening.value), counts)
    await _erase_exchanges(connection, scope, erased, normalise(opening.value), counts)
    return dict(counts)


async def statements_said(connection: Connection, scope: Scope) -> list[Statement]:
    """All statements of the user."""
    cursor = await _SQL.run(connection, scope, "user_statements", attributes=None, now=None)
    return [statement_of(row) async for row in cursor]


async def erase_thread(connection: Connection, scope: Scope, thread: str) -> dict[str, int]:
    """Delete what was said in a thread; facts are what follows from what was said elsewhere, as if it had never been.

    What the thread took back stands again. Costs keep their numbers under a name that tells nothing. Within the caller's
    transaction.
    """
    await _SQL.run(connection, scope, "lock_user")
    erased = statements_of_thread(await statements_said(connection, scope), thread)
    ids = [statement.id for statement in erased]
    counts: Counter[str] = Counter(facts=0)
    slots = {statement.slot for statement in erased} | await _elsewhere(connection, scope, erased)
    deleted = await _SQL.run(connection, scope, "delete_statements", ids=ids)
    await _SQL.run(connection, scope, "forget_targets", ids=ids)
    for slot in slots:
        gone = await _SQL.run(connection, scope, "delete_slot_beliefs", slot=slot)
        counts["facts"] += gone.rowcount
        await rebuild_slot(connection, scope, slot, await _slot(connection, scope, slot))
    cursor = await _ERASURE.run(connection, scope, "delete_episodes_of_thread", thread=thread)
    counts["statements"] = deleted.rowcount
    await _forget_episodes(connection, scope, await cursor.fetchall(), ids, counts)
    counts["embeddings"] += await forget_vectors(connection, scope, [statement.content for statement in erased])
    for table in await owned_tables(connection):
        if table.has_thread and table.name not in _PROJECTED:
            counts[table.name] += await _forget_thread(connection, scope, table, thread)
    return dict(counts)


async def _forget_thread(connection: Connection, scope: Scope, table: OwnedTable, thread: str) -> int:
    change = sql.SQL(_NAMELESS if table.name in _NUMBERS else "delete from {}")
    where = sql.SQL(" where tenant = %(tenant)s and user_id = %(user)s and thread = %(thread)s")
    nameless = hashlib.sha256(f"{scope.tenant}\x1f{scope.user}\x1f{thread}".encode()).hexdigest()[:12]
    parameters = {"tenant": scope.tenant, "user": scope.user, "thread": thread, "nameless": f"erased-{nameless}"}
    return (await connection.execute(change.format(table.identifier) + where, parameters)).rowcount


async def _erase_value(
    connection: Connection, scope: Scope, erased: Sequence[Statement], value: str, counts: Counter[str]
) -> None:
    """Delete statements of one slot that gave a value, and make the slot's facts anew."""
    slot = erased[0].slot
    told, gone = await _slot(connection, scope, slot), {statement.id for statement in erased}
    kept = [statement for statement in told if statement.id not in gone]
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


async def _erase_exchanges(
    connection: Connection, scope: Scope, erased: Iterable[Statement], value: str, counts: Counter[str]
) -> None:
    """Delete the exchanges in which the statements were made; what else was said there stays, without its quotation."""
    messages = messages_of(erased)
    cursor = await _ERASURE.run(connection, scope, "exchanges_of_messages", **messages)
    await _forget_episodes(connection, scope, await cursor.fetchall(), [one.id for one in erased], counts)
    cursor = await _ERASURE.run(connection, scope, "statements_of_messages", **messages)
    quoting = [row["id"] async for row in cursor if value in normalise(row["evidence"])]
    await _SQL.run(connection, scope, "forget_evidence", ids=quoting)


async def _forget_episodes(
    connection: Connection, scope: Scope, deleted: Sequence[Row], facts: Sequence[UUID], counts: Counter[str]
) -> None:
    """What was made of deleted episodes and facts goes with them: lessons of tasks, sessions of exchanges, vectors, uses.

    Those exchanges of a session that stay become another one.
    """
    ids, sessions = [str(row["id"]) for row in deleted], [row["session"] for row in deleted]
    named = list(map(str, facts))
    cursor = await _ERASURE.run(connection, scope, "delete_made_of", ids=ids, sessions=sessions, facts=named)
    made = await cursor.fetchall()
    await _ERASURE.run(connection, scope, "reopen", sessions=[row["id"] for row in made])
    told = [row["content"] for row in (*deleted, *made)] + [row["task"] for row in deleted if row["task"]]
    counts["episodes"] += len(deleted) + len(made)
    counts["embeddings"] += await forget_vectors(connection, scope, told)
    memories = [*facts, *(row["id"] for row in (*deleted, *made))]
    counts["uses"] += (await _USES.run(connection, scope, "forget", memories=memories)).rowcount


def messages_of(statements: Iterable[Statement]) -> dict[str, Any]:
    """The messages that made the statements, each with its thread, as parameters of a statement of SQL."""
    messages = sorted({(statement.thread, statement.message) for statement in statements if statement.message})
    return {"threads": [thread for thread, _ in messages], "messages": [message for _, message in messages]}


async def _slot(connection: Connection, scope: Scope, slot: UUID) -> list[Statement]:
    cursor = await _SQL.run(connection, scope, "slot_statements", slots=[slot], facts=[], alike=[])
    return [statement_of(row) async for row in cursor if row["slot"] == slot]


async def _elsewhere(connection: Connection, scope: Scope, statements: Iterable[Statement]) -> set[UUID]:
    """The other slots in which the same was stated by a merge."""
    ids = [statement.id for statement in statements]
    cursor = await _RENAMING.run(connection, scope, "same_elsewhere", ids=ids)
    return {row["slot"] async for row in cursor}


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

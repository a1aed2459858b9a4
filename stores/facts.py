"""The facts store: append-only statements and their projection, in PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID
from weakref import WeakValueDictionary

from perdure.episodes import NewEpisode
from perdure.errors import InvalidInput, NotFound
from perdure.facts import Operation, Receipt, Source, Statement, content_of, statement_id, taking_back_id
from perdure.operations import checked, touched_slots, value_in
from perdure.ports import Vector, Vocabularies
from perdure.reconcile import Plan, reconcile
from perdure.sameness import likeness
from perdure.scope import Scope
from perdure.slots import Stored
from perdure.stores.beliefs import close_beliefs, open_beliefs
from perdure.stores.core_blocks import ask_for_edits, save_edits
from perdure.stores.episodes import append_episodes
from perdure.stores.erasure import erase_fact, erase_user
from perdure.stores.fact_reading import FactReader
from perdure.stores.large_users import drop_indexes
from perdure.stores.pool import Connection, Pool, borrowed, transaction
from perdure.stores.rebuild import RebuildReport, rebuild_user
from perdure.stores.recording import recorded_after
from perdure.stores.rows import Row, fact_of_row, row_of, statement_of
from perdure.stores.scoped import ScopedStatements
from perdure.stores.uses import record_uses
from perdure.stores.vectors import save_vectors
from perdure.time import Clock, check_instant
from perdure.undo import restated_apart, take_back

_SQL = ScopedStatements("facts")
Made = TypeVar("Made")


class PostgresFactStore(FactReader):
    """Implements `ports.FactStore`. Writers of one user take turns; a write is two round trips."""

    def __init__(self, pool: Pool, clock: Clock, vocabularies: Vocabularies) -> None:
        super().__init__(pool, clock, vocabularies)
        self._writers: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    async def apply(
        self,
        scope: Scope,
        operations: Sequence[Operation],
        source: Source,
        vectors: Mapping[str, Vector],
        episodes: Sequence[NewEpisode] = (),
        edits: Sequence[Operation] = (),
        used: Sequence[UUID] = (),
    ) -> list[Receipt]:
        """Apply all operations, append the episodes, and edit core memory, in one transaction.

        One receipt per operation, then one per edit. ``used`` are the memories that the message's reply was shown.

        Attributes are known here by their built-in names and aliases; what only the tenant knows them by has become a
        name before (`operations.checked`). ``vectors`` holds the vector of each `content_of(checked(operation))` and of
        each episode's content. Raises `InvalidInput` or `StaleFact`, and then nothing is written; an operation whose term
        would be empty beside what is stored, and an edit that does not fit its block, is dropped, with a receipt.
        """
        check_instant(source.at, "the time of the message")
        wanted, edits = ([checked(operation) for operation in told] for told in (operations, edits))
        if any((content := content_of(operation)) and content not in vectors for operation in wanted):
            raise InvalidInput("an operation comes without the vector of its content: give one for each `content_of`")
        async with self._writer(scope), transaction(self._pool) as connection:
            asked = await ask_for_edits(connection, scope, edits, source)
            stored, recorded_at = await self._load(connection, scope, [(scope, one) for one in wanted], source)
            plan = reconcile(scope, wanted, source, stored, recorded_at)
            await save_vectors(connection, scope, vectors)
            await self._save(connection, scope, plan, recorded_at)
            await record_uses(connection, scope, used, source, recorded_at)
            await append_episodes(connection, scope, episodes, vectors, recorded_at)
            made = await save_edits(connection, scope, asked, source, recorded_at)
        return [*plan.receipts, *made]

    async def take_back(
        self, scope: Scope, statements: Sequence[UUID], source: Source, *, apart: bool = False
    ) -> list[Receipt]:
        """Strike exactly these statements, in one transaction; one receipt for each (see `perdure.undo`).

        Raises `NotFound` for an id that is no statement of this scope, and then nothing is written.
        """
        async with self._writer(scope), transaction(self._pool) as connection:
            await _SQL.run(connection, scope, "lock_user")
            cursor = await _SQL.run(connection, scope, "statements_by_id", ids=list(statements))
            taken = {row["id"]: statement_of(row) for row in await cursor.fetchall()}
            if missing := [identity for identity in statements if identity not in taken]:
                raise NotFound(f"no statement has the id {missing[0]}: `perdure statements` lists them")
            told = [taken[identity] for identity in dict.fromkeys(statements)]
            restated = [
                (replace(scope, agent=statement.agent), again)
                for statement in told
                if apart and (again := restated_apart(statement))
            ]
            stored, recorded_at = await self._load(connection, scope, restated, source, told)
            plan = take_back(scope, told, source, stored, recorded_at, apart=apart)
            await self._save(connection, scope, plan, recorded_at)
        return list(plan.receipts)

    async def rewrite(
        self,
        scope: Scope,
        slots: Sequence[UUID],
        make: Callable[[Stored, datetime], tuple[Plan, Made]],
        vectors: Mapping[str, Vector],
    ) -> Made:
        """Save what `make` plans from all that these slots hold, while nobody else writes; what else it makes is returned.

        ``vectors`` holds the vector of each content that was not stored before. What `make` raises leaves nothing written.
        """
        async with self._writer(scope), transaction(self._pool) as connection:
            await _SQL.run(connection, scope, "lock_user")
            last = await _SQL.run(connection, scope, "last_recorded")
            told = await _SQL.run(connection, scope, "slot_statements", slots=list(slots), facts=[], alike=[])
            believed = await _SQL.run(connection, scope, "slot_beliefs", slots=list(slots), facts=[], alike=[])
            recorded_at = self._recording(await last.fetchone())
            statements = tuple(map(statement_of, await told.fetchall()))
            plan, made = make(Stored(statements, tuple(map(fact_of_row, await believed.fetchall())), {}), recorded_at)
            if plan.statements:
                await save_vectors(connection, scope, vectors)
                await self._save(connection, scope, plan, recorded_at)
        return made

    async def erase(self, scope: Scope, fact: UUID | None = None) -> dict[str, int]:
        """Delete one fact, or all that the memory store holds of the user; rows deleted per table.

        Threads are kept elsewhere: `Memory.erase` deletes them too, and proves that nothing is left. Raises `NotFound`
        for a fact that is not in this scope.
        """
        async with self._writer(scope), borrowed(self._pool) as connection:
            async with connection.transaction():
                counts = await erase_fact(connection, scope, fact) if fact else await erase_user(connection, scope)
                if fact and not counts["statements"]:
                    raise NotFound(f"no fact has the id {fact} in this scope")
            if fact is None:
                await drop_indexes(connection, scope)
        return counts

    async def rebuild(self, scope: Scope, *, check: bool = False) -> RebuildReport:
        """Make the user's facts anew from the statements; with `check` only compare."""
        async with self._writer(scope), borrowed(self._pool) as connection, connection.transaction():
            return await rebuild_user(connection, scope, check=check)

    def _writer(self, scope: Scope) -> asyncio.Lock:
        """Writers of one user in this process queue here, not in the database, each with a connection that others need."""
        return self._writers.setdefault((scope.tenant, scope.user), asyncio.Lock())

    async def _load(
        self,
        connection: Connection,
        scope: Scope,
        told: Sequence[tuple[Scope, Operation]],
        source: Source,
        also: Sequence[Statement] = (),
    ) -> tuple[Stored, datetime]:
        """Lock the user, then read the slots that are touched, and those of `also`; sent together: one round trip.

        ``told`` are operations, each with the scope of the agent whose memory it is told to.
        """
        operations = [operation for _, operation in told]
        named: dict[str, Any] = {
            "slots": [slot for owner, operation in told for slot in touched_slots(owner, [operation])]
            + [statement.slot for statement in also],
            "facts": [operation.target for operation in operations if operation.target],
            "alike": [likeness(o.subject, o.attribute, value) for o in operations if (value := value_in(o))],
        }
        await _SQL.run(connection, scope, "lock_user")
        last = await _SQL.run(connection, scope, "last_recorded")
        ids = [statement_id(owner, source, operation) for owner, operation in told]
        ids += [taking_back_id(scope, source, statement.id) for statement in also]
        recorded = await _SQL.run(connection, scope, "recorded", ids=ids)
        slots = await _SQL.run(connection, scope, "slots_of_facts", facts=named["facts"])
        statements = await _SQL.run(connection, scope, "slot_statements", **named)
        believed = await _SQL.run(connection, scope, "slot_beliefs", **named)
        recorded_at = self._recording(await last.fetchone())
        stored = Stored(
            tuple(map(statement_of, await statements.fetchall())),
            tuple(map(fact_of_row, await believed.fetchall())),
            {row["id"]: row["slot"] for row in await slots.fetchall()},
            frozenset(row["id"] for row in await recorded.fetchall()),
        )
        return stored, recorded_at

    def _recording(self, last: Row | None) -> datetime:
        """Taken after the lock was waited for: until then readers did not see this write."""
        return recorded_after(last, self._clock.now())

    async def _save(self, connection: Connection, scope: Scope, plan: Plan, recorded_at: datetime) -> None:
        await _SQL.run_many(connection, scope, "insert_statement", map(row_of, plan.statements))
        await close_beliefs(connection, scope, [fact for c in plan.changes for fact in c.closed], recorded_at)
        await open_beliefs(connection, scope, [(fact, None) for c in plan.changes for fact in c.opened])

"""Erasures as they go on: each step deletes and is counted in one transaction, so that whoever is killed goes on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from perdure.erasure_receipt import Erased, Proof
from perdure.facts import Statement
from perdure.scope import Scope
from perdure.stores.erasure import erase_fact, erase_thread, erase_user, messages_of, statements_said, told_of
from perdure.stores.large_users import drop_indexes
from perdure.stores.owned_threads import delete_thread, threads_of_nobody, threads_of_user
from perdure.stores.pool import Connection, Pool, borrowed, without_limit
from perdure.stores.scan import Threads, sample_anew, scan_indexes, scan_tables
from perdure.stores.scoped import ScopedStatements
from perdure.stores.sought import Sought
from perdure.time import Clock

_SQL, _LOG = ScopedStatements("erasure"), ScopedStatements("erasures")


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom or what is erased. ``name`` is the thread's, or the fact's id."""

    scope: Scope
    what: Erased
    name: str = ""

    @property
    def hash(self) -> bytes:
        parts = (self.scope.tenant, self.scope.user, self.what, self.name)
        return hashlib.sha256("\x1f".join(parts).encode()).digest()


@dataclass(frozen=True, slots=True)
class Finished:
    counts: Mapping[str, int]
    runs: int
    started_at: datetime
    finished_at: datetime


class PostgresErasures:
    """Erases in the memory's database and in that of the checkpoints, which may be the same."""

    def __init__(self, memory: Pool, checkpoints: Pool, clock: Clock) -> None:
        self._memory = memory
        self._checkpoints = checkpoints
        self._clock = clock

    async def begin(self, subject: Subject) -> None:
        """Note that it begins, or that it goes on."""
        async with borrowed(self._memory) as connection:
            await self._log(connection, subject, "begin", now=self._clock.now())

    async def is_begun(self, subject: Subject) -> bool:
        """Whether an earlier run was cut short."""
        async with borrowed(self._memory) as connection:
            return await (await self._log(connection, subject, "is_begun")).fetchone() is not None

    async def add(self, subject: Subject, counts: Mapping[str, int]) -> None:
        """Count what was deleted elsewhere."""
        async with borrowed(self._memory) as connection:
            await self._count(connection, subject, counts)

    async def finish(self, subject: Subject) -> Finished:
        async with borrowed(self._memory) as connection:
            row = await (await self._log(connection, subject, "finish", now=self._clock.now())).fetchone()
        assert row
        return Finished({table: rows for table, rows in row.pop("counts").items() if rows}, **row)

    async def threads(self, scope: Scope) -> list[str]:
        """The checkpointer's ids of all threads of the user."""
        async with borrowed(self._memory) as connection:
            told = [row["thread"] async for row in await _SQL.run(connection, scope, "threads_told")]
        async with borrowed(self._checkpoints) as connection:
            return await threads_of_user(connection, scope, told)

    async def told(self, scope: Scope, fact: UUID) -> tuple[list[Statement], list[str]]:
        """The statements that gave the fact's value, and the exchanges that told them; none, if there is no such fact."""
        async with borrowed(self._memory) as connection:
            told = await told_of(connection, scope, fact)
            cursor = await _SQL.run(connection, scope, "episodes_of_messages", **messages_of(told))
            return told, [row["content"] async for row in cursor]

    async def said(self, scope: Scope, thread: str | None = None) -> tuple[list[Statement], list[str]]:
        """What the user has said, or what of it in one thread: statements, and what episodes hold."""
        async with borrowed(self._memory) as connection:
            told = [one for one in await statements_said(connection, scope) if thread in {None, one.thread}]
            cursor = await _SQL.run(connection, scope, "episodes_said", thread=thread)
            return told, [row["content"] async for row in cursor]

    async def said_by_others(self, scope: Scope, texts: Collection[str]) -> set[str]:
        """Those of the texts that somebody else has said too: they are theirs."""
        async with borrowed(self._memory) as connection:
            return {row["text"] async for row in await _SQL.run(connection, scope, "said_by_others", texts=list(texts))}

    async def delete_thread(self, subject: Subject, thread: str) -> None:
        """Delete the checkpoints of a thread, by the checkpointer's id of it."""
        async with borrowed(self._checkpoints) as connection, connection.transaction():
            counts = await delete_thread(connection, thread)
            counts["threads"] = int(any(counts.values()))
            if self._checkpoints is self._memory:
                return await self._count(connection, subject, counts)
        await self.add(subject, counts)

    async def delete_user(self, subject: Subject) -> int:
        """Delete all that the memory's tables hold of the user, and the user's own indexes; how many rows."""
        async with borrowed(self._memory) as connection:
            async with without_limit(connection), connection.transaction():
                counts = await erase_user(connection, subject.scope)
                await self._count(connection, subject, counts)
            await drop_indexes(connection, subject.scope)
        return sum(counts.values())

    async def delete_part(self, subject: Subject) -> None:
        """Delete what the memory's tables hold of a thread or of a fact."""
        async with borrowed(self._memory) as connection, connection.transaction():
            if subject.what == "thread":
                counts = await erase_thread(connection, subject.scope, subject.name)
            else:
                counts = await erase_fact(connection, subject.scope, UUID(subject.name))
            await self._count(connection, subject, counts)

    async def forget_statistics(self) -> None:
        """Let PostgreSQL sample the tables anew: its statistics quote common values, those of deleted rows too."""
        for pool, schema in ((self._memory, "perdure"), (self._checkpoints, None)):
            async with borrowed(pool) as connection, without_limit(connection):
                await sample_anew(connection, schema)

    async def scan(self, scope: Scope, texts: Collection[str], *, user: bool, tell: Callable[[str], None]) -> Proof:
        """Search every table of both databases for erased texts, and with `user` for anything of the user."""
        sought = Sought.of(scope, texts, user=user)
        own = await self.threads(scope)
        async with borrowed(self._checkpoints) as connection, without_limit(connection):
            threads = Threads(own, await threads_of_nobody(connection))
            of_threads = await scan_tables(connection, None, sought, threads, tell)
        async with borrowed(self._memory) as connection, without_limit(connection):
            of_memory = await scan_tables(connection, "perdure", sought, threads, tell)
            indexes = await scan_indexes(connection, scope) if user else []
        return Proof.of(of_memory[0] + of_threads[0], len(texts), of_memory[1] + of_threads[1] + indexes)

    async def _count(self, connection: Connection, subject: Subject, counts: Mapping[str, int]) -> None:
        await self._log(connection, subject, "add", counts=Jsonb(dict(counts)))

    async def _log(self, connection: Connection, subject: Subject, name: str, **parameters: Any) -> Any:
        return await _LOG.run(connection, subject.scope, name, subject=subject.hash, **parameters)

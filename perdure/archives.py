"""The archive: threads that nobody has spoken in for long, and what has faded. Nothing in it is lost: it can be restored."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from perdure.archive_file import (
    ArchiveRecord,
    Row,
    read_archive,
    remove_all,
    remove_archive,
    write_archive,
)
from perdure.errors import ArchiveUnusable, NotFound
from perdure.graph.context import Context, run_context
from perdure.graph.turns import Turns
from perdure.idle_threads import Threads
from perdure.model_in_force import in_current_model
from perdure.plain import Record
from perdure.ports import Embeddings, Vector
from perdure.scope import Scope, check_name
from perdure.stores.archived_checkpoints import ArchivedCheckpoints, checkpoints_in
from perdure.stores.archives import PostgresArchives, contents_of, ids_of
from perdure.strength import Weighed
from perdure.threads import thread_key
from perdure.time import Clock


@dataclass(frozen=True, slots=True)
class VerifiedArchive(Record):
    """Whether the file of an archive is the one that was written. ``problem`` is empty if it is."""

    name: str
    path: str
    problem: str


@dataclass(frozen=True, slots=True)
class Archives:
    """The part of `Memory` that has what is no longer in the database."""

    store: PostgresArchives
    checkpoints: ArchivedCheckpoints
    threads: Threads
    turns: Turns
    embeddings: Embeddings
    folder: Path
    clock: Clock

    async def entries(self, *, user: str | None = None, context: Context | None = None) -> list[ArchiveRecord]:
        """The user's archives, the latest first; what has been restored is none any more."""
        return await self._present(run_context(user, context).scope)

    async def restore(self, name: str, *, user: str | None = None, context: Context | None = None) -> ArchiveRecord:
        """Bring back a thread, or what had faded: exactly the rows that were archived, where they are missing.

        Their file is deleted then. A restored thread is archived again when it has been idle for as long again. Raises
        `NotFound`, `ArchiveUnusable` (and nothing is changed), `BusyThread`.
        """
        scope = run_context(user, context).scope
        key = thread_key(scope, check_name(name, "archive"))
        async with self.turns.alone(key):
            record = await self.store.find(scope, name)
            if record is None or record.state == "restored":
                raise NotFound(
                    f"this user has no archive {name[:80]!r}: `perdure archive list` lists those that there are"
                )
            rows = await asyncio.to_thread(read_archive, self.folder, record)
            await self.checkpoints.put_back(key, rows)
            await in_current_model(self.embeddings, partial(self._put_back, scope, record, rows))
            await asyncio.to_thread(remove_archive, self.folder, record)
        return replace(record, state="restored", restored_at=self.clock.now())

    async def verify(self, *, user: str | None = None, context: Context | None = None) -> list[VerifiedArchive]:
        """Read every archive of the user, and tell which of them cannot be restored."""
        records = await self._present(run_context(user, context).scope)
        return [VerifiedArchive(one.name, one.path, await self._problem(one)) for one in records]

    async def forget(self, scope: Scope, thread: str | None) -> Mapping[str, int]:
        """Implements `ports.Elsewhere`: delete all archives of the user for good, or that of one thread; files first.

        What had faded and was said in the thread is brought back, to be erased with all that was. The caller holds the
        thread. Raises `ArchiveUnusable`.
        """
        if thread is None:
            await asyncio.to_thread(remove_all, self.folder, scope)
            return {"archives": await self.store.forget(scope)}
        forgotten = 0
        for record in await self._present(scope):
            if record.kind == "thread" and record.name == thread:
                await asyncio.to_thread(remove_archive, self.folder, record)
                forgotten += await self.store.forget(scope, record.name)
            elif record.kind == "faded" and await self._tells_of(record, thread):
                await self.restore(record.name, context=Context(user=scope.user, tenant=scope.tenant))
        return {"archives": forgotten}

    async def bring_back(self, scope: Scope, thread: str) -> None:
        """Implements `ports.Elsewhere`: restore the thread, and what had faded and was said in it.

        Raises `ArchiveUnusable`, `BusyThread`.
        """
        for record in await self._present(scope):
            of_thread = record.kind == "thread" and record.name == thread
            if of_thread or (record.kind == "faded" and await self._tells_of(record, thread)):
                await self.restore(record.name, context=Context(user=scope.user, tenant=scope.tenant))

    async def put_thread(self, scope: Scope, thread: str, days: int) -> bool:
        """Archive a thread that has been idle for so long; whether it is in the archive now, and was not before.

        Cut short at any point, nothing is lost, and doing it again finishes it.
        """
        key = thread_key(scope, thread)
        async with self.turns.alone(key):
            record = await self.store.find(scope, thread)
            if record is None or record.state == "restored":
                if not await self._is_idle(scope, thread, days):
                    return False
                record = await self._copy(scope, thread, key)
                if record is None:
                    return False
            return record.state == "copied" and await self._take_out(scope, key, record)

    async def put_faded(self, scope: Scope, faded: Sequence[Weighed]) -> None:
        """Archive memories that have faded, slots with all that was ever said in them."""
        episodes = [one.id for one in faded if one.source == "episode"]
        slots = list(dict.fromkeys(one.slot for one in faded if one.source == "fact"))
        told = hashlib.sha256(b"".join(one.id.bytes for one in faded)).hexdigest()[:8]
        at = self.clock.now()
        name = f"faded-{at:%Y-%m-%d}-{told}"
        write = partial(_write_faded, self.folder, scope, name, at)
        await self.store.take_out_faded(scope, episodes, slots, write)

    async def sweep(self, scope: Scope) -> None:
        """Delete files that a process which was killed has left: the database has what is in them."""
        records = await self._present(scope)
        await asyncio.to_thread(remove_all, self.folder, scope, records)

    async def _put_back(self, scope: Scope, record: ArchiveRecord, rows: Sequence[Row]) -> None:
        vectors: Mapping[str, Vector] = {}
        if record.model != await self.store.model():
            vectors = await self.embeddings.documents(scope, contents_of(rows))
        await self.store.put_back(scope, record, rows, vectors, self.clock.now())

    async def _tells_of(self, record: ArchiveRecord, thread: str) -> bool:
        rows = await asyncio.to_thread(read_archive, self.folder, record)
        return any(json.loads(row).get("thread") == thread for _, row in rows)

    async def _is_idle(self, scope: Scope, thread: str, days: int) -> bool:
        still = await self.threads.is_still(thread_key(scope, thread), days)
        return still and await self.store.is_idle(scope, thread, self.threads.before(days))

    async def _present(self, scope: Scope) -> list[ArchiveRecord]:
        return [one for one in await self.store.of_user(scope) if one.state != "restored"]

    async def _copy(self, scope: Scope, thread: str, key: str) -> ArchiveRecord | None:
        """The thread's file, of which the database knows; None if the thread has nothing."""
        episodes, model = await self.store.thread_rows(scope, thread)
        if not (rows := await self.checkpoints.rows(key) + episodes):
            return None
        at = self.clock.now()
        record = await asyncio.to_thread(write_archive, self.folder, scope, thread, "thread", rows, model, at)
        await self.store.put(scope, record)
        return record

    async def _take_out(self, scope: Scope, key: str, record: ArchiveRecord) -> bool:
        """Delete what the file has, as the file has it. A thread that went on since it was copied stays as it is."""
        rows = await asyncio.to_thread(read_archive, self.folder, record)
        present = await self.checkpoints.present(key)
        if present and present != checkpoints_in(rows):
            await self.store.forget(scope, record.name)
            await asyncio.to_thread(remove_archive, self.folder, record)
            return False
        await self.checkpoints.delete(key)
        await self.store.take_out(scope, record, ids_of(rows))
        return True

    async def _problem(self, record: ArchiveRecord) -> str:
        try:
            await asyncio.to_thread(read_archive, self.folder, record)
        except ArchiveUnusable as error:
            return str(error)
        return ""


def _write_faded(folder: Path, scope: Scope, name: str, at: datetime, rows: Sequence[Row], model: str) -> ArchiveRecord:
    return write_archive(folder, scope, name, "faded", rows, model, at)

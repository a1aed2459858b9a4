"""Chores that keep a memory: what has expired, has faded or lies idle (see `perdure.assembly` for their order)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from perdure.archives import Archives
from perdure.errors import BusyThread
from perdure.fading import faded
from perdure.graph.turns import Turns
from perdure.idle_threads import Threads
from perdure.maintenance import Batch
from perdure.retention import Retention
from perdure.scope import Scope
from perdure.stores.expiry import PostgresExpiry
from perdure.stores.fading import PostgresFading
from perdure.stores.pending import ThreadHead
from perdure.stores.upkeep import PostgresUpkeep
from perdure.strength import Weighed
from perdure.time import Clock

BATCH = 200
"""Memories of one transaction: a user's writers wait for it."""


@dataclass(frozen=True, slots=True)
class Expire:
    """Erases what has expired."""

    store: PostgresExpiry
    name: str = "expire"

    async def due(self, scope: Scope) -> int:
        return await self.store.count(scope)

    async def batches(self, scope: Scope) -> AsyncIterator[Batch]:
        while done := await self.store.erase(scope, BATCH):
            yield Batch(done)


@dataclass(frozen=True, slots=True)
class Fade:
    """Moves to the archive what has faded."""

    store: PostgresFading
    archives: Archives
    retention: Retention
    clock: Clock
    name: str = "fade"

    async def due(self, scope: Scope) -> int:
        return sum(map(len, await self._faded(scope)))

    async def batches(self, scope: Scope) -> AsyncIterator[Batch]:
        groups = await self._faded(scope)
        for start in range(0, len(groups), BATCH):
            batch = [one for group in groups[start : start + BATCH] for one in group]
            await self.archives.put_faded(scope, batch)
            yield Batch(len(batch))

    async def _faded(self, scope: Scope) -> list[list[Weighed]]:
        return faded(await self.store.weigh(scope, self.retention.fading_kinds), self.retention, self.clock.now())


@dataclass(frozen=True, slots=True)
class Prune:
    """Keeps only the latest checkpoint of threads on which nothing is unfinished."""

    threads: Threads
    turns: Turns
    days: int
    name: str = "prune"

    async def due(self, scope: Scope) -> int:
        return len(await self._long(scope))

    async def batches(self, scope: Scope) -> AsyncIterator[Batch]:
        for head in await self._long(scope):
            try:
                async with self.turns.alone(head.thread):
                    if await self.threads.is_still(head.thread, self.days):  # nobody went on meanwhile
                        await self.threads.checkpointer.aprune([head.thread])
            except BusyThread:
                yield Batch(0, left=1)
            else:
                yield Batch(1)

    async def _long(self, scope: Scope) -> list[ThreadHead]:
        still, _ = await self.threads.still(scope, self.days)
        return [head for head in still.values() if head.checkpoints > 1]


@dataclass(frozen=True, slots=True)
class ArchiveIdle:
    """Moves threads to the archive in which nobody has spoken for long."""

    threads: Threads
    archives: Archives
    days: int
    name: str = "archive"

    async def due(self, scope: Scope) -> int:
        idle, _ = await self._idle(scope)
        return len(idle)

    async def batches(self, scope: Scope) -> AsyncIterator[Batch]:
        await self.archives.sweep(scope)
        idle, unfinished = await self._idle(scope)
        for thread in idle:
            try:
                put = await self.archives.put_thread(scope, thread, self.days)
            except BusyThread:
                put = False
            yield Batch(int(put), left=int(not put))
        if unfinished:
            yield Batch(0, left=unfinished)

    async def _idle(self, scope: Scope) -> tuple[list[str], int]:
        """The threads to archive, and how many are as idle but unfinished: they would not be resumed any more."""
        before = self.threads.before(self.days)
        records = {record.name: record for record in await self.archives.store.of_user(scope)}
        still, others = await self.threads.still(scope, self.days)
        spoken = [name for name in await self.archives.store.idle_threads(scope, before) if name not in others]
        copied = [name for name, record in records.items() if record.state == "copied"]
        names = dict.fromkeys([*copied, *still, *spoken])
        settled = {
            name
            for name, record in records.items()
            if record.state == "archived" or (record.restored_at and record.restored_at >= before)
        }
        unfinished = sum(head.updated_at < before for head in others.values())
        return [name for name in names if name not in settled], unfinished


@dataclass(frozen=True, slots=True)
class ForgetVectors:
    """Deletes cached vectors of texts that nothing has any more."""

    store: PostgresUpkeep
    name: str = "vectors"

    async def due(self, scope: Scope) -> int:
        return await self.store.count_orphaned_vectors(scope)

    async def batches(self, scope: Scope) -> AsyncIterator[Batch]:
        if done := await self.store.forget_orphaned_vectors(scope):
            yield Batch(done)

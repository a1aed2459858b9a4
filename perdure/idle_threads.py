"""Threads on which nothing is unfinished and nobody has spoken for long."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from langgraph.checkpoint.base import BaseCheckpointSaver

from perdure.deciding import named
from perdure.scope import Scope
from perdure.stores.pending import ThreadHead, thread_heads
from perdure.stores.pool import Pool
from perdure.threads import thread_prefix
from perdure.time import Clock


@dataclass(frozen=True, slots=True)
class Threads:
    """The threads that have checkpoints. What Perdure did not name is nobody's by name, and is left alone."""

    checkpointer: BaseCheckpointSaver[str]
    checkpoints: Pool
    clock: Clock

    async def still(self, scope: Scope, days: int) -> tuple[dict[str, ThreadHead], dict[str, ThreadHead]]:
        """By name, the user's threads that are done and idle for so long, and all the others."""
        still: dict[str, ThreadHead] = {}
        others: dict[str, ThreadHead] = {}
        for head, name in named(await self._heads(thread_prefix(scope))):
            (still if self._is_still(head, days) else others)[name] = head
        return still, others

    async def is_still(self, thread_id: str, days: int) -> bool:
        """Whether the thread with this key is one of them, or has no checkpoints."""
        heads = await self._heads(thread_id)
        return all(self._is_still(head, days) for head in heads if head.thread == thread_id)

    def before(self, days: int) -> datetime:
        return self.clock.now() - timedelta(days=days)

    def _is_still(self, head: ThreadHead, days: int) -> bool:
        return not head.next and head.updated_at < self.before(days)

    async def _heads(self, prefix: str) -> list[ThreadHead]:
        return await thread_heads(self.checkpoints, self.checkpointer.serde, prefix)

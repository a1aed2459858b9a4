"""Facts that are alike, and merges of them, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from uuid import UUID

from perdure.alike import MERGE, Group, Neighbours, Pair
from perdure.errors import NotFound
from perdure.facts import Source, Statement
from perdure.merging import AUTHOR, Canonical, Merge, Merging, merges_among, plan_merge, undo_plan
from perdure.ports import Vector
from perdure.scope import Scope
from perdure.stores.facts import PostgresFactStore
from perdure.stores.pool import Pool, borrowed
from perdure.stores.rows import fact_of_row, statement_of
from perdure.stores.scoped import ScopedStatements
from perdure.time import Clock

SEEDS = 100
"""Facts that are compared with all others in one statement: with ten thousand, a million distances."""

_SQL = ScopedStatements("consolidation")


class PostgresConsolidationStore:
    """Reads what is alike in one scope (exactly this agent's memory, or exactly the shared), and writes merges of it."""

    def __init__(self, pool: Pool, facts: PostgresFactStore, clock: Clock) -> None:
        self._pool = pool
        self._facts = facts
        self._clock = clock

    async def count(self, scope: Scope) -> int:
        """How many facts there are to look at."""
        async with borrowed(self._pool) as connection:
            row = await (await _SQL.run(connection, scope, "count_live", at=self._clock.now())).fetchone()
        return row["facts"] if row else 0

    async def neighbours(self, scope: Scope, after: UUID, similarity: float) -> Neighbours:
        """The next facts after the one with this id, and the later ones that are as similar as that."""
        at = self._clock.now()
        async with borrowed(self._pool) as connection:
            found = await _SQL.run(connection, scope, "alike", after=after, seeds=SEEDS, similarity=similarity, at=at)
            rows = await found.fetchall()
            pairs = tuple(Pair(row["one"], row["other"], row["similarity"]) for row in rows if row["other"])
            ids = list({identity for pair in pairs for identity in (pair.one, pair.other)})
            cursor = await _SQL.run(connection, scope, "facts_by_id", ids=ids)
            members = tuple(map(fact_of_row, await cursor.fetchall()))
        seeds = list(dict.fromkeys(row["one"] for row in rows))
        return Neighbours(len(seeds), seeds[-1] if seeds else None, pairs, members)

    async def merge(self, scope: Scope, group: Group, sentence: str, vectors: Mapping[str, Vector]) -> Merging:
        """Make one fact of the group, in one transaction, unless anything was said of it since it was read.

        ``sentence`` is the canonical one, or empty for one of the sources; ``vectors`` holds its vector.
        """
        canonical = Canonical.of(scope, group, sentence)
        slots = [fact.slot for fact in group.facts] + [canonical.slot]
        return await self._facts.rewrite(scope, slots, partial(plan_merge, group, canonical), vectors)

    async def merges(self, scope: Scope) -> list[Merge]:
        """All that were made, undone or not, the latest first."""
        return merges_among(await self._told(scope, MERGE))

    async def apart(self, scope: Scope) -> list[frozenset[UUID]]:
        """The slots of each merge that was undone."""
        told = await self._told(scope, MERGE)
        undone = [merge.merge for merge in merges_among(told) if merge.undone]
        return [frozenset(one.slot for one in told if one.message == merge) for merge in undone]

    async def undo(self, scope: Scope, merge: str, source: Source) -> Merge:
        """Take back exactly the statements of the merge; what it had taken back counts again as it did.

        Raises `NotFound`, or `StaleFact` where what it made was changed since; nothing is written then.
        """
        slots = {one.slot for one in await self._told(scope, merge) if (one.message, one.author) == (merge, AUTHOR)}
        if not slots:
            raise NotFound(f"no merge has the id {merge[:80]!r}: `perdure consolidate --list` lists them")
        return await self._facts.rewrite(scope, list(slots), partial(undo_plan, scope, merge, source), {})

    async def _told(self, scope: Scope, merge: str) -> list[Statement]:
        """All that was said in the slots of the merges whose ids begin so."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "merged", author=AUTHOR, merge=merge)
            return [statement_of(row) for row in await cursor.fetchall()]

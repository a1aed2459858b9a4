"""What the strength of memories follows from, read for all of a user's that may fade."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args
from uuid import UUID

from perdure.facts import Kind
from perdure.scope import Scope
from perdure.stores.pool import Pool, borrowed
from perdure.stores.ranking import LASTING_ATTRIBUTES
from perdure.stores.rows import Row
from perdure.stores.scoped import ScopedStatements
from perdure.strength import Traits, Weighed
from perdure.time import Clock

_SQL = ScopedStatements("fading")
_FACT_KINDS = frozenset(get_args(Kind))


class PostgresFading:
    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool = pool
        self._clock = clock

    async def weigh(self, scope: Scope, kinds: Sequence[str]) -> list[Weighed]:
        """The memories of these kinds, of any agent; of facts, all that share a slot with one of these kinds."""
        of_facts = [kind for kind in kinds if kind in _FACT_KINDS]
        of_episodes = [kind for kind in kinds if kind not in _FACT_KINDS]
        async with borrowed(self._pool) as connection:
            rows: list[Row] = []
            for statement, wanted in (("facts", of_facts), ("episodes", of_episodes)):
                if wanted:
                    rows += await (await _SQL.run(connection, scope, statement, kinds=wanted)).fetchall()
        return [_weighed(row) for row in rows]

    async def contents(self, scope: Scope, ids: Sequence[UUID]) -> dict[UUID, str]:
        """The texts of those that have not expired."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "contents", ids=list(ids), now=self._clock.now())
            return {row["id"]: row["content"] async for row in cursor}


def _weighed(row: Row) -> Weighed:
    traits = Traits(
        row["kind"],
        row["importance"],
        row["uses"],
        row["corroboration"],
        row["since"],
        lasting=row["attribute"] in LASTING_ATTRIBUTES,
    )
    return Weighed(row["source"], row["id"], row["slot"], traits)

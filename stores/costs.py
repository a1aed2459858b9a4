"""The rows of the cost ledger: counts that only grow, by user, agent, thread, day, purpose and model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Literal
from uuid import UUID, uuid5

from perdure.budget import Spent
from perdure.calls import Counts
from perdure.scope import Scope
from perdure.stores.pool import Pool, borrowed, transaction
from perdure.stores.scoped import ScopedStatements

By = Literal["purpose", "model", "thread", "day", "user"]

_SQL, _TENANT_SQL = ScopedStatements("costs"), ScopedStatements("costs_of_tenant")
_LINES = UUID("5d1f2f0c-3f4b-4a35-9a0e-6d2b2f9c7c11")
"""Namespace of the ids of lines."""


@dataclass(frozen=True, slots=True)
class CostLine:
    """What is counted together. The day is one of UTC."""

    scope: Scope
    thread: str
    day: date
    purpose: str
    model: str

    @property
    def id(self) -> UUID:
        return uuid5(_LINES, f"{self.scope.agent}\x1f{self.thread}\x1f{self.purpose}\x1f{self.model}")


class PostgresCostStore:
    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def add(self, lines: Mapping[CostLine, Counts], batch: UUID) -> None:
        """Add to the counts of these lines, in one transaction; the same batch again adds nothing."""
        by_user: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for line, counts in lines.items():
            by_user.setdefault((line.scope.tenant, line.scope.user), []).append(_row(line, counts, batch))
        async with transaction(self._pool) as connection:
            for (tenant, user), rows in sorted(by_user.items()):  # in one order for all writers, or two would deadlock
                scope = Scope(user=user, tenant=tenant)
                await _SQL.run_many(connection, scope, "add", sorted(rows, key=lambda row: (row["day"], row["line"])))

    async def spent(self, scope: Scope, day: date) -> Spent:
        """Of the user on that day, of all agents."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "spent", day=day)
            row = await cursor.fetchone()
        return Spent(**row) if row else Spent()

    async def read(self, scope: Scope, by: By, since: date | None) -> list[tuple[str, Counts]]:
        """The counts since that day by the name of what they are for; of one agent alone if the scope names one.

        By user, they are those of every user of the tenant.
        """
        async with borrowed(self._pool) as connection:
            if by == "user":
                cursor = await _TENANT_SQL.run(connection, scope, "by_user", since=since)
            else:
                cursor = await _SQL.run(connection, scope, "of_user", by=by, since=since)
            return [(row.pop("name"), Counts(**row)) async for row in cursor]


def _row(line: CostLine, counts: Counts, batch: UUID) -> dict[str, Any]:
    names = {"agent": line.scope.agent, "thread": line.thread, "purpose": line.purpose, "model": line.model}
    return {"day": line.day, "line": line.id, "batch": batch, **names, **asdict(counts)}

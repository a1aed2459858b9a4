"""The single-valued facts of a user, in one statement."""

from __future__ import annotations

from datetime import datetime

from perdure.scope import Scope
from perdure.stores.pool import Pool, borrowed
from perdure.stores.rows import Row
from perdure.stores.scoped import ScopedStatements

_SQL = ScopedStatements("profile")


class PostgresProfileStore:
    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def read(self, scope: Scope, *, at: datetime, known: datetime | None, now: datetime) -> list[Row]:
        """One row per attribute, in order of its name."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "profile", at=at, known=known, now=now)
            return await cursor.fetchall()

"""The tables as records, page by page, and records into the tables, batch by batch: no connection is held in between."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from perdure.plain import Record
from perdure.ports import Vector
from perdure.scope import Scope
from perdure.stores.moved_kinds import ATTRIBUTE, MovedKind
from perdure.stores.pool import Pool, borrowed
from perdure.stores.scoped import ScopedStatements
from perdure.stores.vocabulary import PostgresVocabularies
from perdure.time import EARLIEST

PAGE = 500
"""Rows that are in memory at a time."""
_FACTS, _TENANT = ScopedStatements("facts"), ScopedStatements("moving_tenant")


class MovingStore:
    def __init__(self, pool: Pool, vocabularies: PostgresVocabularies) -> None:
        self._pool = pool
        self._vocabularies = vocabularies

    async def users(self, scope: Scope) -> AsyncIterator[Scope]:
        """The users of the tenant who have anything that can be moved, by name."""
        after = ""
        while True:
            async with borrowed(self._pool) as connection:
                cursor = await _TENANT.run(connection, scope, "users_page", after=after, limit=PAGE)
                names = [row["user_id"] for row in await cursor.fetchall()]
            for name in names:
                yield replace(scope, user=name, agent="")
            if not names:
                return
            after = names[-1]

    async def last_recorded(self, scope: Scope) -> datetime:
        """When the user's last statement was recorded: what comes later is part of another write."""
        async with borrowed(self._pool) as connection:
            row = await (await _FACTS.run(connection, scope, "last_recorded")).fetchone()
        return row["recorded_at"] if row and row["recorded_at"] else EARLIEST

    async def read(
        self, scope: Scope, kind: MovedKind, until: datetime, *, shared: bool = False
    ) -> AsyncIterator[Record]:
        """All records of a kind, of the user and every agent of theirs, or of what all users share, in order."""
        statements, after = ScopedStatements(kind.file), dict(kind.start)
        while True:
            async with borrowed(self._pool) as connection:
                last: dict[str, Any] = {f"after_{column}": value for column, value in after.items()}
                page = await statements.run(
                    connection, scope, f"{kind.name}_page", until=until, shared=shared, limit=PAGE, **last
                )
                rows = await page.fetchall()
            for row in rows:
                yield kind.of_row(row)
            if len(rows) < PAGE:
                return
            after = {column: rows[-1][column] for column in after}

    async def save(
        self,
        scope: Scope,
        kind: MovedKind,
        records: Sequence[Record],
        vectors: Mapping[str, Vector],
        *,
        shared: bool = False,
    ) -> int:
        """Save all of a batch or nothing; how many were new. Raises `InvalidInput` where they contradict what is there."""
        async with borrowed(self._pool) as connection, connection.transaction():
            new = await kind.save(connection, scope, records, vectors, shared)
        if kind is ATTRIBUTE:
            self._vocabularies.forget(scope)
        return new

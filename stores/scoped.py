"""Statements that cannot run without a scope: it is a parameter of every one, and a test reads that each uses it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row

from perdure.scope import Scope
from perdure.stores.pool import Connection
from perdure.stores.sql import statements


class ScopedStatements:
    """The named statements of one file, run within a scope (parameters ``tenant``, ``user`` and ``agent``)."""

    def __init__(self, file: str) -> None:
        self._statements = statements(file)

    async def run(
        self, connection: Connection, scope: Scope, name: str, *, prepare: bool | None = None, **parameters: Any
    ) -> AsyncCursor[DictRow]:
        """``prepare``: default, once the connection has run the statement a few times."""
        cursor = connection.cursor(row_factory=dict_row)
        await cursor.execute(self._statements[name], _scoped(scope, parameters), prepare=prepare)
        return cursor

    async def run_many(
        self, connection: Connection, scope: Scope, name: str, rows: Iterable[Mapping[str, Any]]
    ) -> None:
        """The same statement for each row; a row may name another agent of the same user."""
        async with connection.cursor() as cursor:
            await cursor.executemany(self._statements[name], [_scoped(scope, row) for row in rows])


def _scoped(scope: Scope, parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {"agent": scope.agent, **parameters, "tenant": scope.tenant, "user": scope.user}

"""The checkpoints of a thread as rows of an archive: read, deleted, inserted again."""

from __future__ import annotations

import json
from collections.abc import Sequence

from psycopg.rows import dict_row

from perdure.archive_file import Row
from perdure.stores.pool import Pool, borrowed
from perdure.stores.sql import statements

_SQL = statements("archived_checkpoints")
TABLES = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")


class ArchivedCheckpoints:
    """``thread`` is the checkpointer's thread id. Nothing else may run on it meanwhile (`Turns.alone`)."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def rows(self, thread: str) -> list[Row]:
        """All of one moment."""
        found: list[Row] = []
        async with borrowed(self._pool) as connection, connection.transaction():
            await connection.execute("set transaction isolation level repeatable read")
            for table in TABLES:
                cursor = connection.cursor(row_factory=dict_row)
                await cursor.execute(_SQL[table], {"thread": thread})
                found += [(row["table"], row["row"]) async for row in cursor]
        return found

    async def present(self, thread: str) -> set[tuple[str, str]]:
        """Namespace and id of the checkpoints that are in the database."""
        async with borrowed(self._pool) as connection, connection.cursor(row_factory=dict_row) as cursor:
            await cursor.execute(_SQL["present"], {"thread": thread})
            return {(row["checkpoint_ns"], row["checkpoint_id"]) async for row in cursor}

    async def delete(self, thread: str) -> None:
        async with borrowed(self._pool) as connection, connection.transaction():
            for table in TABLES:
                await connection.execute(_SQL[f"delete_{table}"], {"thread": thread})

    async def put_back(self, thread: str, rows: Sequence[Row]) -> None:
        """Insert the rows again, where they are not there."""
        async with borrowed(self._pool) as connection, connection.transaction(), connection.cursor() as cursor:
            for table in TABLES:
                told = [{"thread": thread, "row": text} for of, text in rows if of == table]
                await cursor.executemany(_SQL[f"restore_{table}"], told)


def checkpoints_in(rows: Sequence[Row]) -> set[tuple[str, str]]:
    """Namespace and id of the checkpoints among the rows."""
    told = (json.loads(text) for table, text in rows if table == "checkpoints")
    return {(row["checkpoint_ns"], row["checkpoint_id"]) for row in told}

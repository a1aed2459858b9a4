"""Many users made of one: its rows, of memory and of checkpoints, with another name of the same length in their place.

A thousand real conversations take an hour. The rows of one, copied with the name replaced wherever it stands, in texts,
in thread keys and within packed values, are what a thousand users would have said of themselves.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Sequence

from psycopg import sql

from bench.untouched import CHECKPOINTS
from perdure.scope import Scope
from perdure.stores.owned_tables import owned_tables
from perdure.stores.pool import Connection, connect, without_limit
from perdure.threads import thread_prefix

_UUID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


async def copy_user(dsn: str, user: str, names: Sequence[str], tick: Callable[[], None]) -> None:
    """Give each of the names what the user has. All names are of one length: values are packed with theirs."""
    async with await connect(dsn) as connection, without_limit(connection):
        memory = [table.identifier for table in await owned_tables(connection)]
        threads = [sql.Identifier(table) for table in CHECKPOINTS]
        whose = sql.SQL("user_id = {}").format(sql.Literal(user))
        keys = sql.SQL("starts_with(thread_id, {})").format(sql.Literal(thread_prefix(Scope(user=user))))
        rows = [(table, await _rows(connection, table, whose)) for table in memory]
        checkpoints = [(table, await _rows(connection, table, keys)) for table in threads]
        for name in names:
            for table, text in rows:
                await _save(connection, table, _with_own_ids(_renamed(text, user, name), name))
            for table, text in checkpoints:
                await _save(connection, table, _renamed(text, user, name))
            tick()
        await connection.execute("vacuum analyze")


async def _rows(connection: Connection, table: sql.Identifier, where: sql.Composed) -> bytes:
    reading = sql.SQL("copy (select * from {} where {}) to stdout").format(table, where)
    async with connection.cursor() as cursor, cursor.copy(reading) as copy:
        return b"".join([bytes(part) async for part in copy])


async def _save(connection: Connection, table: sql.Identifier, rows: bytes) -> None:
    async with connection.cursor() as cursor, cursor.copy(sql.SQL("copy {} from stdin").format(table)) as copy:
        await copy.write(rows)


def _renamed(rows: bytes, old: str, new: str) -> bytes:
    """Bytes stand in a copy as hexadecimal digits."""
    assert len(old) == len(new)
    return rows.replace(old.encode(), new.encode()).replace(old.encode().hex().encode(), new.encode().hex().encode())


def _with_own_ids(rows: bytes, name: str) -> bytes:
    """Slots are of one user."""
    return _UUID.sub(lambda found: str(uuid.uuid5(uuid.NAMESPACE_OID, f"{name}{found[0]!r}")).encode(), rows)

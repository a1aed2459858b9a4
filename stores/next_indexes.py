"""Indexes of large users over the vectors of another model, made before these are searched."""

from __future__ import annotations

from psycopg import sql

from perdure.scope import Scope
from perdure.stores.large_users import (
    MOST_DIMENSIONS,
    NEXT_INDEXES,
    alone,
    creating,
    drop_indexes,
    dropping,
    known_users,
)
from perdure.stores.pool import Connection
from perdure.stores.sql import statements

_SQL = statements("reembedding")


async def index_next(connection: Connection, scope: Scope) -> None:
    """Index the user's new vectors; takes minutes for a hundred thousand, and reads and writes go on."""
    async with alone(connection):
        for index in NEXT_INDEXES:
            await connection.execute(dropping(index, scope))
            await connection.execute(creating(index, scope))


async def unindexed(connection: Connection) -> list[Scope]:
    """The large users who have no index of the new vectors yet; nobody, if these are too long for one."""
    rows = await (await connection.execute(_SQL["next_indexes"])).fetchall()
    made = {row["name"] for row in rows}
    if not rows or rows[0]["dimension"] > MOST_DIMENSIONS:
        return []
    users = await known_users(connection)
    return [scope for scope in users if not made.issuperset(index.name(scope) for index in NEXT_INDEXES)]


async def rename_next(connection: Connection) -> None:
    """Within the transaction of the switch: they are the users' indexes now. Those of the old vectors are gone."""
    for scope in await known_users(connection):
        for index in NEXT_INDEXES:
            name = index.name(scope)
            await connection.execute(
                sql.SQL("alter index if exists {} rename to {}").format(
                    sql.Identifier("perdure", name), sql.Identifier(name.replace("_near_next_", "_near_"))
                )
            )


async def drop_where_too_long(connection: Connection, dimension: int) -> None:
    """After the switch to vectors that no index takes, a large user's memories are scored one by one."""
    if dimension > MOST_DIMENSIONS:
        for scope in await known_users(connection):
            await drop_indexes(connection, scope)

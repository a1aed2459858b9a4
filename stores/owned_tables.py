"""The tables of which each row is a user's own, as the database's catalogue tells them."""

from __future__ import annotations

from dataclasses import dataclass
from graphlib import TopologicalSorter

from psycopg import sql

from perdure.stores.pool import Connection
from perdure.stores.sql import statements

_SQL = statements("catalogue")
WITH_INDEXES = "large_users"
"""The table that goes with the indexes that it tells of (`large_users.drop_indexes`): without it none would find them."""


@dataclass(frozen=True, slots=True)
class OwnedTable:
    name: str
    has_thread: bool

    @property
    def identifier(self) -> sql.Identifier:
        return sql.Identifier("perdure", self.name)


async def owned_tables(connection: Connection) -> list[OwnedTable]:
    """All of the schema that have a tenant and a user, each before those that its rows refer to."""
    rows = await (await connection.execute(_SQL["owned_tables"])).fetchall()
    tables = {row["table"]: OwnedTable(row["table"], row["has_thread"]) for row in rows if row["table"] != WITH_INDEXES}
    referred_first = TopologicalSorter({row["table"]: row["refers_to"] for row in rows}).static_order()
    return [tables[name] for name in reversed(list(referred_first)) if name in tables]

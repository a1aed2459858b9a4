"""The table of a LangGraph store in another database, read a page at a time."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import psycopg

from perdure.errors import DatabaseUnsuitable
from perdure.moving.records import Json
from perdure.stores.pool import borrowed, open_pool
from perdure.stores.sql import statements

_SQL = statements("foreign_store")
_PAGE = 500


async def stored_items(dsn: str, prefix: tuple[str, ...]) -> AsyncGenerator[bytes | Json, None]:
    """The items whose namespaces begin so, as `Item.dict()` gives them. Raises `DatabaseError`, `ConfigurationError`."""
    after, start = ("", ""), ".".join(prefix)
    async with open_pool(dsn, size=1) as pool:
        while True:
            parameters = {"after_prefix": after[0], "after_key": after[1], "start": start, "limit": _PAGE}
            try:
                async with borrowed(pool) as connection:
                    rows = await (await connection.execute(_SQL["item_page"], parameters)).fetchall()
            except psycopg.errors.UndefinedTable:
                raise DatabaseUnsuitable(
                    "the database has no table `store`: it is not that of a LangGraph store"
                ) from None
            for row in rows:
                yield {**row, "namespace": row["prefix"].split(".")}
            if len(rows) < _PAGE:
                return
            after = rows[-1]["prefix"], rows[-1]["key"]

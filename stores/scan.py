"""The proof of an erasure: every table read, by the catalogue, for what must not be there any more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import sql
from psycopg.rows import DictRow

from perdure.erasure_receipt import PLACES_NAMED, Scanned, Trace
from perdure.scope import Scope
from perdure.stores.pool import Connection
from perdure.stores.sought import Owner, Sought
from perdure.stores.sql import statements
from perdure.threads import thread_prefix

_SQL = statements("catalogue")
_BATCH = 1_000

_OWNERS = {
    ("tenant", "user_id"): sql.SQL(
        "case when tenant <> %(tenant)s then 'other' when user_id = %(user)s then 'own'"
        " when user_id = '' then 'nobody' else 'other' end"
    ),
    ("thread_id",): sql.SQL(
        "case when starts_with(thread_id, %(prefix)s) or thread_id = any(%(own)s) then 'own'"
        " when thread_id = any(%(nobody)s) then 'nobody' else 'other' end"
    ),
    ("tenant",): sql.SQL("case when tenant = %(tenant)s then 'nobody' else 'other' end"),
    (): sql.SQL("'nobody'"),
}
"""Whose a row is (`Owner`), by the columns that tell; the first that the table has."""
_NAMED_BY = ("id", "thread_id", "name")
"""Columns that name a row."""


@dataclass(frozen=True, slots=True)
class Threads:
    """The checkpointer's ids of the user's own threads, and of those that do not tell whose they are."""

    own: Sequence[str]
    nobody: Sequence[str]


async def scan_tables(
    connection: Connection, schema: str | None, sought: Sought, threads: Threads, tell: Callable[[str], None]
) -> tuple[list[Scanned], list[Trace]]:
    """Search the tables of a schema, or those of the checkpointer; each that begins is told.

    All rows are searched for the keys of the user's threads, those of nobody for the id too; the texts are looked for in
    the user's own rows and in those of nobody.
    """
    scanned: list[Scanned] = []
    traces: list[Trace] = []
    for table in await (await connection.execute(_SQL["tables"], {"schema": schema})).fetchall():
        if table["columns"]:
            tell(table["table"])
            scanned.append(await _count(connection, table))
            traces += await _scan(connection, table, sought, _parameters(sought.scope, threads))
    return scanned, traces


async def scan_indexes(connection: Connection, scope: Scope) -> list[Trace]:
    """Indexes whose definition names the user, as those of a large user do."""
    quoted = [f"'{name}'".encode() for name in (scope.tenant.replace("'", "''"), scope.user.replace("'", "''"))]
    rows = await (await connection.execute(_SQL["index_definitions"])).fetchall()
    named = [row["name"] for row in rows if all(quote in row["definition"].encode() for quote in quoted)]
    return [Trace("pg_indexes", "indexdef", "user", len(named), tuple(named[:PLACES_NAMED]))] if named else []


async def sample_anew(connection: Connection, schema: str | None) -> None:
    """Make the planner's statistics of the tables anew. Of one that belongs to another role, PostgreSQL only warns."""
    for table in await (await connection.execute(_SQL["tables"], {"schema": schema})).fetchall():
        await connection.execute(sql.SQL("analyze {}").format(_identifier(table)))


def _parameters(scope: Scope, threads: Threads) -> dict[str, Any]:
    prefix = thread_prefix(scope)
    told = {"own": list(threads.own), "nobody": list(threads.nobody)}
    return {"tenant": scope.tenant, "user": scope.user, "prefix": prefix, "key": prefix.encode(), **told}


async def _count(connection: Connection, table: DictRow) -> Scanned:
    counting = sql.SQL("select count(*) as rows from {}").format(_identifier(table))
    row = await (await connection.execute(counting)).fetchone()
    assert row
    return Scanned(table["table"], tuple(table["columns"]), row["rows"])


async def _scan(connection: Connection, table: DictRow, sought: Sought, parameters: dict[str, Any]) -> list[Trace]:
    """The traces in one table. The database leaves out rows in which nothing can be: it need not send them."""
    found: defaultdict[tuple[str, Any], list[str]] = defaultdict(list)
    whose = next(columns for columns in _OWNERS if set(columns) <= set(table["all_columns"]))
    async with connection.transaction(), connection.cursor("perdure_scan") as cursor:
        cursor.itersize = _BATCH
        await cursor.execute(_reading(table, _OWNERS[whose], user=sought.key is not None), parameters)
        async for row in cursor:
            owner: Owner = row.pop("_owner")
            name = row.pop("_name")
            if sought.key and owner == "own":
                found[whose[-1], "user"].append(name)
                continue
            for column, value in row.items():
                if holds := sought.found(column, value, owner):
                    found[column, holds].append(name)
    return [
        Trace(table["table"], column, holds, len(names), tuple(dict.fromkeys(filter(None, names)))[:PLACES_NAMED])
        for (column, holds), names in found.items()
    ]


def _reading(table: DictRow, owner: sql.Composable, *, user: bool) -> sql.Composed:
    columns = [sql.Identifier(column) for column in table["columns"]]
    name = next((sql.Identifier(column) for column in _NAMED_BY if column in table["all_columns"]), None)
    keys = [_has_key(column, table) for column in table["columns"]] if user else []
    return sql.SQL(
        "select * from (select {owner} as _owner, {name}::text as _name, {columns} from {table}) r where {where}"
    ).format(
        owner=owner,
        name=name or sql.SQL("''"),
        columns=sql.SQL(", ").join(columns),
        table=_identifier(table),
        where=sql.SQL(" or ").join([sql.SQL("_owner <> 'other'"), *keys]),
    )


def _has_key(column: str, table: DictRow) -> sql.Composed:
    """A thread key is plain ASCII, which no encoding of the column escapes."""
    test = "position(%(key)s in {}) > 0" if column in table["bytes"] else "strpos({}::text, %(prefix)s) > 0"
    return sql.SQL(test).format(sql.Identifier(column))


def _identifier(table: DictRow) -> sql.Identifier:
    return sql.Identifier(table["schema"], table["table"])

"""What is not a user's, as a checksum of each table: that an erasure touched nobody else, told without its own code."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg
from psycopg import sql

from perdure.scope import Scope
from perdure.threads import thread_prefix

CHECKPOINTS = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
OWN_RECORD = {"erasures"}
"""The table in which erasures themselves are noted."""


def untouched(dsn: str, scope: Scope, threads: Sequence[str] = ()) -> dict[str, tuple[int, int]]:
    """Rows, and the sum of their hashes, per table without the rows of the user; ``threads`` are those named by no key."""
    told = {"tenant": scope.tenant, "user": scope.user, "prefix": thread_prefix(scope), "threads": list(threads)}
    found: dict[str, tuple[int, int]] = {}
    with psycopg.connect(dsn) as connection:
        for schema, table, columns in connection.execute(_TABLES, {"checkpoints": list(CHECKPOINTS)}).fetchall():
            if table in OWN_RECORD:
                continue
            where = _OTHERS["user_id" if "user_id" in columns else "thread_id" if "thread_id" in columns else ""]
            counting = sql.SQL("select count(*), coalesce(sum(hashtextextended(t::text, 0)), 0) from {} t where {}")
            row = connection.execute(counting.format(sql.Identifier(schema, table), where), told).fetchone()
            assert row
            found[table] = (int(row[0]), int(row[1]))
    return found


_TABLES = """
    select table_schema, table_name, array_agg(column_name::text) from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and (table_schema = 'perdure' or table_name = any(%(checkpoints)s))
    group by 1, 2
"""
_OTHERS = {
    "user_id": sql.SQL("(tenant, user_id) <> (%(tenant)s, %(user)s)"),
    "thread_id": sql.SQL("not starts_with(thread_id, %(prefix)s) and thread_id <> all(%(threads)s)"),
    "": sql.SQL("true"),
}

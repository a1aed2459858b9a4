"""Words of rows that an earlier release wrote, by the present rules: they are cut anew from the stored text.

A migration that changes how terms are cut sets `words` to null; here is what fills it again, a batch at a time, so that
whoever is cut short goes on where it was.
"""

from __future__ import annotations

import asyncio

from perdure.scripts import script_of
from perdure.stores.pool import Connection
from perdure.stores.rows import Row
from perdure.stores.sql import statements
from perdure.stores.words import fact_text, row_words
from perdure.terms import hashed_terms

_SQL = statements("indexing")


async def index_words(connection: Connection) -> int:
    """Give words to all rows that have none; how many rows that was."""
    return sum([await _index(connection, kind) for kind in ("fact", "episode")])


async def _index(connection: Connection, kind: str) -> int:
    done = 0
    while await (await connection.execute(_SQL[f"some_{kind}s"])).fetchone() is not None:
        async with connection.transaction(), connection.cursor() as cursor:
            rows = await (await connection.execute(_SQL[f"unindexed_{kind}s"])).fetchall()
            await cursor.executemany(_SQL[f"index_{kind}"], [row | _words(row) for row in rows])
        done += len(rows)
        if not rows:  # somebody is writing them, or gives them words
            await asyncio.sleep(0.05)
    return done


def _words(row: Row) -> Row:
    text = fact_text(row["content"], row["value"], row["attribute"]) if "value" in row else row["content"]
    terms = hashed_terms(text)
    return {"terms": terms, "words": row_words(terms), "script": script_of(row["content"])}

"""The same memories in everybody's tables: one COPY, then one statement each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import LiteralString

from pgvector import Vector
from psycopg import sql

from bench.synthetic import Corpus
from perdure.scripts import script_of
from perdure.stores.pool import Connection, connect, without_limit
from perdure.stores.words import row_words
from perdure.terms import hashed_terms

MEMORIES: LiteralString = (
    "create unlogged table memories (number integer primary key, id uuid, user_id text, content text,"
    " embedding vector, terms integer[], words sparsevec, script smallint)"
)
COLUMNS = ["int4", "uuid", "text", "text", "vector", "int4[]", "sparsevec", "int2"]
STATEMENTS: dict[str, LiteralString] = {
    "facts": (
        "insert into perdure.facts (tenant, user_id, agent, id, slot, subject, attribute, cardinality, value, content,"
        " kind, importance, confidence, trust, valid_from, dated, known_from, corroboration, version, thread, message,"
        " embedding, terms, words, script) select 'default', user_id, '', id, id, 'user', '', 'many', content, content,"
        " 'fact', 5, 1, 'user', '2026-01-01 UTC', true, '2026-01-01 UTC', 1, 1, '', '', embedding, terms, words, script"
        " from memories order by number"
    ),
    "store": (
        "insert into store (prefix, key, value)"
        " select 'memories.' || user_id, id::text, jsonb_build_object('text', content) from memories order by number"
    ),
    "store_vectors": (
        "insert into store_vectors (prefix, key, field_name, embedding)"
        " select 'memories.' || user_id, id::text, 'text', embedding from memories order by number"
    ),
    "mem0": (
        "insert into mem0 (id, vector, payload) select id, embedding, jsonb_build_object('user_id', user_id, 'data',"
        " content, 'text_lemmatized', content, 'hash', md5(content), 'created_at', now(), 'updated_at', now())"
        " from memories order by number"
    ),
}


async def stage(dsn: str, corpus: Corpus) -> None:
    """Copy the corpus into a table, for `fill` to read."""
    async with await connect(dsn) as connection, without_limit(connection), connection.cursor() as cursor:
        await cursor.execute(MEMORIES)
        async with cursor.copy("copy memories from stdin (format binary)") as copy:
            copy.set_types(COLUMNS)
            for row in _rows(corpus):
                await copy.write_row(row)


async def fill(dsn: str, *tables: str) -> None:
    """Insert what is staged into empty tables, in this order, and leave them as a vacuum and an analysis do.

    HNSW indexes are made afterwards, as they are defined: many times faster than row by row, and the same to search.
    """
    async with await connect(dsn) as connection, without_limit(connection):
        for table in tables:
            indexes = await _hnsw_indexes(connection, table)
            for name, _ in indexes:
                await connection.execute(sql.SQL("drop index {}").format(name))
            await connection.execute(STATEMENTS[table])
            for _, definition in indexes:
                await connection.execute(definition.encode())
        await connection.execute("vacuum analyze")


async def _hnsw_indexes(connection: Connection, table: str) -> list[tuple[sql.Identifier, str]]:
    found = await connection.execute(
        "select schemaname, indexname, indexdef from pg_indexes where tablename = %s and indexdef like '%% USING hnsw %%'",
        (table,),
    )
    return [(sql.Identifier(row["schemaname"], row["indexname"]), row["indexdef"]) async for row in found]


def _rows(corpus: Corpus) -> Iterator[tuple[object, ...]]:
    for number, memory in enumerate(corpus.memories):
        terms = hashed_terms(memory.text)
        vector, words = Vector(corpus.vectors[number]), row_words(terms)
        yield number, memory.id, memory.user, memory.text, vector, terms, words, script_of(memory.text)

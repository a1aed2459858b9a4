"""Users with very many memories get indexes of their own, and the doctor knows who has none."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from perdure_process import Perdure

from perdure.models.local_embedder import LocalEmbedder
from perdure.stores.large_users import LARGE
from perdure.stores.pool import connect

MANY = """
insert into perdure.episodes (tenant, user_id, agent, id, kind, content, occurred_at, thread, message, details, extracted,
                              valid_from, recorded_at, embedding, terms, words)
select 'acme', 'mina', '', gen_random_uuid(), 'exchange', '', now(), '', '', '{}', true,
       now(), now(), array_fill(1, array[%s])::vector, '{}', '{}/1000000000'
from generate_series(1, %s)
"""
NAME = "large users without indexes"


@pytest.fixture
def perdure(tmp_path: Path, local_database: str) -> Perdure:
    return Perdure(tmp_path, {"DATABASE_URL": local_database})


async def fill(dsn: str, rows: int) -> None:
    async with await connect(dsn) as connection:
        await connection.execute(MANY, (LocalEmbedder().dimension, rows))


async def indexes(dsn: str) -> set[str]:
    """The names of indexes that only one user has."""
    async with await connect(dsn) as connection:
        found = await connection.execute("select indexname from pg_indexes where indexdef like '%%mina%%'")
        return {row["indexname"] async for row in found}


def check(perdure: Perdure) -> dict[str, Any]:
    (found,) = (check for check in perdure("doctor", "--json").json if check["name"] == NAME)
    return dict(found)


def test_the_doctor_finds_users_who_need_indexes(perdure: Perdure, local_database: str) -> None:
    asyncio.run(fill(local_database, LARGE - 1))
    assert check(perdure)["state"] == "ok"
    asyncio.run(fill(local_database, 1))
    found = check(perdure)
    assert found["state"] == "warn" and found["found"].endswith(f"the largest has {LARGE} memories")
    assert "`perdure index`" in found["advice"]


def test_indexes_are_made_and_dropped_again(perdure: Perdure, local_database: str) -> None:
    asyncio.run(fill(local_database, 3))
    made = perdure("index", "--least", "3")
    assert made.out == "users with 3 memories or more: 1, indexed\n"
    assert "mina of tenant acme: indexed (3 memories)" in made.err
    assert len(asyncio.run(indexes(local_database))) == 4
    dropped = {"tenant": "acme", "user": "mina", "rows": 3, "indexed": False}
    assert perdure("index", "--json").json == [dropped]
    assert asyncio.run(indexes(local_database)) == set()
    assert perdure("index").out == f"users with {LARGE} memories or more: 0\n"

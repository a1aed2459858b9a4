"""The schema: applied once, by whoever comes first, and never over another model's vectors."""

from __future__ import annotations

import asyncio
import re
import uuid

import psycopg
import pytest
from databases import create_database, drop_database
from psycopg.conninfo import make_conninfo
from vectors import DIMENSION, MODEL

from perdure.embedded import EmbeddedPostgres
from perdure.errors import DatabaseUnsuitable, EmbedderMismatch, MigrationError
from perdure.stores.migrations import check_server, migrate, migrations, status


def test_files_are_numbered_without_gaps_and_named_in_words() -> None:
    names = [migration.name for migration in migrations()]
    assert all(re.fullmatch(r"\d{4}_[a-z0-9_]+", name) for name in names)
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))


async def test_many_starting_at_once_apply_each_migration_once(postgres: EmbeddedPostgres) -> None:
    dsn = create_database(postgres, None)
    applied = await asyncio.gather(*(migrate(dsn, MODEL, DIMENSION) for _ in range(8)))
    everything = tuple(migration.name for migration in migrations())
    assert sorted(applied) == sorted([everything, *[()] * 7])
    found = await status(dsn)
    assert (found.applied, found.pending, found.embedder, found.dimension) == (everything, (), MODEL, DIMENSION)
    drop_database(postgres, dsn)


async def test_another_model_is_refused_by_name_and_nothing_is_written(database: str) -> None:
    with pytest.raises(EmbedderMismatch) as error:
        await migrate(database, "other-model", 512)
    assert MODEL in str(error.value) and "other-model" in str(error.value)
    assert (await status(database)).embedder == MODEL


async def test_an_edited_migration_is_refused(database: str) -> None:
    _execute(database, "update perdure.migrations set checksum = 'x'")
    with pytest.raises(MigrationError, match="differs from the shipped one"):
        await status(database)


async def test_a_schema_of_a_newer_release_is_refused(database: str) -> None:
    _execute(database, "insert into perdure.migrations (name, checksum) values ('9999_future', 'x')")
    with pytest.raises(DatabaseUnsuitable, match="newer Perdure"):
        await migrate(database, MODEL, DIMENSION)


async def test_a_failed_migration_leaves_nothing_behind(postgres: EmbeddedPostgres) -> None:
    dsn = create_database(postgres, None)
    _execute(dsn, "create schema perdure; create table perdure.facts (in_the_way integer)")
    with pytest.raises(MigrationError, match="0001_memory failed and was undone"):
        await migrate(dsn, MODEL, DIMENSION)
    found = await status(dsn)
    assert found.applied == () and found.embedder is None
    drop_database(postgres, dsn)


@pytest.mark.parametrize("dimension", [0, 16_001])
async def test_vectors_that_the_server_cannot_hold_are_refused(postgres: EmbeddedPostgres, dimension: int) -> None:
    dsn = create_database(postgres, None)
    with pytest.raises(MigrationError, match="dimensions for type vector"):
        await migrate(dsn, MODEL, dimension)
    assert (await status(dsn)).applied == ()
    drop_database(postgres, dsn)


@pytest.mark.parametrize(
    ("postgres_version", "pgvector", "message"),
    [(13, "0.8.2", "PostgreSQL 13, too old"), (16, None, "no pgvector"), (16, "0.7.4", "pgvector is 0.7.4, too old")],
)
def test_an_unsuitable_server_is_refused_with_what_to_do(
    postgres_version: int, pgvector: str | None, message: str
) -> None:
    with pytest.raises(DatabaseUnsuitable, match=message) as error:
        check_server(postgres_version, pgvector, btree_gist=True)
    assert "DATABASE_URL" in str(error.value)


def test_a_server_without_btree_gist_is_refused_with_what_to_do() -> None:
    with pytest.raises(DatabaseUnsuitable, match=r"no btree_gist: install .* DATABASE_URL"):
        check_server(16, "0.8.2", btree_gist=False)


async def test_a_user_who_may_create_nothing_migrates_what_an_administrator_has_prepared(
    postgres: EmbeddedPostgres,
) -> None:
    dsn, role = create_database(postgres, None), f"role_{uuid.uuid4().hex}"
    user = make_conninfo(dsn, options=f"-c role={role}")
    _execute(dsn, f"create role {role}")
    with pytest.raises(DatabaseUnsuitable, match="let an administrator create them once"):
        await migrate(user, MODEL, DIMENSION)
    _execute(dsn, f"create schema perdure authorization {role}; create extension if not exists vector")
    _execute(dsn, "create extension if not exists btree_gist")
    assert await migrate(user, MODEL, DIMENSION)
    drop_database(postgres, dsn)
    _execute(postgres.dsn, f"drop role {role}")


def _execute(dsn: str, sql: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(sql.encode())

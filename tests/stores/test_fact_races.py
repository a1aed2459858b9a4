"""Writers of one user who meet: on a lock, and on a database that isolates its transactions in its own way."""

from __future__ import annotations

import asyncio

import pytest
from databases import create_database, drop_database
from stored import store_over

from perdure.embedded import EmbeddedPostgres
from perdure.facts import Operation
from perdure.scope import Scope
from perdure.stores.pool import connect, open_pool
from perdure.stores.sql import statements

ME = Scope(user="u1")
KEY = {"tenant": ME.tenant, "user": ME.user}


async def test_a_write_that_waited_for_another_is_recorded_when_it_could_be_seen(database: str) -> None:
    async with open_pool(database) as pool, await connect(database) as other:
        store = store_over(pool)
        async with other.transaction():
            await other.execute(statements("facts")["lock_user"], KEY)
            writing = asyncio.create_task(store.write(ME, Operation(attribute="home.city", value="Seoul")))
            while not await _waits(database):  # noqa: ASYNC110  # nothing tells when the server waits
                await asyncio.sleep(0.01)
            known = store.clock.forward(minutes=1)
            assert await store.facts.facts(ME) == []
            store.clock.forward(minutes=1)
        await writing
        assert await store.facts.facts(ME, as_known_at=known) == []
        assert len(await store.facts.facts(ME)) == 1


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
async def test_a_database_that_isolates_more_by_default_loses_no_write(
    postgres: EmbeddedPostgres, migrated: str, level: str
) -> None:
    dsn = create_database(postgres, migrated)
    async with await connect(dsn) as connection:
        name = connection.info.dbname
        await connection.execute(f"alter database {name} set default_transaction_isolation = '{level}'".encode())
    async with open_pool(dsn) as pool:
        store = store_over(pool)
        wanted = [Operation(attribute="home.city", value=f"v{number}") for number in range(8)]
        await asyncio.gather(*(store.write(ME, operation, message=operation.value) for operation in wanted))
        assert len(await store.facts.statements(ME)) == 8
        assert len(await store.facts.facts(ME)) == 1
        assert (await store.facts.rebuild(ME, check=True)).identical
    drop_database(postgres, dsn)


async def _waits(dsn: str) -> bool:
    async with await connect(dsn) as connection:
        row = await (
            await connection.execute(
                "select exists (select from pg_locks where not granted and locktype = 'advisory'"
                " and database = (select oid from pg_database where datname = current_database())) as waits"
            )
        ).fetchone()
    return row is not None and bool(row["waits"])

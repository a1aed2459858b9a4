from __future__ import annotations

import asyncio

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from wire_proxy import proxied

from perdure.errors import ConfigurationError, DatabaseUnavailable, DatabaseUnsuitable
from perdure.stores.pool import (
    Connection,
    borrowed,
    connect,
    open_pool,
    place,
    transaction,
    translate_errors,
    without_limit,
)

SECRET = "s3cr3t-pässword"


async def value_of(connection: Connection, query: str) -> object:
    row = await (await connection.execute(query.encode())).fetchone()
    assert row is not None
    return next(iter(row.values()))


async def test_a_pool_gives_connections_that_are_ready(database: str) -> None:
    async with open_pool(database, size=2) as pool, pool.connection() as connection:
        assert connection.autocommit
        assert await value_of(connection, "select current_setting('application_name')") == "perdure"
        assert await value_of(connection, "select current_setting('statement_timeout')") == "1min"


async def test_vectors_are_read_as_such_once_the_extension_is_there(database: str) -> None:
    from pgvector import Vector

    async with open_pool(database) as pool, pool.connection() as connection:
        await connection.execute("drop extension if exists vector cascade")
    async with open_pool(database) as pool, pool.connection() as connection:
        await connection.execute("create extension vector")
    async with open_pool(database) as pool, pool.connection() as connection:
        assert await value_of(connection, "select '[1,2]'::vector") == Vector([1, 2])


async def test_what_the_dsn_sets_wins(database: str) -> None:
    dsn = make_conninfo(database, application_name="host", options="-c statement_timeout=7s")
    async with open_pool(dsn) as pool, pool.connection() as connection:
        assert await value_of(connection, "select current_setting('application_name')") == "host"
        assert await value_of(connection, "select current_setting('statement_timeout')") == "7s"


async def test_the_limit_can_be_lifted_for_a_while(database: str) -> None:
    async with await connect(database) as connection:
        async with without_limit(connection):
            assert await value_of(connection, "select current_setting('statement_timeout')") == "0"
        assert await value_of(connection, "select current_setting('statement_timeout')") == "1min"


@pytest.mark.parametrize(
    "dsn",
    [
        "",
        "  ",
        f"postgres:{SECRET}@db/memory",
        f"postgresql+psycopg://u:{SECRET}@db/memory",
        f"host=db password={SECRET} colour=blue",
        f"postgresql://u:{SECRET}@db:port/memory",
        f"host=db password={SECRET} connect_timeout=soon",
        f"postgresql://u:pass/{SECRET}@db/memory",
        f"postgresql://u:1/{SECRET}@db/memory",
        f"postgresql://u:pass@{SECRET}@db/memory",
    ],
)
async def test_a_dsn_that_is_none_is_a_wrong_setting(dsn: str) -> None:
    with pytest.raises(ConfigurationError, match="database URL") as raised:
        async with open_pool(dsn):
            pass
    assert SECRET not in str(raised.value)
    assert raised.value.__cause__ is None


async def test_nothing_that_answers_is_told_with_place_and_reason_only() -> None:
    with pytest.raises(DatabaseUnavailable, match=r"cannot connect to PostgreSQL at 127\.0\.0\.1:1/memory") as raised:
        async with open_pool(f"postgresql://someone:{SECRET}@127.0.0.1:1/memory"):
            pass
    assert SECRET not in str(raised.value)


async def test_an_unknown_database_is_told_by_name(database: str) -> None:
    with pytest.raises(DatabaseUnavailable, match='database "nowhere" does not exist'):
        async with open_pool(make_conninfo(database, dbname="nowhere")):
            pass


def test_the_place_has_no_password() -> None:
    assert place(f"postgresql://u:{SECRET}@db.example:5433/memory") == "db.example:5433/memory"


async def fail(connection: Connection, code: str) -> None:
    """The server raises the error of this SQLSTATE, with a detail that must not be repeated."""
    body = f"begin raise exception using errcode = '{code}', message = 'told', detail = '{SECRET}'; end"
    await connection.execute(f"do $${body}$$".encode())


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("53100", "disk is full"),
        ("57014", "time limit"),
        ("40P01", "try again"),
        ("40001", "try again"),
        ("57P01", "told"),
        ("08006", "told"),
    ],
)
async def test_errors_of_the_server_are_told(database: str, code: str, told: str) -> None:
    async with await connect(database) as connection:
        with pytest.raises(DatabaseUnavailable, match=told) as raised, translate_errors():
            await fail(connection, code)
    assert SECRET not in str(raised.value)
    assert isinstance(raised.value.__cause__, psycopg.Error)


@pytest.mark.parametrize(("code", "told"), [("42501", "refuses this to its user: told"), ("25006", "read-only.*told")])
async def test_what_the_server_will_not_do_is_told_with_what_to_change(database: str, code: str, told: str) -> None:
    async with await connect(database) as connection:
        with pytest.raises(DatabaseUnsuitable, match=f"{told}.*database URL") as raised, translate_errors():
            await fail(connection, code)
    assert SECRET not in str(raised.value)


async def test_behind_a_pooler_nothing_is_left_in_a_session(database: str) -> None:
    async with proxied(database, pooler=True) as proxy, open_pool(proxy.dsn, size=1) as pool:
        for _ in range(10):  # the driver prepares what it has run five times
            async with pool.connection() as connection, connection.cursor() as cursor:
                await cursor.execute("select %s::int", (1,))
                await cursor.executemany("select %s::int", [(1,), (2,)])
        async with pool.connection() as connection, without_limit(connection):
            assert await value_of(connection, "select count(*) from pg_prepared_statements") == 0
            assert await value_of(connection, "select source from pg_settings where name = 'statement_timeout'") == (
                "default"
            )


async def test_a_transaction_that_fails_leaves_nothing_and_a_connection_that_works(database: str) -> None:
    async with open_pool(database, size=1) as pool:
        async with transaction(pool) as connection:
            await connection.execute("create table kept (n int primary key)")
            await connection.execute("insert into kept values (1)")
        with pytest.raises(psycopg.errors.UniqueViolation):
            async with transaction(pool) as connection:
                await connection.execute("insert into kept values (2)")
                await connection.execute("insert into kept values (1)")
        with pytest.raises(LookupError):
            async with transaction(pool) as connection:
                await connection.execute("insert into kept values (3)")
                raise LookupError
        async with pool.connection() as connection:
            assert await value_of(connection, "select array_agg(n) from kept") == [1]


async def test_errors_of_a_statement_pass(database: str) -> None:
    async with await connect(database) as connection:
        with pytest.raises(psycopg.errors.UndefinedTable), translate_errors():
            await connection.execute("select * from nowhere")


async def test_a_connection_that_breaks_is_told_and_replaced(database: str) -> None:
    async with open_pool(database, size=1) as pool:
        with pytest.raises(DatabaseUnavailable, match="connection to the database failed"), translate_errors():
            async with pool.connection() as connection:
                await connection.execute("select pg_terminate_backend(pg_backend_pid())")
        async with pool.connection() as connection:
            assert await value_of(connection, "select 1") == 1


async def test_no_connection_to_a_server_that_goes_down_is_used_again(database: str) -> None:
    """The idle ones may still answer for a moment, and would fail a later caller."""
    async with open_pool(database, size=2) as pool:
        async with pool.connection() as here, pool.connection() as there:
            served_by = {await value_of(one, "select pg_backend_pid()") for one in (here, there)}
        with pytest.raises(DatabaseUnavailable):
            async with borrowed(pool) as connection:
                await connection.execute("select pg_terminate_backend(pg_backend_pid())")
        async with pool.connection() as here, pool.connection() as there:
            assert served_by.isdisjoint({await value_of(one, "select pg_backend_pid()") for one in (here, there)})


async def test_a_closed_pool_is_told(database: str) -> None:
    async with open_pool(database) as pool:
        pass
    with pytest.raises(DatabaseUnavailable, match="closed already"), translate_errors():
        async with pool.connection():
            pass


async def test_a_used_up_pool_is_told(database: str) -> None:
    async with open_pool(database, size=1) as pool, pool.connection():
        with pytest.raises(DatabaseUnavailable, match="became free"), translate_errors():
            async with asyncio.timeout(30), pool.connection(timeout=0.01):
                pass

"""Connections to PostgreSQL: opening them quickly or failing clearly, and the one place where driver errors are told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from os import environ
from typing import Any

import psycopg
from psycopg import AsyncConnection, IsolationLevel
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import DictRow, dict_row
from psycopg.types import TypeInfo
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from perdure.errors import ConfigurationError, DatabaseUnavailable, DatabaseUnsuitable, EmbedderChanged

Connection = AsyncConnection[DictRow]
Revive = Callable[[], Awaitable[None]]
Pool = AsyncConnectionPool[Connection]
"""Autocommit, rows as dicts unless the cursor says otherwise. It belongs to the event loop that opened it."""

CONNECT_SECONDS = 5
POOL_SECONDS = 10.0
STATEMENT_LIMIT = "60s"
EMBEDDER_CHANGED = "PDR01"
"""The state that the database gives for a vector of a model that is not, or not much longer, in force."""


@asynccontextmanager
async def open_pool(dsn: str, *, size: int = 10, revive: Revive | None = None) -> AsyncIterator[Pool]:
    """A pool of at most `size` connections to `dsn`, closed on leaving.

    ``revive`` is awaited before each new connection: it starts a server again that has been killed.
    Raises `ConfigurationError` for a DSN that is none, and `DatabaseUnavailable` within seconds if nothing answers.
    """
    conninfo, kwargs = _arguments(dsn)
    # One connection before the pool: the pool would retry in the background and tell only that its time is up.
    async with await connect(dsn):
        pass

    async def living() -> str:
        if revive:
            await revive()
        return conninfo

    pool: Pool = AsyncConnectionPool(
        living,
        kwargs=kwargs,
        connection_class=Connection,
        configure=_configure,
        min_size=1,
        max_size=size,
        timeout=POOL_SECONDS,
        open=False,
        name="perdure",
    )
    with translate_errors():
        await pool.open(wait=True, timeout=POOL_SECONDS)
    try:
        yield pool
    finally:
        await pool.close()


async def connect(dsn: str) -> Connection:
    """One connection of its own, like those of a pool: for migrations and whatever must not wait for a pool."""
    conninfo, kwargs = _arguments(dsn)
    try:
        connection = await Connection.connect(conninfo, **kwargs)
    except psycopg.OperationalError as error:
        raise DatabaseUnavailable(
            f"cannot connect to PostgreSQL at {place(dsn)}: {_reason(error)}. "
            "Check that the server runs and that the address, the user and the password are right"
        ) from error
    except (psycopg.ProgrammingError, ValueError):
        raise _malformed() from None
    await _configure(connection)
    return connection


def place(dsn: str) -> str:
    """Host, port and database of a DSN, for messages: never its user or password."""
    parts = _parts(dsn)
    host = parts.get("host") or parts.get("hostaddr") or environ.get("PGHOST") or "the local socket"
    port = f":{parts['port']}" if parts.get("port") else ""
    database = parts.get("dbname") or environ.get("PGDATABASE") or "(default database)"
    return f"{host}{port}/{database}"


@asynccontextmanager
async def without_limit(connection: Connection) -> AsyncIterator[None]:
    """Let statements take their time: building an index may need more than a query may."""
    if await is_shared(connection):
        yield
        return
    await connection.execute("set statement_timeout = 0")
    try:
        yield
    finally:
        if not connection.closed:
            await connection.execute("reset statement_timeout")
            await _limit_statements(connection)


@contextmanager
def translate_errors() -> Iterator[None]:
    """Tell what the driver raises when the database is away, full or overloaded as `DatabaseUnavailable`.

    What it refuses to this user, or to everybody because it is read-only, is `DatabaseUnsuitable`. Errors in a statement
    or in its data are bugs, or the caller's to handle: they pass unchanged.
    """
    try:
        yield
    except (psycopg.OperationalError, psycopg.InterfaceError) as error:
        raise DatabaseUnavailable(_told(error)) from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise DatabaseUnsuitable(
            f"the database refuses this to its user: {_reason(error)}. Grant it to the user of the database URL, or name"
            " another user there"
        ) from error
    except psycopg.errors.ReadOnlySqlTransaction as error:
        raise DatabaseUnsuitable(
            f"the database is read-only, as a standby is: {_reason(error)}. Point the database URL at the primary"
        ) from error
    except psycopg.DatabaseError as error:
        if error.sqlstate != EMBEDDER_CHANGED:
            raise
        raise EmbedderChanged(f"{_reason(error)}: try again, with a vector of that model") from error


@asynccontextmanager
async def borrowed(pool: Pool) -> AsyncIterator[Connection]:
    """A connection of the pool for a while, with the driver's errors translated."""
    async with replacing_broken(pool), pool.connection() as connection:
        yield connection


@asynccontextmanager
async def transaction(pool: Pool) -> AsyncIterator[Connection]:
    """A connection in a transaction, its statements sent without waiting until something is fetched, or the end.

    `Connection.transaction` in a pipeline would wait for the begin, the last statement, the commit and the pipeline, each
    by itself, while other writers wait for the lock. After an error the pool rolls back.
    """
    async with borrowed(pool) as connection, connection.pipeline():
        await connection.execute("begin isolation level read committed")
        yield connection
        await connection.execute("commit")


@asynccontextmanager
async def replacing_broken(pool: Pool) -> AsyncIterator[None]:
    """Translate the driver's errors; after one, replace what is broken in the pool.

    What broke one connection broke the idle ones too: without this, each would fail a caller of its own. Those to a
    server that is going down are all replaced: they may still answer for a moment, and look well.
    """
    try:
        with translate_errors():
            yield
    except DatabaseUnavailable as error:
        going_down = isinstance(error.__cause__, psycopg.errors.AdminShutdown | psycopg.errors.CrashShutdown)
        if not pool.closed:
            await (pool.drain() if going_down else pool.check())
        raise


def _told(error: psycopg.Error) -> str:
    match error:
        case psycopg.errors.DiskFull():
            return "the disk is full on the database server: nothing of this was saved; free space, then try again"
        case psycopg.errors.QueryCanceled():
            return f"the database stopped a statement at its time limit ({STATEMENT_LIMIT} unless set): try again later"
        case psycopg.errors.SerializationFailure() | psycopg.errors.DeadlockDetected():
            return "the database undid this transaction in favour of another that ran at the same time: try again"
        case PoolTimeout():
            return (
                f"no database connection became free within {POOL_SECONDS:.0f} s: check that the server runs, "
                "or give the pool more connections"
            )
        case PoolClosed():
            return "the connections to the database are closed already: open the store again"
        case _:
            return (
                f"the connection to the database failed: {_reason(error)}. Check that the server runs, then try again"
            )


def _reason(error: psycopg.Error) -> str:
    """What the server or libpq says, without the detail and context lines: they may quote data."""
    lines = (error.diag.message_primary or str(error)).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def _arguments(dsn: str) -> tuple[str, dict[str, Any]]:
    parts: dict[str, Any] = {"application_name": "perdure", "connect_timeout": CONNECT_SECONDS} | _parts(dsn)
    return make_conninfo(**parts), {"autocommit": True, "row_factory": dict_row}


def _parts(dsn: str) -> dict[str, Any]:
    try:
        parts = conninfo_to_dict(dsn)
    except psycopg.ProgrammingError:
        raise _malformed() from None  # libpq quotes the DSN, and with it the password
    if not parts:
        raise ConfigurationError("the database URL is empty: set it to postgresql://user:password@host:port/database")
    # A password with an unescaped @ or / ends up in these, and would be shown in messages.
    port, host, database = (str(parts.get(name) or "") for name in ("port", "host", "dbname"))
    if (not port.replace(",", "").isdecimal() and port) or "@" in host[1:] or "@" in database:
        raise _malformed()
    return dict(parts)


def _malformed() -> ConfigurationError:
    return ConfigurationError(
        "the database URL cannot be read: it must look like postgresql://user:password@host:port/database, "
        "with special characters of the password percent-escaped"
    )


async def is_shared(connection: Connection) -> bool:
    """Whether a pooler such as pgbouncer is in between: the server process is not the one that was announced.

    Each transaction may then meet another session. What is set, locked or prepared in one is left for strangers, who
    would run a prepared statement of the same name as if it were theirs.
    """
    row = await (await connection.execute("select pg_backend_pid() as process")).fetchone()
    return row is not None and row["process"] != connection.info.backend_pid


async def _configure(connection: Connection) -> None:
    # A writer that waited for its turn must see what was committed meanwhile, whatever the database's default is.
    await connection.set_isolation_level(IsolationLevel.READ_COMMITTED)
    if await is_shared(connection):
        connection.prepare_threshold = None
    else:
        await _limit_statements(connection)
        # Planning the search anew for every question takes half as long as the search itself.
        await connection.execute("set plan_cache_mode = force_generic_plan")
    # A database of checkpoints alone may lack pgvector, and one that is about to be migrated has it not yet.
    if await TypeInfo.fetch(connection, "vector") is not None:
        from pgvector.psycopg import register_vector_async

        await register_vector_async(connection)


async def _limit_statements(connection: Connection) -> None:
    """A limit that the role, the database or the DSN sets is left as it is."""
    await connection.execute(
        "select set_config('statement_timeout', %s, false) where current_setting('statement_timeout') = '0'",
        (STATEMENT_LIMIT,),
    )

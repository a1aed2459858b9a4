"""The schema: ordered, named, checksummed SQL files, each applied once, by whichever process comes first.

A file is never edited after a release: `check` refuses a database whose applied files differ from the shipped ones.
``:dimension`` in a file stands for the number of dimensions of the embedder that the database is created with.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pgvector.psycopg import register_vector_async
from psycopg import errors
from psycopg.rows import tuple_row
from psycopg.types import TypeInfo

from perdure.errors import DatabaseUnsuitable, EmbedderMismatch, MigrationError
from perdure.plain import Record
from perdure.stores.indexing import index_words
from perdure.stores.pool import Connection, connect, translate_errors, without_limit

LOCK = 0x70657264
"""Key of the advisory lock that one migrating process holds."""
OLDEST_SERVER = 14
OLDEST_PGVECTOR = (0, 8, 2)
REMEDY = (
    "point DATABASE_URL at a PostgreSQL 14 or newer with pgvector 0.8.2 or newer, or unset it to use the embedded one"
)


@dataclass(frozen=True, slots=True)
class Migration:
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class MigrationStatus(Record):
    """What a database has: `embedder` and `dimension` are None before the first migration."""

    applied: tuple[str, ...]
    pending: tuple[str, ...]
    embedder: str | None
    dimension: int | None
    postgres: int
    pgvector: str | None
    """Version installed in this database, else the one that could be; None if the server has none."""


@cache
def migrations() -> tuple[Migration, ...]:
    """The shipped files, in order."""
    folder = files(__name__)
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".sql"))
    return tuple(Migration(name.removesuffix(".sql"), (folder / name).read_text("utf-8")) for name in names)


async def status(dsn: str) -> MigrationStatus:
    """What the database has; raises `DatabaseUnsuitable` or `MigrationError` if it cannot be used at all."""
    async with await connect(dsn) as connection:
        with translate_errors():
            return await _status(connection)


async def migrate(dsn: str, embedder: str, dimension: int) -> tuple[str, ...]:
    """Apply what is pending and return its names; the one transaction is everything or nothing.

    Raises `EmbedderMismatch` if the database holds vectors of another model; nothing is written then.
    """
    async with await connect(dsn) as connection:
        with translate_errors():
            current = await _status(connection)
            _check_embedder(current, embedder, dimension)
            applied = await _migrate(connection, embedder, dimension) if current.pending else ()
        await _index(connection)
    return applied


async def _migrate(connection: Connection, embedder: str, dimension: int) -> tuple[str, ...]:
    async with without_limit(connection), connection.transaction():
        await connection.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
        current = await _status(connection)
        _check_embedder(current, embedder, dimension)
        await _apply(connection, current.pending, embedder, dimension)
    return current.pending


async def _index(connection: Connection) -> None:
    """What a migration, now or in a process that was cut short, has left to be indexed anew."""
    if await TypeInfo.fetch(connection, "sparsevec") is None:
        return
    await register_vector_async(connection)
    with translate_errors():
        async with without_limit(connection):
            await index_words(connection)


async def _status(connection: Connection) -> MigrationStatus:
    async with connection.cursor(row_factory=tuple_row) as cursor:
        await cursor.execute(
            "select to_regclass('perdure.migrations') is not null, to_regclass('perdure.embedder') is not null,"
            " coalesce((select extversion from pg_extension where extname = 'vector'),"
            " (select default_version from pg_available_extensions where name = 'vector')),"
            " exists (select from pg_available_extensions where name = 'btree_gist')"
        )
        has_migrations, has_embedder, pgvector, btree_gist = await cursor.fetchone() or (False, False, None, False)
        postgres = connection.info.server_version // 10000
        check_server(postgres, pgvector, btree_gist=btree_gist)
        applied: dict[str, str] = {}
        if has_migrations:
            await cursor.execute("select name, checksum from perdure.migrations order by name")
            applied = dict(await cursor.fetchall())
        model, dimension = None, None
        if has_embedder:
            await cursor.execute("select model, dimension from perdure.embedder")
            model, dimension = await cursor.fetchone() or (None, None)
    return MigrationStatus(tuple(applied), _pending(applied), model, dimension, postgres, pgvector)


def _pending(applied: dict[str, str]) -> tuple[str, ...]:
    shipped = {migration.name: migration.checksum for migration in migrations()}
    if unknown := applied.keys() - shipped.keys():
        raise DatabaseUnsuitable(
            f"the database was migrated by a newer Perdure ({', '.join(sorted(unknown))}): upgrade this installation"
        )
    if edited := [name for name, checksum in applied.items() if shipped[name] != checksum]:
        raise MigrationError(
            f"the applied migration {edited[0]} differs from the shipped one: reinstall the release that made the"
            " database, or restore the file"
        )
    return tuple(name for name in shipped if name not in applied)


def check_server(postgres: int, pgvector: str | None, *, btree_gist: bool) -> None:
    """Raise `DatabaseUnsuitable` for a major version or a pgvector (None: there is none) that Perdure cannot use.

    Also for a server without the extension btree_gist, which forbids two values of one slot at a time.
    """
    if postgres < OLDEST_SERVER:
        raise DatabaseUnsuitable(f"the server is PostgreSQL {postgres}, too old: {REMEDY}")
    if pgvector is None:
        raise DatabaseUnsuitable(f"the server has no pgvector: install the extension there, or {REMEDY}")
    if tuple(int(part) for part in re.findall(r"\d+", pgvector)[:3]) < OLDEST_PGVECTOR:
        raise DatabaseUnsuitable(f"the server's pgvector is {pgvector}, too old: upgrade the extension, or {REMEDY}")
    if not btree_gist:
        raise DatabaseUnsuitable(
            f"the server has no btree_gist: install PostgreSQL's contrib extensions there, or {REMEDY}"
        )


def _check_embedder(current: MigrationStatus, embedder: str, dimension: int) -> None:
    if current.embedder is None or (current.embedder, current.dimension) == (embedder, dimension):
        return
    raise EmbedderMismatch(
        f"the database holds vectors of {current.embedder} ({current.dimension} dimensions), but the settings name"
        f" {embedder} ({dimension} dimensions); vectors of two models cannot be compared. Nothing was written. Set"
        " PERDURE_EMBEDDING_MODEL back, go over to the other model with `perdure reembed --model NAME`, or use another"
        " database"
    )


async def _apply(connection: Connection, pending: tuple[str, ...], embedder: str, dimension: int) -> None:
    try:
        # Not "if not exists", which wants the right to create schemas even where an administrator has made this one.
        row = await (await connection.execute("select to_regnamespace('perdure') is null as missing")).fetchone()
        if row and row["missing"]:
            await connection.execute("create schema perdure")
        await connection.execute("create extension if not exists vector")
        await connection.execute("create extension if not exists btree_gist")
    except errors.InsufficientPrivilege as error:
        raise DatabaseUnsuitable(
            "this database user may not create the schema perdure or the extensions vector and btree_gist: let an"
            " administrator create them once, or grant CREATE on the database"
        ) from error
    await connection.execute(
        "create table if not exists perdure.migrations"
        " (name text primary key, checksum text not null, applied_at timestamptz not null default now())"
    )
    for migration in migrations():
        if migration.name not in pending:
            continue
        try:
            await connection.execute(migration.sql.replace(":dimension", str(int(dimension))).encode())
        except (errors.ProgrammingError, errors.DataError) as error:
            raise MigrationError(f"migration {migration.name} failed and was undone: {error}") from error
        await connection.execute(
            "insert into perdure.migrations (name, checksum) values (%s, %s)", (migration.name, migration.checksum)
        )
    await connection.execute(
        "insert into perdure.embedder (model, dimension) values (%s, %s) on conflict do nothing", (embedder, dimension)
    )

"""The database of Perdure in the bundled PostgreSQL, and the extensions in it."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import quote

import psycopg
from psycopg import sql

from perdure.embedded.cluster import SETTINGS, SUPERUSER
from perdure.embedded.place import Place

DATABASE = "perdure"
EXTENSIONS = ("vector", "btree_gist")


def dsn(place: Place, database: str = DATABASE) -> str:
    """The address of a database, as a URL that every client of PostgreSQL understands."""
    folder = quote(str(place.socket_folder), safe="")
    return f"postgresql://{SUPERUSER}@/{database}?host={folder}&port={SETTINGS['port']}"


def answers(place: Place) -> bool:
    """Whether a server accepts connections now."""
    try:
        psycopg.connect(dsn(place, "postgres"), connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def prepare(place: Place) -> None:
    """Make the database and its extensions as far as they are missing or outdated, and try pgvector.

    Done for every client: the one that started the server may have been killed before. Raises psycopg.Error.
    """
    with psycopg.connect(dsn(place, "postgres"), autocommit=True) as connection:
        if not connection.execute("select 1 from pg_database where datname = %s", [DATABASE]).fetchone():
            connection.execute(sql.SQL("create database {}").format(sql.Identifier(DATABASE)))
    with psycopg.connect(dsn(place), autocommit=True) as connection:
        outdated = connection.execute(
            "select name, installed_version from pg_available_extensions"
            " where name = any(%s) and installed_version is distinct from default_version",
            [list(EXTENSIONS)],
        ).fetchall()
        for name, installed in outdated:
            _renew(connection, sql.Identifier(name), installed)
        connection.execute("select '[1,2]'::vector <-> '[2,1]'::vector")


def _renew(connection: psycopg.Connection, extension: sql.Identifier, installed: str | None) -> None:
    if installed is None:
        connection.execute(sql.SQL("create extension {}").format(extension))
        return
    # No way back from an extension that a newer release has made: the older library still serves it.
    with suppress(psycopg.errors.InvalidParameterValue):
        connection.execute(sql.SQL("alter extension {} update").format(extension))

"""Databases for the tests: copies of a template, on the server of the session."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from perdure.embedded import EmbeddedPostgres


@contextmanager
def open_folder() -> Iterator[Path]:
    """A new folder with a short name (a socket's path is limited) that the server's account can enter."""
    folder = Path(tempfile.mkdtemp(prefix="perdure-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def create_database(server: EmbeddedPostgres, template: str | None = None) -> str:
    """Create a database with a new name, and return its DSN.

    It is a copy of the database `template`, to which nobody may be connected; default: of the server's own one, which
    has the extensions and no table.
    """
    name = f"test_{uuid4().hex}"
    source = template or _database_of(server.dsn)
    create = sql.SQL("create database {} template {} strategy file_copy")
    _administer(server, create.format(sql.Identifier(name), sql.Identifier(source)))
    return make_conninfo(server.dsn, dbname=name)


def drop_database(server: EmbeddedPostgres, dsn: str) -> None:
    """Drop the database of that DSN; connections to it are ended."""
    _administer(server, sql.SQL("drop database {} with (force)").format(sql.Identifier(_database_of(dsn))))


def _database_of(dsn: str) -> str:
    return str(conninfo_to_dict(dsn)["dbname"])


def _administer(server: EmbeddedPostgres, statement: sql.Composed) -> None:
    with psycopg.connect(make_conninfo(server.dsn, dbname="postgres"), autocommit=True) as connection:
        connection.execute(statement)

"""How a failure of the bundled PostgreSQL is told: what happened, where, and what to do."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from perdure.errors import EmbeddedPostgresError

REMEDY = "set DATABASE_URL to a PostgreSQL 14 or newer with pgvector 0.8.2 or newer"

FULL_BELOW = 16 << 20
"""Bytes, one segment of the write-ahead log: a server that fails with less than this free has failed for want of it."""

LAST_LINES = 8
"""Lines of a program's output that a message repeats."""


@contextmanager
def reporting(folder: Path) -> Iterator[None]:
    """Turn any OSError met while working on `folder` into an `EmbeddedPostgresError`."""
    try:
        yield
    except OSError as error:
        raise _os_failure(error, folder) from error


def program_failure(what: str, output: str, folder: Path) -> EmbeddedPostgresError:
    """The error for a PostgreSQL program that failed, with the end of its output."""
    if "No space left on device" in output or _is_full(folder):
        return _disk_full(folder)
    end = "\n".join(output.strip().splitlines()[-LAST_LINES:])
    return EmbeddedPostgresError(f"{what} failed in {folder}. Remove the cause, or {REMEDY}. It said:\n{end}")


def _os_failure(error: OSError, folder: Path) -> EmbeddedPostgresError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _disk_full(folder)
    where = error.filename or folder
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return EmbeddedPostgresError(
            f"the bundled PostgreSQL may not use {where}: {error.strerror}. "
            f"Make it accessible, set PERDURE_HOME to a folder that is, or {REMEDY}."
        )
    return EmbeddedPostgresError(
        f"the bundled PostgreSQL cannot work in {folder}: {error.strerror} ({where}). "
        f"Remove the cause, set PERDURE_HOME to another folder, or {REMEDY}."
    )


def _disk_full(folder: Path) -> EmbeddedPostgresError:
    return EmbeddedPostgresError(
        f"the disk that holds {folder} is full. Free some room, set PERDURE_HOME to a folder on another disk, or {REMEDY}."
    )


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < FULL_BELOW
    except OSError:
        return False

"""The file of an archive: compressed JSONL, a row of the database on each line, and beside it a manifest.

    {"table":"episodes","row":{…}}

A row is the JSON that PostgreSQL makes of it, and makes the same row of again. A file is written under another name,
brought to the disk, read back and only then named: one that has its name is whole. No name of a person is in a path.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from uuid import UUID, uuid5

from perdure.errors import ArchiveUnusable
from perdure.facts import PERDURE_NAMESPACE
from perdure.plain import Record
from perdure.scope import Scope

Row = tuple[str, str]
"""The table, and the row as JSON text."""
State = Literal["copied", "archived", "restored"]
"""A copy is whole and the rows are still to be deleted; only the archive has them; the database has them again."""

_BEFORE, _BETWEEN, _AFTER = '{"table":"', '","row":', "}\n"


@dataclass(frozen=True, slots=True)
class ArchiveRecord(Record):
    """What the database knows of an archive. ``name`` is that of the thread, or begins with `faded-`."""

    name: str
    kind: Literal["thread", "faded"]
    id: UUID
    path: str
    """Relative to the folder of archives."""
    sha256: str
    """Of the compressed file."""
    bytes: int
    rows: dict[str, int]
    """By table."""
    model: str
    """The embedder whose vectors are in it."""
    archived_at: datetime
    state: State
    restored_at: datetime | None


def folder_of(scope: Scope) -> Path:
    """Where the user's archives are, within the folder of all."""
    names = json.dumps([scope.tenant, scope.user]).encode()
    return Path(hashlib.sha256(names).hexdigest()[:32])


def archive_id(scope: Scope, name: str, at: datetime) -> UUID:
    return uuid5(PERDURE_NAMESPACE, json.dumps([scope.tenant, scope.user, name, at.isoformat()]))


def write_archive(
    folder: Path,
    scope: Scope,
    name: str,
    kind: Literal["thread", "faded"],
    rows: Sequence[Row],
    model: str,
    at: datetime,
) -> ArchiveRecord:
    """Write the rows to a file of their own, with its manifest. Raises `ArchiveUnusable`; then nothing has its name."""
    identity = archive_id(scope, name, at)
    place = folder_of(scope) / f"{identity}.jsonl.gz"
    counts = dict(Counter(table for table, _ in rows))
    try:
        (folder / place).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        packed = gzip.compress("".join(map(_line, rows)).encode(), mtime=0)
        if _rows(packed) != list(rows):
            raise ArchiveUnusable(f"the archive of {name!r} does not read back as it was written: nothing was deleted")
        digest = _put(folder / place, packed)
        record = ArchiveRecord(name, kind, identity, str(place), digest, len(packed), counts, model, at, "copied", None)
        _put((folder / place).with_suffix("").with_suffix(".json"), _manifest(scope, record))
    except OSError as error:
        raise ArchiveUnusable(
            f"the archive of {name!r} cannot be written to {folder / place}: {error.strerror}. Nothing was deleted;"
            " set PERDURE_ARCHIVE to a folder that can be written to"
        ) from None
    return record


def read_archive(folder: Path, record: ArchiveRecord) -> list[Row]:
    """Its rows. Raises `ArchiveUnusable` if the file is missing or is not the one that was written."""
    path = folder / record.path
    try:
        packed = path.read_bytes()
    except OSError as error:
        raise ArchiveUnusable(
            f"the archive of {record.name!r} cannot be read from {path}: {error.strerror}. Bring the file back from a"
            " backup, or set PERDURE_ARCHIVE to the folder that has it"
        ) from None
    if hashlib.sha256(packed).hexdigest() != record.sha256:
        raise ArchiveUnusable(
            f"the archive of {record.name!r} at {path} is not the file that was written: bring it back from a backup"
        )
    return _rows(packed)


def remove_archive(folder: Path, record: ArchiveRecord) -> None:
    path = folder / record.path
    path.unlink(missing_ok=True)
    path.with_suffix("").with_suffix(".json").unlink(missing_ok=True)


def remove_all(folder: Path, scope: Scope, but: Iterable[ArchiveRecord] = ()) -> int:
    """Delete the user's files, but for those of these archives; how many archives that were."""
    kept = {Path(record.path).name.split(".")[0] for record in but}
    found = [path for path in (folder / folder_of(scope)).glob("*") if path.name.split(".")[0] not in kept]
    for path in found:
        path.unlink(missing_ok=True)
    return sum(path.name.endswith(".gz") for path in found)


def _put(path: Path, data: bytes) -> str:
    """Write, bring to the disk, read back, name; the hash of what was read."""
    unnamed = path.with_name(f"{path.name}.part")
    with open(os.open(unnamed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    read = unnamed.read_bytes()
    if read != data:
        raise ArchiveUnusable(f"{unnamed} does not read back as it was written: check the disk; nothing was deleted")
    os.replace(unnamed, path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
    return hashlib.sha256(read).hexdigest()


def _manifest(scope: Scope, record: ArchiveRecord) -> bytes:
    document: dict[str, Any] = {
        "format": "perdure-archive",
        "version": 1,
        "tenant": scope.tenant,
        "user": scope.user,
        **{name: value for name, value in record.to_json().items() if name not in {"state", "restored_at"}},
    }
    return json.dumps(document, ensure_ascii=False, indent=2).encode() + b"\n"


def _line(row: Row) -> str:
    table, text = row
    return f"{_BEFORE}{table}{_BETWEEN}{text}{_AFTER}"


def _rows(packed: bytes) -> list[Row]:
    """The rows' texts as they are: numbers that Python would round are left to PostgreSQL."""
    rows = []
    for line in gzip.decompress(packed).decode().split("\n")[:-1]:
        table, _, row = line.removeprefix(_BEFORE).partition(_BETWEEN)
        rows.append((table, row.removesuffix(_AFTER.rstrip("\n"))))
    return rows

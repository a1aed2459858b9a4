"""What `perdure doctor` says of the archive: whether it can be written to, and whether what was archived is there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from perdure.cli.check import Check, none_or

if TYPE_CHECKING:
    from perdure.archive_file import ArchiveRecord

_ADVICE = "`perdure maintain` cannot archive: set PERDURE_ARCHIVE to a folder that can be written to"


def folder_check(folder: Path) -> Check:
    """The folder is made when something is first archived; until then the nearest one above it counts."""
    found = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
    if not found.is_dir():
        return Check("archive", "fail", f"{found} is not a folder", _ADVICE)
    if not os.access(found, os.W_OK | os.X_OK):
        return Check("archive", "fail", f"{found} is not writable", _ADVICE)
    return Check("archive", "ok", str(folder))


def missing_check(folder: Path, archives: Sequence[ArchiveRecord], user: str) -> Check:
    """Whether the files are there; `perdure archive verify` reads them."""
    missing = sum(not (folder / record.path).is_file() for record in archives)
    return none_or(
        "archives without a file",
        f"{missing} of the {len(archives)} of {user} are not in {folder}" if missing else "",
        "set PERDURE_ARCHIVE to the folder that has them, or bring it back from a backup",
    )

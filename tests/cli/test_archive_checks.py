"""`perdure doctor` knows when nothing can be archived, and when what was archived is gone."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from perdure.archive_file import ArchiveRecord
from perdure.cli.archive_checks import folder_check, missing_check


def test_a_folder_that_is_not_there_yet_is_made_later(tmp_path: Path) -> None:
    assert folder_check(tmp_path / "a" / "b").state == "ok"
    (tmp_path / "file").touch()
    assert folder_check(tmp_path / "file" / "archive").state == "fail"


def test_archives_whose_files_are_gone_are_counted(tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    now = datetime(2026, 11, 30, tzinfo=UTC)
    archives = [
        ArchiveRecord(path, "thread", uuid4(), path, "", 1, {}, "", now, "archived", None) for path in ("there", "gone")
    ]
    assert missing_check(tmp_path, archives, "mina").found.startswith("1 of the 2 of mina")
    assert missing_check(tmp_path, archives[:1], "mina").state == "ok"

"""`perdure export` and `perdure import`: files, compressed files, and what is told of them."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from perdure.cli.commands import app
from perdure.cli.moving_files import lines_of, written
from perdure.errors import InvalidInput, NotFound


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_a_memory_goes_through_a_compressed_file_to_another_user(
    local_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", local_database)
    file = str(tmp_path / "mina.jsonl.gz")
    run("remember", "서울에 산다", "--attribute", "home.city", "--value", "서울", "--user", "mina")
    assert run("export", file, "--user", "mina").strip() == f"{file}: 1 statement"
    assert "1     1" in run("import", file, "--user", "mina", "--as-user", "jun")
    report = json.loads(run("import", file, "--user", "mina", "--as-user", "jun", "--json"))
    assert report == {"read": {"statement": 1}, "new": {"statement": 0}, "skipped": []}
    assert [fact["value"] for fact in json.loads(run("facts", "--user", "jun", "--json"))] == ["서울"]
    assert json.loads(run("export", "--user", "jun").splitlines()[-1])["counts"] == {"statement": 1}


def test_a_file_is_there_when_it_is_whole_and_only_for_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl.gz"
    with pytest.raises(RuntimeError), written(str(file)) as out:
        out.write(b"half")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []
    with written(str(file)) as out:
        out.write("하나\n둘\n".encode())
    assert file.stat().st_mode & 0o077 == 0
    with lines_of(str(file)) as lines:
        assert [line.decode() for line in lines] == ["하나\n", "둘\n"]


def test_what_is_no_file_is_not_replaced_by_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path / "pipe", tmp_path):
        with pytest.raises(InvalidInput, match="it is no file"), written(str(name)):
            pass
    assert (tmp_path / "pipe").is_fifo() and len(list(tmp_path.iterdir())) == 1


def test_a_damaged_file_and_a_missing_one_are_told(tmp_path: Path) -> None:
    packed = gzip.compress(json.dumps({"a": list(range(1000))}).encode())
    (tmp_path / "half.gz").write_bytes(packed[: len(packed) // 2])
    with lines_of(str(tmp_path / "half.gz")) as lines, pytest.raises(InvalidInput, match="cut short or damaged"):
        list(lines)
    with pytest.raises(NotFound, match="cannot read"), lines_of(str(tmp_path / "none")):
        pass


def test_flags_that_contradict_each_other_are_refused() -> None:
    result = CliRunner().invoke(app, ["import", "-", "--field", "text", "--json"])
    assert result.exit_code == 2 and "--from langgraph-store" in result.stderr
    result = CliRunner().invoke(app, ["import", "-", "--all", "--as-user", "jun", "--json"])
    assert result.exit_code == 2 and "cannot become one user's" in result.stderr

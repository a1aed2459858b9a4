"""`perdure consolidate` on a real database, in this process: what it answers, and its exit codes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner

from perdure.cli.commands import app

SAME = ("에디터는 Neovim 쓰고 있어", "에디터는 Neovim 씁니다.")

Perdure = Callable[..., Any]
"""What typer's runner gives: `exit_code`, `stdout`, `stderr`, `output`."""


@pytest.fixture
def perdure(local_database: str, monkeypatch: pytest.MonkeyPatch) -> Perdure:
    monkeypatch.setenv("DATABASE_URL", local_database)
    return lambda *arguments: CliRunner().invoke(app, [*arguments, "--user", "mina"])


def as_json(result: Any) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_it_says_what_it_would_do_does_it_lists_it_and_undoes_it(perdure: Perdure) -> None:
    for content in SAME:
        perdure("remember", content)
    preview = as_json(perdure("consolidate", "--dry-run", "--similarity", "0.5", "--json"))
    assert [one["outcome"] for one in preview["merges"]] == ["would merge"]
    done = perdure("consolidate", "--similarity", "0.5")
    assert done.stdout == "2 facts compared: 1 groups merged, 0 left alone\n"
    assert all(f"  - {content}" in done.stderr for content in SAME) and f"  = {SAME[0]}" in done.stderr
    (merge,) = as_json(perdure("consolidate", "--list", "--json"))
    assert (merge["content"], list(merge["sources"].values()), merge["undone"]) == (SAME[0], [SAME[1]], False)
    assert merge["merge"] in perdure("consolidate", "--list").stdout
    assert as_json(perdure("consolidate", "--undo", merge["merge"], "--json"))["undone"]
    assert len(as_json(perdure("facts", "--json"))) == 2


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--undo", "consolidation-0"), 3),
        (("--list", "--dry-run"), 2),
        (("--similarity", "1.5"), 2),
        (("--similarity", "0"), 2),
    ],
)
def test_what_cannot_be_done_has_its_exit_code(perdure: Perdure, arguments: tuple[str, ...], code: int) -> None:
    assert perdure("consolidate", *arguments).exit_code == code

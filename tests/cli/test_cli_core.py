"""`perdure core`: the commands, once in a process of its own and else in this one, and its tables."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from perdure_process import Perdure
from typer.testing import CliRunner, Result

from perdure.cli.commands import app
from perdure.cli.core_tables import block_lines, fill_bar, versions_table
from perdure.cli.render import receipt_line
from perdure.core import Block, BlockVersion
from perdure.facts import Action, Receipt

Command = Callable[..., Result]


@pytest.fixture
def core(local_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs `perdure core` with these arguments, and what is piped into it."""
    for name, value in {"DATABASE_URL": local_database, "COLUMNS": "160"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return lambda *arguments, piped="": CliRunner().invoke(app, ["core", *arguments], input=piped)


def test_the_blocks_are_listed_in_a_process_of_its_own(tmp_path: Path, local_database: str) -> None:
    listed = Perdure(tmp_path, {"DATABASE_URL": local_database})("core", "--json").json
    assert [(block["label"], block["version"]) for block in listed] == [("persona", 0), ("human", 0), ("goals", 0)]


def test_a_block_is_set_edited_listed_removed_and_restored(core: Command) -> None:
    told = core("set", "여행", "-", "--limit", "20", "--reviewer", "민지", piped="제주 3박\n")
    assert told.stdout == "██░░░░░░░░ 여행, version 1: 5 of 20 characters\n제주 3박\n"
    overfull = core("append", "여행", "가" * 20, "--json")
    assert (overfull.exit_code, '"type": "InvalidEdit"' in overfull.stderr) == (2, True)
    assert '"version": 2' in core("replace", "여행", "3박", "4박", "--json").stdout
    listed = core().stdout
    assert "5/20" in listed and "제주 4박" in listed and "(The person you are talking to" in listed
    assert "민지" in core("history", "여행").stdout
    assert core("set", "여행", "", "--json").exit_code == 0
    assert "(empty)" in core("show", "여행").stdout
    assert core("remove", "여행").stdout == "removed: 여행\n"
    assert core("restore", "여행", "1").stdout.endswith("version 5: 5 of 20 characters\n제주 3박\n")
    assert core("remove", "persona").stdout == "persona, version 0: 0 of 2000 characters\n"


@pytest.mark.parametrize(("used", "bar"), [(0, "░" * 10), (1, "█" + "░" * 9), (99, "█" * 9 + "░"), (100, "█" * 10)])
def test_a_bar_is_empty_and_full_only_where_the_block_is(used: int, bar: str) -> None:
    assert fill_bar(Block("goals", "x" * used, limit=100)) == bar


def test_what_stands_in_a_block_does_not_write_to_the_terminal() -> None:
    assert "\x1b" not in "".join(block_lines(Block("goals", "a\x1b[31m\nb", description="c\x1b[0m")))


def test_what_was_removed_or_never_written_is_told() -> None:
    assert versions_table([], UTC) == "nobody has written to it"
    version = BlockVersion(Block("x", version=2, recorded_at=datetime(2026, 1, 1, tzinfo=UTC)), "remove", True, uuid4())
    table = versions_table([version], UTC)
    assert not isinstance(table, str) and list(table.columns[-1].cells) == ["(removed)"]


def test_a_receipt_of_an_edit_tells_how_full_the_block_is() -> None:
    why = "persona, version 3: 312 of 2000 characters"
    receipt = Receipt(Action.CORE_APPEND, "applied", why, uuid4(), attribute="persona")
    assert receipt_line(receipt.to_json()) == f"core_append {why}"

"""`perdure episodes`, `sessions` and `lessons`, as a person types them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from perdure.cli.commands import app

DEPLOY = "Deploy the billing service to production"


@pytest.fixture
def perdure(local_database: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("DATABASE_URL", local_database)

    def run(*arguments: str) -> Any:
        ran = CliRunner().invoke(app, [*arguments, "--json"])
        return json.loads(ran.stdout) if ran.exit_code == 0 else ran

    return run


def test_tasks_are_logged_found_taken_back_and_learned_from(perdure: Any) -> None:
    for number, approach in enumerate(("all at once", "one region at a time", "blue-green")):
        logged = perdure("episodes", "log", DEPLOY, "--approach", approach, "--outcome", "as expected", "--quality",
                         str(number / 2), "--key", approach)  # fmt: skip
        assert logged["details"]["approach"] == approach
    assert len(perdure("episodes")) == len(perdure("episodes", "list")) == 3
    found = perdure("episodes", "similar", DEPLOY, "-k", "2")
    assert [one["episode"]["details"]["approach"] for one in found] == ["blue-green", "one region at a time"]
    assert DEPLOY in perdure("episodes", "similar", DEPLOY, "--examples")["examples"]
    assert perdure("lessons", "distil")["lessons"] == 1
    (lesson,) = perdure("lessons")
    assert len(lesson["details"]["sources"]) == 3
    wrong = perdure("episodes", "invalidate", found[0]["episode"]["id"][:8], "--because", "it broke later")
    assert wrong["invalidated_because"] == "it broke later"
    assert perdure("lessons", "list") == []


def test_a_conversation_is_ended_and_listed(perdure: Any) -> None:
    perdure("ask", "나는 부산에 살아.", "--thread", "t")
    assert perdure("sessions", "end", "--idle")["sessions"] == 0
    session = perdure("sessions", "end", "t")
    assert session["details"]["exchanges"] == 1
    assert perdure("sessions", "--thread", "t") == perdure("sessions", "list") == [session]
    assert perdure("sessions", "end").exit_code == 2
    assert perdure("sessions", "end", "nowhere").exit_code == 3


def test_people_see_tables(perdure: Any) -> None:
    for number in range(3):
        perdure("episodes", "log", DEPLOY, "--approach", f"way {number}", "--outcome", "fine")
    for arguments, shown in (
        (["lessons", "distil"], "lessons drawn: 1"),
        (["lessons"], "3 tried"),
        (["episodes"], f"{DEPLOY} → way 1 → fine"),
        (["episodes", "similar", DEPLOY], "way 2"),
        (["sessions"], "no sessions"),
    ):
        ran = CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})
        assert ran.exit_code == 0 and shown in ran.stdout, ran.stdout

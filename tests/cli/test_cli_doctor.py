"""`perdure doctor` knows what a user's turns left undone, and the command that does it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from databases import create_database, drop_database
from perdure_process import Perdure
from scripted_openai import Fail, ScriptedOpenAI

from perdure.embedded import EmbeddedPostgres

LEFT_UNDONE = ("decisions", "unfinished turns", "unextracted exchanges")


@pytest.fixture
def perdure(tmp_path: Path, local_database: str, openai_server: ScriptedOpenAI) -> Perdure:
    model = {"OPENAI_BASE_URL": openai_server.url, "OPENAI_API_KEY": "x", "PERDURE_MODEL_RETRIES": "0"}
    return Perdure(tmp_path, {"DATABASE_URL": local_database, **model})


def left_undone(perdure: Perdure, *flags: str) -> list[dict[str, Any]]:
    checks = {check["name"]: check for check in perdure("doctor", "--json", *flags).json}
    return [checks[name] for name in LEFT_UNDONE]


def test_what_waits_was_cut_short_or_is_not_extracted_is_counted_for_its_user(
    perdure: Perdure, openai_server: ScriptedOpenAI
) -> None:
    openai_server.always("extract", Fail(500))
    perdure("ask", "I like tea.", "--thread", "a", "--user", "mina")
    perdure("ask", "I like jazz.", "--thread", "b", "--user", "mina")
    openai_server.script("reply", Fail(401))
    assert perdure("ask", "Where do I live?", "--thread", "c", "--user", "mina").code != 0
    offline = Perdure(perdure.folder, {"DATABASE_URL": perdure.environment["DATABASE_URL"]})
    offline("ask", "I live in Busan and I am allergic to nuts.", "--thread", "d", "--user", "mina")

    waiting, unfinished, unextracted = left_undone(perdure, "--user", "mina")
    assert {check["state"] for check in (waiting, unfinished, unextracted)} == {"warn"}
    assert waiting["found"].startswith("2 changes in 1 ") and "`perdure pending --user mina`" in waiting["advice"]
    assert unfinished["found"].startswith("on 1 ") and "`perdure threads --user mina`" in unfinished["advice"]
    assert unextracted["found"].startswith("2 ") and "`perdure backfill --user mina`" in unextracted["advice"]
    assert {check["state"] for check in left_undone(perdure)} == {"ok"}


def test_a_checkup_of_an_empty_database_migrates_nothing(tmp_path: Path, postgres: EmbeddedPostgres) -> None:
    dsn = create_database(postgres)
    perdure = Perdure(tmp_path, {"DATABASE_URL": dsn})
    for _ in range(2):
        checks = {check["name"]: check for check in perdure("doctor", "--json").json}
        assert checks["schema"]["state"] == "warn" and checks.keys().isdisjoint(LEFT_UNDONE)
    drop_database(postgres, dsn)

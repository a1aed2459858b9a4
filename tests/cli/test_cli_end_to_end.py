"""Commands in processes of their own, on a real database, in offline mode."""

from __future__ import annotations

import json
import signal
import sys
import time
from importlib.metadata import version
from pathlib import Path

import pytest
from perdure_process import Ended, Perdure
from rich.cells import cell_len
from scripted_openai import Fail, Hang, ScriptedOpenAI


@pytest.fixture
def perdure(tmp_path: Path, local_database: str) -> Perdure:
    return Perdure(tmp_path, {"DATABASE_URL": local_database})


def values(ended: Ended) -> list[str]:
    return [fact["value"] for fact in ended.json]


def test_a_moved_home_is_superseded_recalled_as_of_then_and_drawn(perdure: Perdure) -> None:
    minji = ("--user", "민지")
    told = perdure("ask", "나는 부산에 살아.", *minji, "--thread", "1", "--sent-at", "two years ago")
    assert told.code == 0
    assert "home.city" in told.err
    moved = perdure("ask", "-", *minji, "--thread", "2", "--json", stdin="지난달에 서울로 이사했어.")
    assert [receipt["after"]["value"] for receipt in moved.json["written"]] == ["서울"]
    asked = perdure("ask", "나 어디 살아?", *minji, "--thread", "3")
    assert "서울" in asked.out
    assert "recalled" in asked.err
    assert "recalled" not in asked.out

    assert values(perdure("facts", *minji, "--attribute", "사는 곳", "--json")) == ["서울"]
    assert values(perdure("facts", *minji, "--history", "--json")) == ["부산", "서울"]
    assert values(perdure("facts", *minji, "--as-of", "1년 전", "--json")) == ["부산"]
    hits = perdure("recall", "어디 살아?", *minji, "--as-of", "a year ago", "-k", "3", "--json").json["hits"]
    assert [hit["value"] for hit in hits if hit["attribute"] == "home.city"] == ["부산"]

    bars = perdure("timeline", "home.city", *minji).out.splitlines()
    assert next(line for line in bars if "부산" in line).endswith("┤")
    assert next(line for line in bars if "서울" in line).endswith("►")
    assert {thread["thread"] for thread in perdure("threads", *minji, "--json").json} == {"1", "2", "3"}
    assert perdure("facts", "--user", "someone else", "--json").json == []


def test_a_fact_is_remembered_corrected_ended_retracted_and_erased_by_hand(perdure: Perdure) -> None:
    said = perdure("remember", "I live in Ilsan.", "--attribute", "home.city", "--value", "Ilsan", "--from", "2020")
    assert (said.code, "home.city: Ilsan, since 2020-01-01" in said.out) == (0, True)
    right = perdure("correct", "home.city", "I live in Incheon.", "--value", "Incheon", "--json").json
    assert (right["after"]["value"], right["after"]["valid_from"][:10]) == ("Incheon", "2020-01-01")
    assert values(perdure("facts", "--history", "--json")) == ["Incheon"]

    perdure("end", "거주지", "--at", "2022-03")
    (ended,) = perdure("facts", "--history", "--json").json
    assert ended["valid_to"][:10] == "2022-03-01"
    assert perdure("facts", "--json").json == []

    note = perdure("remember", "The spare key is under the pot.", "--json").json["after"]["id"]
    assert perdure("retract", note[:8]).code == 0
    assert values(perdure("facts", "--history", "--json")) == ["Incheon"]

    assert perdure("rebuild", "--check", "--json").json["identical"] is True
    refused = perdure("erase", "home.city", "--json")
    assert (refused.code, refused.error["type"]) == (2, "InvalidInput")
    assert perdure("erase", ended["id"][:8], "--yes", "--json").json["counts"]["facts"] >= 1
    assert "Incheon" not in values(perdure("facts", "--history", "--json"))
    assert perdure("erase", "--all", "--yes").code == 0
    missing = perdure("retract", "home.city", "--json")
    assert (missing.code, missing.error["type"]) == (3, "NotFound")


def test_a_note_as_long_as_a_sentence_may_be_is_corrected_by_another(perdure: Perdure) -> None:
    note = perdure("remember", "-", "--json", stdin="길다" * 2_000).json["after"]
    right = perdure("correct", note["id"][:8], "-", "--json", stdin="아주 " * 2_000)
    assert right.json["after"]["content"] == ("아주 " * 2_000).strip()


def test_an_id_stays_whole_on_a_narrow_terminal(perdure: Perdure) -> None:
    fact = perdure("remember", "지난달에 서울로 이사했어.", "--attribute", "home.city", "--json").json["after"]
    narrow = Perdure(perdure.folder, {**perdure.environment, "COLUMNS": "40"})
    for looked in (narrow("facts"), narrow("recall", "이사", "-k", "1")):
        assert fact["id"][:8] in looked.out
        assert max(map(cell_len, looked.out.splitlines())) <= 40


def test_a_row_that_goes_into_a_pipe_stays_one_line(perdure: Perdure) -> None:
    sentence = "나는 " + "아주 " * 60 + "긴 문장이야."
    perdure("remember", sentence)
    piped = Perdure(perdure.folder, {**perdure.environment, "COLUMNS": ""})("facts")
    assert sentence in piped.out


def test_the_version_is_the_installed_one(perdure: Perdure) -> None:
    assert perdure("--version").out == f"perdure {version('perdure')}\n"


def test_what_a_person_must_decide_waits_until_it_is_decided(perdure: Perdure) -> None:
    asked = perdure("ask", "I live in Busan.", "--thread", "t", "--policy", "ask")
    assert "1. assert" in asked.err
    assert perdure("facts", "--json").json == []
    assert perdure("threads", "--json").json[0]["interrupted"] is True

    undecided = perdure("resume", "t")
    assert (undecided.code, "1. assert" in undecided.out) == (5, True)
    wrong = perdure("resume", "t", "--approve", "2", "--json")
    assert (wrong.code, wrong.error["type"]) == (2, "InvalidInput")
    edits = ("--edit", "1.value=Incheon", "--edit", "1.content=I live in Incheon.")
    assert perdure("resume", "t", *edits, "--policy", "ask", "--json").json["interrupts"] == []
    assert values(perdure("facts", "--json")) == ["Incheon"]
    again = perdure("resume", "t", "--approve", "all", "--json")
    assert (again.code, again.error["type"]) == (5, "NotInterrupted")


def test_chat_takes_a_turn_per_line_and_an_error_ends_only_its_own(perdure: Perdure) -> None:
    lines = ["I live in Busan.", "", "x" * 100_001, "Where do I live?", "/quit", "I live in Seoul."]
    chat = perdure("chat", stdin="\n".join(lines))
    assert chat.code == 2
    assert "100001 characters" in chat.err
    assert "Busan" in chat.out
    assert ">" not in chat.out.splitlines()[0]
    assert values(perdure("facts", "--json")) == ["Busan"]


def test_chat_in_json_is_a_document_per_turn(perdure: Perdure) -> None:
    chat = perdure("chat", "--json", stdin="I live in Busan.\nWhere do I live?\n")
    told, asked = map(json.loads, chat.out.splitlines())
    assert told["written"][0]["after"]["value"] == "Busan"
    assert "Busan" in asked["text"]
    assert chat.err == ""


@pytest.mark.skipif(sys.platform != "linux", reason="what a process waits in is seen on Linux only")
def test_ctrl_c_leaves_a_chat_that_waits_for_a_pipe(perdure: Perdure) -> None:
    with perdure.started("chat", "--json") as process:
        until = time.monotonic() + 60
        while "pipe_read" not in Path(f"/proc/{process.pid}/wchan").read_text():
            assert process.poll() is None and time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130


def test_chat_survives_a_model_that_fails(perdure: Perdure, openai_server: ScriptedOpenAI) -> None:
    server = {"OPENAI_BASE_URL": openai_server.url, "PERDURE_MODEL_RETRIES": "0"}
    talking = Perdure(perdure.folder, {**perdure.environment, **server})
    openai_server.script("reply", Fail(500), "Hello to you.", "Hello again to you.")
    chat = talking("chat", stdin="Hello?\nHello again?\n")
    assert chat.code == 7
    assert "error:" in chat.err
    assert chat.out.strip() == "Hello again to you."


def test_ctrl_c_stops_a_turn_that_resume_finishes(perdure: Perdure, openai_server: ScriptedOpenAI) -> None:
    server = {"OPENAI_BASE_URL": openai_server.url, "PERDURE_MODEL_TIMEOUT": "5", "PERDURE_MODEL_RETRIES": "0"}
    talking = Perdure(perdure.folder, {**perdure.environment, **server})
    openai_server.script("reply", Hang(), "Here I am.")
    with talking.started("ask", "Are you there?") as process:
        while not openai_server.asked("reply"):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
    openai_server.release()
    assert talking("threads", "--json").json[0]["next"] == ["respond"]
    assert talking("resume", "default").out.strip() == "Here I am."


def test_the_database_is_named_without_its_password(perdure: Perdure) -> None:
    away = Perdure(perdure.folder, {"DATABASE_URL": "postgresql://someone:s3cret@127.0.0.1:1/nowhere"})
    ended = away("facts")
    assert ended.code == 8
    assert "127.0.0.1" in ended.err
    assert "s3cret" not in ended.err


def test_migrating_again_applies_nothing(perdure: Perdure) -> None:
    assert perdure("migrate", "--json").json == {"applied": []}


def test_the_doctor_finds_all_well_or_says_what_to_do(perdure: Perdure) -> None:
    checks = {check["name"]: check for check in perdure("doctor", "--json").json}
    assert {name for name, check in checks.items() if check["state"] == "fail"} == set()
    assert checks["vectors"]["found"].endswith("384 dimensions")
    assert checks["chat model"]["state"] == "warn"
    away = Perdure(perdure.folder, {"DATABASE_URL": "postgresql://someone:s3cret@127.0.0.1:1/nowhere"})("doctor")
    assert away.code == 1
    assert "✗ database" in away.out
    assert "s3cret" not in away.out + away.err


def test_a_memory_cannot_write_to_the_terminal(perdure: Perdure) -> None:
    perdure("remember", "\x1b[2J\x1b]0;owned\x07 [red]note[/red]")
    shown = perdure("facts")
    assert "\x1b" not in shown.out
    assert "[red]note[/red]" in shown.out

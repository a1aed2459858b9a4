"""What a person reads beside a reply: what is not kept and why, what waits, and a next command that works as it stands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from perdure_process import Perdure
from scripted_openai import Fail, ScriptedOpenAI

WHO = ("--user", "mi na", "--tenant", "acme")


@pytest.fixture
def perdure(tmp_path: Path, local_database: str) -> Perdure:
    return Perdure(tmp_path, {"DATABASE_URL": local_database})


def next_command(text: str, name: str) -> list[str]:
    """The words of the command of this name that a message tells to type."""
    (found,) = re.findall(rf"`perdure ({name}[^`]*)`", text)
    return shlex.split(found)


@pytest.mark.parametrize("talk", ["ask", "chat"])
def test_what_is_not_kept_is_told_with_its_reason(perdure: Perdure, talk: str) -> None:
    def said(text: str) -> str:
        ended = perdure("ask", text) if talk == "ask" else perdure("chat", stdin=text)
        assert ended.code == 0
        return ended.err

    assert "nothing new to remember: only small talk" in said("Thanks!")
    told = said("If I were rich I would fly. I like tea.")
    assert "not kept: If I were rich I would fly. (a supposition)" in told
    assert "wrote: assert likes: tea" in told


@pytest.mark.parametrize("talk", ["ask", "chat"])
def test_the_time_that_was_asked_about_is_told(perdure: Perdure, talk: str) -> None:
    question = "Where did I live last year?"
    told = (perdure("ask", question) if talk == "ask" else perdure("chat", stdin=question)).err
    assert re.search(r"^asked about: last year \((\d{4})-01-01 → \1-12-31\)$", told, re.MULTILINE)


@pytest.mark.parametrize("talk", ["ask", "chat"])
def test_only_what_the_reply_could_draw_on_is_said_to_be_recalled(perdure: Perdure, talk: str) -> None:
    perdure("remember", "I like tea.", "--attribute", "likes", "--value", "tea")
    for question, recalled in (("What do I like?", True), ("Which planet is the largest?", False)):
        told = (perdure("ask", question) if talk == "ask" else perdure("chat", stdin=question)).err
        assert ("recalled: I like tea." in told) == recalled


def test_what_is_rejected_is_not_said_to_be_written(perdure: Perdure) -> None:
    perdure("ask", "I am allergic to nuts.", "--thread", "t")
    ended = perdure("resume", "t", "--reject", "all")
    assert "not kept: assert health.allergy (a person rejected it)" in ended.err
    assert "wrote" not in ended.err


def test_changes_that_wait_can_be_told_apart(perdure: Perdure) -> None:
    told = perdure("ask", "I live in Busan and I am allergic to nuts.").err
    assert re.search(r"1\. assert home\.city Busan: .*\n *2\. assert health\.allergy nuts: ", told)


def test_the_command_to_decide_with_names_whose_thread_it_is(perdure: Perdure) -> None:
    asked = perdure("ask", "I am allergic to nuts.", "--thread", "my thread", *WHO)
    assert " UTC:" in asked.err
    resume = next_command(asked.err, "resume")
    listed = perdure("pending", *WHO)
    assert next_command(listed.out, "resume") == resume
    assert "my thread waits" in perdure(*next_command(listed.out, "pending")).out
    assert "health.allergy: nuts" in perdure(*resume, "--approve", "all").err
    assert " KST " in perdure("threads", "--time-zone", "Asia/Seoul", *WHO).out
    assert "perdure resume t`" in perdure("ask", "I am allergic to nuts.", "--thread", "t").err


def test_what_a_model_could_not_extract_is_told_once_with_the_command_that_does(
    perdure: Perdure, openai_server: ScriptedOpenAI
) -> None:
    away = {"OPENAI_BASE_URL": openai_server.url, "OPENAI_API_KEY": "x", "PERDURE_MODEL_RETRIES": "0"}
    openai_server.always("extract", Fail(500))
    for talk in (("ask", "I like tea."), ("chat",)):
        told = Perdure(perdure.folder, {**perdure.environment, **away})(*talk, *WHO, stdin="I like tea.").err
        assert told.count("HTTP 500") == 1 and "not extracted yet" in told
        backfill = next_command(told, "backfill")
    assert perdure(*backfill, "--json").json["written"] == 2


def test_a_thread_that_is_not_the_users_is_said_not_to_be_there(perdure: Perdure) -> None:
    perdure("ask", "I am allergic to nuts.", "--thread", "t", *WHO)
    for flags in ((), ("--approve", "all")):
        ended = perdure("resume", "t", *flags)
        assert (ended.code, "this user has no thread 't'" in ended.err) == (3, True)


def test_taking_back_tells_what_holds_now_and_the_command_that_restores_it(perdure: Perdure) -> None:
    perdure("remember", "I live in Busan.", "--attribute", "home.city", "--value", "Busan", *WHO)
    moved = perdure("remember", "I live in Oslo.", "--attribute", "home.city", "--value", "Oslo", *WHO, "--json").json
    undone = perdure("undo", moved["statement"][:8], *WHO).out
    assert "home.city: Oslo → Busan" in undone
    assert f"takes back {moved['statement'][:8]}" in perdure("statements", *WHO).out
    assert "home.city: Busan → Oslo" in perdure(*next_command(undone, "undo")).out


def test_ids_and_dates_stay_whole_in_a_narrow_terminal(perdure: Perdure) -> None:
    perdure("remember", "I am allergic to peanuts and to hazelnuts.", "--attribute", "health.allergy")
    narrow = Perdure(perdure.folder, {**perdure.environment, "COLUMNS": "80"})
    for table in ("facts", "statements"):
        shown = narrow(table).out
        assert re.search(r"\b[0-9a-f]{8}\b.*\b\d{4}-\d\d-\d\d\b", shown)
        assert max(map(len, shown.splitlines())) <= 80

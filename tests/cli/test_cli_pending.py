"""`perdure pending`, `resume` and `backfill` in processes of their own, on a real database."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import psycopg
import pytest
from perdure_process import Ended, Perdure
from scripted_openai import Fail, Hang, ScriptedOpenAI


@pytest.fixture
def perdure(tmp_path: Path, local_database: str) -> Perdure:
    return Perdure(tmp_path, {"DATABASE_URL": local_database})


def tell(perdure: Perdure, said: str, thread: str, *flags: str) -> Ended:
    ended = perdure("ask", said, "--thread", thread, "--policy", "ask", *flags)
    assert ended.code == 0, ended.err
    return ended


def values(perdure: Perdure) -> list[str]:
    return sorted(fact["value"] for fact in perdure("facts", "--json").json)


def test_what_waits_is_listed_with_why_and_until_when(perdure: Perdure) -> None:
    assert perdure("pending").out == "nothing waits for a decision\n"
    assert perdure("pending", "--json").json == []
    asked = tell(perdure, "I live in Busan. My name is Mina.", "my thread")
    assert "until 20" in asked.err
    tell(perdure, "I live in Seoul.", "이사")
    tell(perdure, "I live in Oslo.", "t", "--user", "another")
    listed = perdure("pending").out.splitlines()
    assert [line.split(" waits since")[0] for line in listed if "waits since" in line] == ["이사", "my thread"]
    assert all(" until 20" in line for line in listed if "waits since" in line)
    assert sum(line.startswith("  1. assert") and "policy is to ask" in line for line in listed) == 2
    assert "perdure resume '이사'" in listed[-1]
    documents = perdure("pending", "--json").json
    assert [document["thread"] for document in documents] == ["이사", "my thread"]
    assert {"name", "args", "description"} <= documents[0]["requests"][0].keys()
    assert documents[0]["expires_at"] > documents[0]["asked_at"]


def test_all_that_waits_is_decided_in_one_pass_and_told_per_thread(perdure: Perdure) -> None:
    tell(perdure, "I live in Busan.", "a")
    tell(perdure, "My name is Mina.", "b")
    tell(perdure, "I like tea.", "c")
    decided = perdure("pending", "--approve", "all", "--reject", "b", "--reviewer", "Mina")
    assert decided.code == 0
    assert decided.out.splitlines()[0] == "c: approve"
    assert "a: approve" in decided.out and "b: reject" in decided.out and "a person rejected it" in decided.out
    assert "Mina" not in values(perdure) and "Busan" in values(perdure)
    assert perdure("pending", "--approve", "all").out == "nothing waits for a decision\n"
    assert perdure("pending", "--approve", "all", "--json").json == []


def test_a_decision_that_fails_is_told_and_costs_no_other(perdure: Perdure) -> None:
    tell(perdure, "I live in Busan.", "a")
    tell(perdure, "My name is Mina.", "b", "--agent", "coach")
    refused = perdure("pending", "--approve", "all", "--reviewer", "coach", "--json")
    assert refused.code == 2
    outcomes = {one["thread"]: (one["answer"] is None, one["error"]) for one in json.loads(refused.out)}
    assert outcomes["a"] == (False, None)
    assert outcomes["b"][0] and outcomes["b"][1]["type"] == "InvalidInput"
    shown = perdure("pending", "--approve", "b", "--reviewer", "assistant")
    assert (shown.code, "b: failed: an agent cannot decide" in shown.out) == (2, True)


def test_decisions_that_fit_nothing_are_refused_before_any_is_made(perdure: Perdure) -> None:
    tell(perdure, "I live in Busan.", "a")
    for flags, code in (
        (("--approve", "all", "--approve", "never"), 5),
        (("--approve", "a", "--reject", "a"), 2),
        (("--approve", "all", "--reject", "all"), 2),
    ):
        assert perdure("pending", *flags, "--json").code == code
    assert len(perdure("pending", "--json").json) == 1


def test_resume_names_the_reviewer_and_refuses_an_agent(perdure: Perdure) -> None:
    tell(perdure, "I live in Busan.", "a", "--agent", "coach")
    refused = perdure("resume", "a", "--approve", "all", "--reviewer", "coach", "--json")
    assert (refused.code, refused.error["type"]) == (2, "InvalidInput")
    assert json.loads(refused.out)["interrupts"][0]["action_requests"]
    assert perdure("resume", "a", "--approve", "all", "--reviewer", "김민지").code == 0
    with psycopg.connect(perdure.environment["DATABASE_URL"]) as connection:
        assert connection.execute("select agent, author from perdure.statements").fetchall() == [("coach", "김민지")]


SAID = [f"I moved to {city}." for city in ("Busan", "Daegu", "Seoul")]


def extraction(said: str) -> str:
    value = said.removeprefix("I moved to ").removesuffix(".")
    operation = {"action": "assert", "attribute": "home.city", "value": value, "content": said, "evidence": said}
    return json.dumps({"operations": [operation]})


@pytest.fixture
def left(perdure: Perdure, openai_server: ScriptedOpenAI) -> Perdure:
    """The model was down when three things were said, and is up again."""
    server = {"OPENAI_BASE_URL": openai_server.url, "PERDURE_MODEL_RETRIES": "0"}
    talking = Perdure(perdure.folder, {**perdure.environment, **server})
    openai_server.always("extract", Fail(500))
    chat = talking("chat", stdin="\n".join(SAID))
    assert chat.code == 0
    openai_server.requests.clear()
    return talking


def test_a_backfill_extracts_what_was_left_and_reports(left: Perdure, openai_server: ScriptedOpenAI) -> None:
    failing = left("backfill", "--json")
    assert (failing.code, json.loads(failing.out)) == (7, {"written": 0, "waiting": 0, "failed": 3, "left": 3})
    openai_server.script("extract", *map(extraction, SAID))
    first = left("backfill", "--limit", "1")
    assert (first.code, first.out) == (0, "1 written, 0 waiting for a decision, 0 failed; 2 left\n")
    assert "home.city: Busan" in first.err
    asking = left("backfill", "--limit", "1", "--policy", "ask")
    assert "1 waiting" in asking.out and "perdure pending" in asking.err
    assert len(left("pending", "--json").json) == 1
    assert left("pending", "--approve", "all").code == 0
    assert left("backfill", "--json").json == {"written": 1, "waiting": 0, "failed": 0, "left": 0}
    assert [fact["value"] for fact in left("facts", "--history", "--json").json] == ["Busan", "Daegu", "Seoul"]
    assert left("backfill", "--json").json["written"] == 0
    assert left("backfill", "--policy", "drop", "--json").code == 2


def test_ctrl_c_stops_a_backfill_that_goes_on_when_run_again(left: Perdure, openai_server: ScriptedOpenAI) -> None:
    openai_server.script("extract", extraction(SAID[0]), Hang())
    with left.started("backfill") as process:
        until = time.monotonic() + 60
        while len(openai_server.asked("extract")) < 2:
            assert process.poll() is None and time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
    openai_server.release()
    openai_server.script("extract", *map(extraction, SAID[1:]))
    assert left("backfill", "--json").json == {"written": 2, "waiting": 0, "failed": 0, "left": 0}
    assert [fact["value"] for fact in left("facts", "--history", "--json").json] == ["Busan", "Daegu", "Seoul"]
    assert {thread["thread"] for thread in left("threads", "--json").json} == {"default"}

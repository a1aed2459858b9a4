"""`perdure policy` in processes of its own, on a real database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from perdure_process import Perdure


@pytest.fixture
def perdure(tmp_path: Path, local_database: str) -> Perdure:
    return Perdure(tmp_path, {"DATABASE_URL": local_database})


def test_a_policy_is_shown_changed_set_and_decides_about_the_next_turn(perdure: Perdure) -> None:
    default = perdure("policy")
    assert "the default policy; a question lapses after 168 hours" in default.out
    assert "delicate" in default.out

    policy = perdure("policy", "--json").json
    policy["rules"].insert(0, {"verdict": "ask", "why": "about home", "attributes": ["home"]})
    policy["question_hours"] = 12
    file = perdure.folder / "policy.json"
    file.write_text(json.dumps(policy), "utf-8")
    told = perdure("policy", "set", str(file), "--reviewer", "민지")
    assert "version 1; a question lapses after 12 hours" in told.out
    assert "+ ask, attributes: home (about home)" in told.out
    assert "168 → 12 hours" in told.out

    asked = perdure("ask", "I live in Busan.", "--thread", "t")
    assert "about home" in asked.err
    assert perdure("facts", "--json").json == []

    again = perdure("policy", "set", "-", "--json", stdin=json.dumps({"otherwise": "drop", "rules": []})).json
    assert (again["policy"]["version"], again["policy"]["otherwise"], again["in_force"]) == (2, "drop", True)
    listed = perdure("policy", "history", "--json").json
    assert [(one["policy"]["version"], one["author"]) for one in listed] == [(2, "user"), (1, "민지")]
    assert "민지" in perdure("policy", "history").out


def test_a_policy_for_all_users_gives_way_to_a_users_own(perdure: Perdure) -> None:
    own = perdure("policy", "set", "-", "--user", "ada", stdin='{"question_hours": 1}')
    assert "168 → 1 hours" in own.out, own.err
    told = perdure("policy", "set", "-", "--user", "ada", "--whole-tenant", stdin='{"question_hours": 2}')
    assert "goes before it" in told.out
    hours = {
        user: perdure("policy", "show", "--user", user, "--json").json["question_hours"] for user in ("ada", "bob")
    }
    assert hours == {"ada": 1, "bob": 2}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("no json", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ('{"otherwise": "maybe"}', "otherwise"),
        ('{"rules": [{"verdict": "ask"}]}', "rules.0.why"),
        ("[1]", "cannot be used"),
    ],
    ids=["no json", "deep", "verdict", "why", "list"],
)
def test_what_is_no_policy_is_refused_before_anything_is_opened(tmp_path: Path, document: str, message: str) -> None:
    perdure = Perdure(tmp_path, {"DATABASE_URL": "postgresql://127.0.0.1:1/none"})
    refused = perdure("policy", "set", "-", "--json", stdin=document)
    assert (refused.code, refused.error["type"]) == (2, "InvalidInput")
    assert message in refused.error["message"]
    missing = perdure("policy", "set", "nowhere.json", "--json")
    assert (missing.code, "nowhere.json" in missing.error["message"]) == (2, True)

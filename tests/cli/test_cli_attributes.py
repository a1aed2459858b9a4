"""`perdure attributes` in processes of its own, on a real database, in offline mode."""

from __future__ import annotations

from pathlib import Path

import pytest
from perdure_process import Ended, Perdure

ACME = ("--tenant", "acme")
MINJI = (*ACME, "--user", "민지")


@pytest.fixture
def perdure(tmp_path: Path, local_database: str) -> Perdure:
    return Perdure(tmp_path, {"DATABASE_URL": local_database})


def held(ended: Ended) -> list[tuple[str, str]]:
    return [(fact["attribute"], fact["value"]) for fact in ended.json]


def test_an_attribute_is_added_and_known_by_its_korean_alias(perdure: Perdure) -> None:
    grade = ("--english", "job grade", "--korean", "직급", "--kind", "profile")
    added = perdure("attributes", "add", "work.grade", *grade, *ACME, "--json").json
    assert (added["origin"], added["cardinality"], added["korean"]) == ("own", "single", ["직급"])
    again = perdure("attributes", "add", "work.grade", "--korean", "직위", *ACME)
    assert again.out == "work.grade (single): job grade, 직급, 직위\n"

    perdure("remember", "과장이다.", "--attribute", "직위", "--value", "과장", "--from", "2024", *MINJI)
    assert held(perdure("facts", "--attribute", "직급", *MINJI, "--json")) == [("work.grade", "과장")]
    listed = perdure("attributes", *ACME).out.splitlines()
    assert next(line for line in listed if line.startswith("work.grade")).split()[1] == "own"
    taken = perdure("attributes", "add", "rank", "--korean", "직책", *ACME, "--json")
    assert (taken.code, "already names work.role" in taken.error["message"]) == (2, True)


def test_learned_names_are_suggested_merged_and_split(perdure: Perdure) -> None:
    for name, floor, since in (("desk.floor", "3", "2020"), ("floor_desk", "4", "2022")):
        perdure("remember", f"{floor}층", "--attribute", name, "--value", floor, "--from", since, *MINJI)
    (suggested,) = perdure("attributes", "suggest", *ACME, "--json").json
    assert (suggested["old"], suggested["new"]) == ("floor_desk", "desk.floor")

    merged = perdure("attributes", "merge", "floor_desk", "desk.floor", *ACME, "--reviewer", "ops")
    assert merged.out.startswith("floor_desk is desk.floor from now on: 1 facts of 1 users moved")
    after = perdure("facts", *MINJI, "--history", "--json")
    assert held(after) == [("desk.floor", "3"), ("desk.floor", "4")]
    assert perdure("attributes", *ACME, "--json").json["merged"] == {"floor_desk": "desk.floor"}

    assert perdure("attributes", "split", "floor_desk", *ACME, "--json").json["facts"] == 1
    assert held(perdure("facts", *MINJI, "--history", "--json")) == [("desk.floor", "3"), ("floor_desk", "4")]
    missing = perdure("attributes", "split", "floor_desk", *ACME, "--json")
    assert (missing.code, missing.error["type"]) == (3, "NotFound")

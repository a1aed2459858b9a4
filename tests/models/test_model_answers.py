"""What is kept, as what, and what is dropped and why, of the answers that models give: the cases of `cases/answers_*.json`.

A case has what was `said` (and perhaps by the assistant, and what was `known`), one operation of the `answer`, and what is
`kept` of it, field by field, or why it is `dropped`.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from extraction_turns import AT, grounded, memory, turn

from perdure.facts import Operation

CASES = [
    pytest.param(case, id=f"{path.stem}-{number}")
    for path in sorted((Path(__file__).parent / "cases").glob("answers_*.json"))
    for number, case in enumerate(json.loads(path.read_text(encoding="utf-8")), start=1)
]


@pytest.mark.parametrize("case", CASES)
def test_an_answer_is_held_against_the_words(case: dict[str, Any]) -> None:
    known = [memory(number, **fact) for number, fact in enumerate(case.get("known", []), start=1)]
    said = turn(case["said"], assistant=case.get("assistant", "I see."))
    found = grounded(said, {"action": "assert", **case["answer"]}, recalled=known)
    if "dropped" in case:
        assert found.operations == (), case["why"]
        assert [decision.reason for decision in found.decisions] == [case["dropped"]]
    else:
        (kept,) = found.operations or [None]
        assert kept, (case["why"], found.decisions)
        assert {name: shown(kept)[name] for name in case["kept"]} == case["kept"], case["why"]


def shown(kept: Operation) -> dict[str, Any]:
    return kept.model_dump(mode="json") | {"from": day(kept.valid_from), "to": day(kept.valid_to)}


def day(moment: datetime | None) -> str | None:
    return moment.astimezone(AT.tzinfo).date().isoformat() if moment else None


def test_there_are_many_cases_in_both_languages() -> None:
    for language in ("en", "ko"):
        assert sum(f"answers_{language}" in str(case.id) for case in CASES) >= 60

"""What is delicate about a memory, seen from its words: measured on sentences that are labelled by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perdure.delicate import delicate, delicate_words
from perdure.facts import Operation
from perdure.sensitivity import Sensitivity

CASES = Path(__file__).parent / "cases"


def labelled(name: str) -> list[tuple[str, frozenset[str]]]:
    cases = json.loads((CASES / f"{name}.json").read_text("utf-8"))
    return [(case["text"], frozenset(case["delicate"])) for case in cases]


def compared(name: str) -> tuple[list[str], list[str], int]:
    """False alarms, what is missed, and how many labels there are."""
    alarms, missed, labels = [], [], 0
    for text, told in labelled(name):
        found = {sensitivity.value for sensitivity in delicate_words(text)}
        alarms += [f"{alarm}: {text}" for alarm in found - told]
        missed += [f"{miss}: {text}" for miss in told - found]
        labels += len(told)
    return alarms, missed, labels


def test_sentences_written_before_the_rules_are_all_told_right() -> None:
    alarms, missed, labels = compared("delicate_before")
    assert (alarms, missed, labels) == ([], [], 41)


def test_sentences_written_after_the_rules_give_no_false_alarm_and_few_are_missed() -> None:
    """When they were first read, 10 of the 15 were found; some words of the other 5 have been added since."""
    alarms, missed, labels = compared("delicate_after")
    assert (alarms, labels) == ([], 15)
    assert len(missed) <= 2, missed


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("My son is 18 years old.", True),
        ("My son is 19 years old and called Max.", False),
        ("I have a daughter.", False),
        ("My daughter sings. She works at a primary school.", False),
        ("우리 아들은 스무 살이야.", False),
        ("우리 아들은 열 살이야.", True),
    ],
)
def test_a_childs_name_age_or_school_is_delicate_until_the_child_is_grown_up(sentence: str, told: bool) -> None:
    assert (Sensitivity.MINORS in delicate_words(sentence)) is told


@pytest.mark.parametrize(
    ("attribute", "value", "told"),
    [
        ("health.condition", "x", {Sensitivity.HEALTH}),
        ("bank.name", "x", {Sensitivity.FINANCE}),
        ("passport.number", "x", {Sensitivity.IDENTITY}),
        ("home.address", "x", {Sensitivity.LOCATION}),
        ("주소", "x", {Sensitivity.LOCATION}),
        ("email.address", "ada@example.com", set()),
        ("home.city", "Seoul", set()),
        ("technical.debt", "much", set()),
        ("family.child", "민지", {Sensitivity.MINORS}),
        ("family.child", "Mina", {Sensitivity.MINORS}),
        ("family.child", "딸", set()),
        ("family.child", "two sons", set()),
        ("family.child", "두 명", set()),
    ],
)
def test_an_attribute_may_say_it(attribute: str, value: str, told: set[Sensitivity]) -> None:
    assert delicate(Operation(attribute=attribute, value=value)) == told


def test_value_content_and_evidence_are_all_looked_at_and_what_the_extractor_says_counts() -> None:
    for field in ("value", "content", "evidence"):
        told = Operation.model_validate({"attribute": "note", "value": "x", "content": "x", field: "I have asthma."})
        assert delicate(told) == {Sensitivity.HEALTH}
    said = Operation(content="x", sensitivity=frozenset({Sensitivity.FINANCE}))
    assert delicate(said) == {Sensitivity.FINANCE}

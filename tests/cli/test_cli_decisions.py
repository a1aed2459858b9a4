from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from perdure.cli.decisions import decisions_for
from perdure.errors import InvalidInput
from perdure.facts import Operation, content_of
from perdure.operations import checked
from perdure.policy import Ruling
from perdure.review import REJECTED, Review
from perdure.staging import Staged

NOW = datetime(2026, 11, 29, tzinfo=UTC)
OPERATIONS = [
    checked(Operation(attribute="home.city", value="서울", content="서울로 이사했어.")),
    checked(Operation(attribute="pet", value="보리", content="강아지 보리를 키워.")),
    checked(Operation(content="Remember the milk.")),
]
REVIEW = Review([Staged(operation, Ruling("ask", "it is delicate")) for operation in OPERATIONS], NOW)
REQUESTS = REVIEW.request()["action_requests"]
APPROVED = [operation.model_copy(update={"approved_by": "Mina"}) for operation in OPERATIONS]


def written(**flags: list[str]) -> list[Operation | str]:
    """What the flags make of the operations, read by the node that asked."""
    return REVIEW.decided({"decisions": decisions_for(REQUESTS, now=NOW, **flags)}, "Mina")


def test_all_are_approved_or_rejected_at_once() -> None:
    assert written(approve=["all"]) == APPROVED
    assert written(reject=["all"]) == [REJECTED] * 3


def test_numbers_count_from_one_and_all_is_for_the_rest() -> None:
    assert written(approve=["1", "3"], reject=["2"]) == [APPROVED[0], REJECTED, APPROVED[2]]
    assert written(approve=["2"], reject=["all"]) == [REJECTED, APPROVED[1], REJECTED]


def test_an_edit_approves_with_another_value() -> None:
    edits = ["1.value=인천", "1.content=인천으로 이사했어 = 사실.", "1.valid_from=2026-10"]
    first, second, third = written(edit=edits, approve=["2"], reject=["3"])
    assert first == APPROVED[0].model_copy(
        update={
            "value": "인천",
            "content": "인천으로 이사했어 = 사실.",
            "valid_from": datetime(2026, 10, 1, tzinfo=UTC),
        }
    )
    assert (second, third) == (APPROVED[1], REJECTED)


@pytest.mark.parametrize(
    "flags",
    [
        {"approve": ["1"]},
        {"approve": ["4"], "reject": ["all"]},
        {"approve": ["0"], "reject": ["all"]},
        {"approve": ["-1"], "reject": ["all"]},
        {"approve": ["x"], "reject": ["all"]},
        {"approve": ["all"], "reject": ["all"]},
        {"approve": ["1", "all"], "reject": ["1"]},
        {"approve": ["all"], "edit": ["1=Incheon"]},
        {"approve": ["all"], "edit": ["1.nonsense=Incheon"]},
        {"approve": ["all"], "edit": ["9.value=Incheon"]},
        {"approve": ["1", "all"], "edit": ["1.value=Incheon"]},
    ],
)
def test_what_does_not_decide_each_change_once_is_refused(flags: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        decisions_for(REQUESTS, now=NOW, **flags)


def test_each_change_is_described_by_what_it_is_about() -> None:
    assert [request["description"] for request in REQUESTS] == [
        "assert home.city 서울: 서울로 이사했어. (it is delicate)",
        "assert pet 보리: 강아지 보리를 키워. (it is delicate)",
        "assert: Remember the milk. (it is delicate)",
    ]


@pytest.mark.parametrize(
    ("edits", "content"),
    [
        (["1.value=인천"], "인천로 이사했어."),
        (["1.value=인천", "1.content=인천에 살아."], "인천에 살아."),
        (["1.kind=profile"], "서울로 이사했어."),
    ],
)
def test_the_sentence_of_a_changed_value_says_the_new_one(edits: list[str], content: str) -> None:
    edited, *_ = written(edit=edits, reject=["all"])
    assert isinstance(edited, Operation) and edited.content == content


def test_a_sentence_in_which_the_old_value_does_not_stand_once_is_not_kept() -> None:
    for content, value in (("We moved.", "Oslo"), ("Not 5 but 5 dogs, born in 2015.", "5")):
        operation = checked(Operation(attribute="pet", value=value, content=content))
        review = Review([Staged(operation, Ruling("ask", "it is delicate"))], NOW)
        edit = decisions_for(review.request()["action_requests"], edit=["1.value=6"], now=NOW)
        (edited,) = review.decided({"decisions": edit}, "Mina")
        assert isinstance(edited, Operation) and content_of(edited) == "pet: 6"


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ("2.importance=77", "change 2: .*importance: .*less than or equal to 10"),
        ("2.content=My password is hunter2hunter2", "change 2: a password is never stored"),
        ("2.trust=tool", "change 2: an edit cannot change trust"),
        ("2.value= ", "the new value of change 2 is empty"),
    ],
)
def test_an_edit_that_is_refused_says_which_change_and_what_of_it(edit: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        written(edit=[edit], approve=["all"])


def test_no_editor_leaves_the_value_empty() -> None:
    emptied = {"type": "edit", "edited_action": {"name": "memory_write", "args": {"value": ""}}}
    with pytest.raises(InvalidInput, match=r"change 1: .*value empty"):
        REVIEW.decided({"decisions": [emptied, *[{"type": "reject"}] * 2]}, "Mina")

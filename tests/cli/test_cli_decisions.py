from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from perdure.cli.decisions import decisions_for
from perdure.errors import InvalidInput
from perdure.facts import Operation
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

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from perdure.cli.decisions import decisions_for
from perdure.errors import InvalidInput
from perdure.facts import Operation
from perdure.review import decided, review_request

NOW = datetime(2026, 11, 29, tzinfo=UTC)
OPERATIONS = [
    Operation(attribute="home.city", value="서울", content="서울로 이사했어."),
    Operation(attribute="pet", value="보리", content="강아지 보리를 키워."),
    Operation(content="Remember the milk."),
]
REQUESTS = review_request(OPERATIONS)["action_requests"]


def written(**flags: list[str]) -> list[Operation | None]:
    """What the flags make of the operations, read by the node that asked."""
    return decided(OPERATIONS, {"decisions": decisions_for(REQUESTS, now=NOW, **flags)})


def test_all_are_approved_or_rejected_at_once() -> None:
    assert written(approve=["all"]) == OPERATIONS
    assert written(reject=["all"]) == [None, None, None]


def test_numbers_count_from_one_and_all_is_for_the_rest() -> None:
    assert written(approve=["1", "3"], reject=["2"]) == [OPERATIONS[0], None, OPERATIONS[2]]
    assert written(approve=["2"], reject=["all"]) == [None, OPERATIONS[1], None]


def test_an_edit_approves_with_another_value() -> None:
    edits = ["1.value=인천", "1.content=인천으로 이사했어 = 사실.", "1.valid_from=2026-10"]
    first, second, third = written(edit=edits, approve=["2"], reject=["3"])
    assert first == OPERATIONS[0].model_copy(
        update={
            "value": "인천",
            "content": "인천으로 이사했어 = 사실.",
            "valid_from": datetime(2026, 10, 1, tzinfo=UTC),
        }
    )
    assert (second, third) == (OPERATIONS[1], None)


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

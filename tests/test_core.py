"""Blocks of core memory and their edits, without a database."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from perdure.core import BUILT_IN, Block, block_named, check_label, check_limit, edited
from perdure.core_edits import AGENT, CoreWriting
from perdure.errors import CredentialRefused, InvalidEdit, InvalidInput
from perdure.facts import Action, Operation, Source, Trust
from perdure.operations import checked
from perdure.policy import Policy
from perdure.review import Review
from perdure.scope import Scope
from perdure.staging import Staged

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
ME = Scope(user="u1")
LINES = st.lists(st.text("가나다 ab", min_size=1).map(str.strip).filter(bool), min_size=1, max_size=5)
BLOCK = Block("persona", "나는 파이\n존댓말을 쓴다", limit=30)


def append(text: str, label: str = "persona") -> Operation:
    return checked(Operation(action=Action.CORE_APPEND, attribute=label, content=text))


def swap(old: str, new: str, label: str = "persona") -> Operation:
    return checked(Operation(action=Action.CORE_REPLACE, attribute=label, value=old, content=new))


@given(LINES)
def test_every_line_that_is_appended_stands_below_the_one_before(lines: list[str]) -> None:
    block = Block("persona")
    for line in lines:
        block = edited(block, append(line))
    assert block.content.split("\n") == lines


@given(LINES, st.data())
def test_a_line_that_is_replaced_and_put_back_leaves_the_block_as_it_was(lines: list[str], data: st.DataObject) -> None:
    block = Block("persona", "\n".join(lines))
    line = data.draw(st.sampled_from(lines))
    assume(block.content.count(line) == 1)
    assert edited(edited(block, swap(line, "NEW")), swap("NEW", line)) == block


def test_where_nothing_takes_the_place_of_a_line_none_is_left_empty() -> None:
    block = Block("persona", "하나\n\n둘\n셋")
    assert edited(block, swap("둘", "")).content == "하나\n\n셋"
    assert edited(block, swap("하나", "")).content == "둘\n셋"
    assert edited(block, swap("셋", "")).content == "하나\n\n둘"
    assert edited(Block("persona", "하나"), swap("하나", "")).content == ""


def test_a_block_is_filled_to_its_limit_and_not_over_it() -> None:
    room = BLOCK.limit - len(BLOCK.content) - 1
    assert edited(BLOCK, append("가" * room)).fill == "30/30"
    with pytest.raises(
        InvalidEdit, match="would have 31 characters, 1 more than its limit of 30: shorten it with core"
    ):
        edited(BLOCK, append("가" * (room + 1)))


@pytest.mark.parametrize(
    ("old", "told"),
    [
        ("영어", "does not stand in the block 'persona': copy it exactly"),
        ("나", "stands 2 times in the block 'persona'"),
    ],
)
def test_what_cannot_be_replaced_is_told(old: str, told: str) -> None:
    with pytest.raises(InvalidEdit, match=told):
        edited(Block("persona", "나는 나"), swap(old, "너"))


def test_a_credential_that_is_told_in_parts_is_refused() -> None:
    block = Block("human", "그의 비밀번호는")
    with pytest.raises(CredentialRefused, match="block 'human' holds a password") as refused:
        edited(block, append("hunter2hunter2", "human"))
    assert "hunter2" not in str(refused.value)
    with pytest.raises(CredentialRefused, match="never stored"):
        edited(Block("door.code"), append("48213", "door.code"))


@pytest.mark.parametrize("label", ["", "  ", "두 말", "a/b", ".a", "a\x00", "\ud800", "x" * 51, "a\nb"])
def test_what_cannot_be_a_label_is_refused(label: str) -> None:
    with pytest.raises(InvalidInput):
        check_label(label)


def test_a_label_has_one_form() -> None:
    assert [check_label(label) for label in (" Persona ", "여행", "a-1.b_c")] == ["persona", "여행", "a-1.b_c"]
    assert block_named(" PERSONA", BUILT_IN) is BUILT_IN[0]
    with pytest.raises(InvalidEdit, match="no block 'mood': use one of persona, human, goals"):
        block_named("mood", BUILT_IN)


@pytest.mark.parametrize("limit", [0, -1, 8_001])
def test_a_limit_that_cannot_be_one_is_refused(limit: int) -> None:
    with pytest.raises(InvalidInput, match="1 to 8000"):
        check_limit(limit)


def test_an_edit_is_of_who_wrote_or_approved_it() -> None:
    writing, source = CoreWriting(ME, [], NOW), Source(at=NOW, thread="t", message="m")
    asked = [
        append("하나"),
        append("둘").model_copy(update={"trust": Trust.ASSISTANT}),
        append("셋").model_copy(update={"trust": Trust.ASSISTANT, "approved_by": "민지"}),
    ]
    receipts = [writing.apply(operation, source) for operation in asked]
    assert [version.block.author for version in writing.made] == ["user", AGENT, "민지"]
    assert [receipt.statement for receipt in receipts] == [version.edit for version in writing.made]
    assert {(version.thread, version.message) for version in writing.made} == {("t", "m")}


def test_a_reviewer_who_names_other_text_to_replace_does_not_change_what_replaces_it() -> None:
    asked = swap("파이", "나는 파이란다")
    review = Review([Staged(asked, Policy().ruling(asked))], NOW)
    edit = {"type": "edit", "edited_action": {"name": "memory_write", "args": {"value": "나는 파이"}}}
    (decided,) = review.decided({"decisions": [edit]}, "민지")
    assert isinstance(decided, Operation)
    assert (decided.value, decided.content, decided.approved_by) == ("나는 파이", "나는 파이란다", "민지")

"""What a person refused is not kept in other words or beside something else; and nothing else is lost by it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from perdure.facts import Action, Operation
from perdure.turn import Turn
from perdure.withholding import GAP, withholding, without_withheld


def refused(value: str, evidence: str) -> Operation:
    return Operation(attribute="health.condition", value=value, evidence=evidence)


def kept(said: str, answered: str, operation: Operation) -> tuple[str, str]:
    turn = Turn("m", said, answered, datetime(2026, 1, 1, tzinfo=UTC), "en")
    left = withholding(turn, [operation])
    return left.user_text, left.assistant_text


@pytest.mark.parametrize(
    ("said", "answered", "operation", "left"),
    [
        (
            "A. I ate an apple.",
            "An apple, a pear.",
            refused("a", "A."),
            (f"{GAP} I ate an apple.", f"An apple, {GAP} pear."),
        ),
        ("It was 1. Room 10.", "1 of 21.", refused("1", "It was 1."), (f"{GAP} Room 10.", f"{GAP} of 21.")),
        ("네. 그네를 탔어요.", "네, 그네요.", refused("네", "네."), (f"{GAP} 그네를 탔어요.", f"{GAP}, 그네요.")),
    ],
)
def test_a_short_value_is_not_taken_out_of_other_words(
    said: str, answered: str, operation: Operation, left: tuple[str, str]
) -> None:
    assert kept(said, answered, operation) == left


@pytest.mark.parametrize(
    ("said", "answered", "operation", "left"),
    [
        (
            "I was diagnosed with diabetes. My diabetic diet is hard. I love tea.",
            "Diabetics may drink tea. Tea is fine.",
            refused("diabetes", "I was diagnosed with diabetes."),
            (f"{GAP} I love tea.", f"{GAP} Tea is fine."),
        ),
        (
            "저는 당뇨병이 있어요. 소아당뇨였어요. 녹차가 좋아요.",
            "당뇨 관리가 중요해요. 녹차는 괜찮아요.",
            refused("당뇨병", "저는 당뇨병이 있어요."),
            (f"{GAP} 녹차가 좋아요.", f"{GAP} 녹차는 괜찮아요."),
        ),
    ],
)
def test_what_was_refused_is_not_kept_in_another_form(
    said: str, answered: str, operation: Operation, left: tuple[str, str]
) -> None:
    assert kept(said, answered, operation) == left


def test_what_was_refused_is_not_kept_as_the_evidence_of_something_else() -> None:
    said = "저는 당뇨병이 있고 땅콩 알레르기가 있어요."
    allergy = Operation(attribute="health.allergy", value="땅콩", content="땅콩 알레르기가 있다.", evidence=said)
    diet = Operation(content="당뇨병 식단을 지킨다.", evidence=said, approved_by="mina")
    (first, second) = without_withheld([allergy, diet], [refused("당뇨병", said)])
    assert first.evidence == f"저는 {GAP}이 있고 땅콩 알레르기가 있어요." and second == diet


def test_of_a_refused_edit_of_core_memory_the_new_text_is_withheld_and_not_the_old() -> None:
    edit = Operation(action=Action.CORE_REPLACE, attribute="human", value="Likes tea.", content="Has asthma.")
    turn = Turn("m", "I have it.", "Noted: asthma. You like tea.", datetime(2026, 1, 1, tzinfo=UTC), "en")
    assert withholding(turn, [edit]).assistant_text == f"{GAP} You like tea."
    fact = Operation(attribute="likes", value="tea", evidence="likes tea. has asthma.")
    (written,) = without_withheld([fact], [edit])
    assert written.evidence == f"likes tea. {GAP}"

"""What a model noted by tools and what is extracted from the same turn: nothing twice, and nothing lost."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from perdure.facts import Action, Operation, Trust
from perdure.noted import with_noted
from perdure.sensitivity import Sensitivity

MARCH = datetime(2020, 3, 1, tzinfo=UTC)
FACT = uuid4()


def told(content: str, attribute: str = "", value: str = "", *, said: str = "", **more: Any) -> Operation:
    return Operation.model_validate(
        {"content": content, "attribute": attribute, "value": value, "evidence": said or content} | more
    )


@pytest.mark.parametrize(
    ("noted", "extracted"),
    [
        (told("서울에 산다.", "home.city", "서울"), told("나는 서울에 살아", "home.city", "서울")),
        (told("Lives in Seoul.", "home.city", "Seoul"), told("I live in Seoul.", "home.city", "seoul")),
        (told("차를 마신다.", "likes", "차", action="correct"), told("차를 좋아해", "likes", "차")),
        (told("I play the piano."), told("The user plays the piano.", said="I play the piano")),
        (told("", action="end", target=FACT), told("", "likes", "차", action="end", target=FACT)),
        (told("", action="end", target=FACT), told("", "likes", "차", action="retract", target=FACT)),
    ],
    ids=["ko", "en", "a correction", "a note", "an end", "an end and a retraction"],
)
def test_the_same_is_kept_once_as_it_was_noted(noted: Operation, extracted: Operation) -> None:
    (kept,) = with_noted([extracted], [noted])
    assert (kept.action, kept.content) == (noted.action, noted.content)


BOTH = "I play the piano, and tomorrow I see the dentist."


@pytest.mark.parametrize(
    ("noted", "extracted"),
    [
        (told("I play the piano.", said=BOTH), told("I see the dentist.", said="tomorrow I see the dentist")),
        (told("I play the piano.", said=BOTH), told("Saw the dentist.", said="the dentist", action="episode")),
        (told("나는 피아노를 쳐.", said=BOTH), told("고양이는 두 살이다.", said=BOTH)),
        (told("x", "likes", "tea"), told("x", "dislikes", "tea")),
        (told("x", "likes", "tea"), told("x", "likes", "tea", subject="sister")),
        (told("x", "home.city", "Seoul"), told("", "home.city", "Seoul", action="end", target=FACT)),
        (told("Run a marathon.", "goals", action="core_append"), told("Run a marathon.", "goals", "run a marathon")),
        (told("", action="end", target=FACT), told("", "likes", "tea", action="end", target=uuid4())),
    ],
    ids=["notes", "an event", "ko", "attributes", "people", "an end", "a block of the same name", "two ends"],
)
def test_what_says_something_else_is_not_lost(noted: Operation, extracted: Operation) -> None:
    assert with_noted([extracted], [noted]) == [noted, extracted]


def test_a_note_gives_way_to_the_attribute_that_says_it() -> None:
    extracted = told("I live in Seoul.", "home.city", "Seoul")
    assert with_noted([extracted], [told("Lives in Seoul.", said="I live in Seoul")]) == [extracted]


def test_what_only_the_extraction_knows_is_kept_of_it() -> None:
    noted = told("Lives in Seoul.", "home.city", "Seoul", trust=Trust.USER)
    more: dict[str, Any] = {
        "valid_from": MARCH,
        "kind": "profile",
        "importance": 8,
        "sensitivity": [Sensitivity.HEALTH],
    }
    (kept,) = with_noted([told("I moved.", "home.city", "Seoul", **more)], [noted])
    assert (kept.content, kept.valid_from, kept.kind, kept.importance) == (noted.content, MARCH, "profile", 8)
    assert kept.sensitivity == {Sensitivity.HEALTH} and kept.action is Action.ASSERT
    dated = noted.model_copy(update={"valid_from": datetime(2019, 1, 1, tzinfo=UTC)})
    assert with_noted([told("I moved.", "home.city", "Seoul", **more)], [dated])[0].valid_from == dated.valid_from

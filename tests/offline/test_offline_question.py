"""Which attribute a question asks about, in English and in Korean."""

from __future__ import annotations

import pytest

from perdure.attributes import BUILT_IN
from perdure.offline.question import asked_attributes


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("Where do I live?", "home.city"),
        ("where did I live in 2019?", "home.city"),
        ("Where am I from?", "home.origin"),
        ("Who do I work for?", "work.employer"),
        ("What do I do for a living?", "work.role"),
        ("What's my name?", "name"),
        ("When's my birthday?", "birthday"),
        ("How old am I?", "age"),
        ("What is my dog's name?", "pet"),
        ("What's my wife's name?", "family.partner"),
        ("Am I allergic to anything?", "health.allergy"),
        ("What's my favourite band?", "likes"),
        ("What are my hobbies?", "hobby"),
        ("Which languages do I speak?", "language.speaks"),
        ("What is my goal for next year?", "goal"),
        ("How do I get to work?", "commute"),
        ("Do you know my timezone?", "time.zone"),
        ("나 어디 살아?", "home.city"),
        ("어디 살아?", "home.city"),
        ("내 고향이 어디야?", "home.origin"),
        ("내 직업이 뭐야?", "work.role"),
        ("나 어디 다녀?", "work.employer"),
        ("내 이름이 뭐야?", "name"),
        ("내 생일이 언제야?", "birthday"),
        ("우리 강아지 이름이 뭐야?", "pet"),
        ("내 동생 이름 뭐야?", "family.sibling"),
        ("내가 무슨 알레르기가 있지?", "health.allergy"),
        ("내가 제일 좋아하는 영화가 뭐야?", "likes"),
        ("내 취미가 뭐였지?", "hobby"),
        ("내 내년 목표가 뭐야?", "goal"),
    ],
)
def test_asked_attribute(question: str, attribute: str) -> None:
    assert asked_attributes(question) == (attribute,)


@pytest.mark.parametrize("question", ["What food should I avoid?", "내가 피해야 할 음식은 뭐야?"])
def test_what_to_avoid_concerns_several_attributes(question: str) -> None:
    assert asked_attributes(question) == ("health.allergy", "food.avoids", "food.diet")


@pytest.mark.parametrize(
    "question",
    ["Where does Tom live?", "민수는 어디 살아?", "What's the capital of Mongolia?", "지금 도쿄 몇 시야?", ""],
)
def test_questions_about_others_or_the_world(question: str) -> None:
    assert asked_attributes(question) == ()


def test_a_question_by_alias_names_an_attribute_of_the_vocabulary() -> None:
    names = {attribute.name for attribute in BUILT_IN}
    labels = [attribute.english[0] for attribute in BUILT_IN]
    assert all(
        asked and set(asked) <= names for asked in (asked_attributes(f"What is my {label}?") for label in labels)
    )

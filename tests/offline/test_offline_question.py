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
    ("question", "attribute"),
    [
        ("이직하기 전에 어디서 일했지?", "work.employer"),
        ("예전에 어디 다녔지?", "work.employer"),
        ("작년에 내가 뭘 좋아했지?", "likes"),
        ("내가 싫어했던 음식이 뭐지?", "dislikes"),
        ("어떤 강아지를 키웠지?", "pet"),
        ("전에 무슨 일 했지?", "work.role"),
        ("What did I do before I joined Globex?", "work.role"),
    ],
)
def test_what_was_is_asked_like_what_is(question: str, attribute: str) -> None:
    assert asked_attributes(question) == (attribute,)


@pytest.mark.parametrize(
    "question",
    [
        "예매 번호가 뭐였지?",
        "내 차 번호가 뭐야?",
        "계좌번호 알려줘",
        "누가 전화했지?",
        "그 식당 이름이 뭐였지?",
        "프로젝트 이름이 뭐지?",
        "어제 무슨 일이 있었지?",
        "나이키 신발 사이즈가 뭐야?",
        "내 아이디가 뭐야?",
        "아이폰 언제 샀지?",
        "딸기 좋아해?",
        "장애인 등록증 어디 있어?",
        "왜 반려됐지?",
        "결혼식 언제였지?",
        "건강검진 언제 받았지?",
        "언제 병원에 다녀왔지?",
        "언제 헬스장에 다니기 시작했지?",
        "어느 도시로 여행 갔지?",
        "What did I do last Tuesday?",
        "What do I do if the build fails?",
        "Which city did I visit last year?",
        "Where did I go to last week?",
        "Where did I buy the living room lamp?",
        "When did I move the meeting?",
        "When did I work out last?",
        "How long did I work on the report?",
        "When did I join the gym?",
        "What did I study yesterday?",
        "How do I get to the airport?",
        "Who am I meeting today?",
    ],
)
def test_a_word_of_an_attribute_in_another_sense_asks_for_none(question: str) -> None:
    """What is asked for is told however irrelevant it is: a wrong attribute answers what nobody asked."""
    assert asked_attributes(question) == ()


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

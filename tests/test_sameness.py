"""Two sayings are one only if the words that carry meaning are the same; digits, denials and names keep them apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.romanise import romanised
from perdure.sameness import difference

SAME = [
    ("Seoul", "서울"),
    ("부산광역시", "Busan"),
    ("서울시", "서울"),
    ("민수", "Minsu"),
    ("hiking", "hikes"),
    ("the Wi-Fi box is behind the sofa", "The Wi-Fi box is behind my sofa."),
    ("Acme", "Acme Inc."),
    ("수영장다님", "수영장 다님"),
    ("커피", "커피를"),
    ("와이파이는 거실에 있어", "와이파이는 거실에 있습니다."),
    ("two cats", "2 cats"),
    ("dark mode", "dark theme"),
    ("piano", "playing the piano"),
    ("재즈", "재즈 음악"),
    ("다크 모드", "다크모드"),
    ("고양이 두 마리", "고양이 2 마리"),
]
DIFFERENT = [
    ("digits", "2 cats", "3 cats"),
    ("digits", "고양이 두 마리", "고양이 세 마리"),
    ("digits", "Node.js 18", "Node.js 20"),
    ("digits", "v1.2", "v1.3"),
    ("digits", "3월 4일", "4월 3일"),
    ("digits", "7시 6분", "6시 7분"),
    ("digits", "two nephews and three nieces", "three nephews and two nieces"),
    ("negation", "I eat meat", "I do not eat meat"),
    ("negation", "I can eat nuts", "I can't eat nuts"),
    ("negation", "매운 음식", "안 매운 음식"),
    ("negation", "차가 있어요", "차가 없어요"),
    ("words", "tea", "coffee"),
    ("words", "Tom owes Ann", "Ann owes Tom"),
    ("words", "New York", "York"),
    ("words", "C++", "C"),
    ("words", "영어", "영국"),
    ("words", "바다", "바"),
    ("words", "서울", "인천"),
    ("words", "😀", "😁"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_other_words_for_the_same_are_the_same(one: str, other: str) -> None:
    assert difference(one, other) is None and difference(other, one) is None


@pytest.mark.parametrize(("kind", "one", "other"), DIFFERENT)
def test_what_says_something_else_is_kept_apart(kind: str, one: str, other: str) -> None:
    assert difference(one, other) == kind and difference(other, one) == kind


@given(st.text(max_size=60))
def test_every_saying_is_the_same_as_itself(text: str) -> None:
    assert difference(text, text) is None


@given(st.text(max_size=40), st.text(max_size=40))
def test_it_does_not_matter_which_was_said_first(one: str, other: str) -> None:
    assert difference(one, other) == difference(other, one)


@given(st.text(max_size=30), st.integers(0, 99), st.integers(0, 99))
def test_sayings_with_other_numbers_are_never_the_same(text: str, one: int, other: int) -> None:
    assert one == other or difference(f"{text} {one}", f"{text} {other}") is not None


def test_hangul_is_romanised_and_everything_else_stays() -> None:
    assert romanised("제주, 대구 & Oslo 1") == "jeju, daegu & Oslo 1"

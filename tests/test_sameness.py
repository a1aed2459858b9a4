"""Two sayings are one only if the words that carry meaning are the same; digits, denials and names keep them apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.romanise import romanised
from perdure.sameness import difference, likeness

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
    ("a doctor", "to be a doctor"),
    ("running", "runs"),
    ("movies", "movie"),
    ("1,000 won", "1000 won"),
    ("07:00", "7:00"),
    ("좋아합니다", "좋아해요"),
    ("R&B", "R and B"),
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
OTHER_THINGS = {
    "a letter is no article": "vitamin A|vitamin, BMW i4|BMW 4, Sony a7|Sony i7, US citizen|citizen, at 6 am|at 6",
    "what looks like a filler is a part of the name": "music teacher|teacher, game music|game, co-founder|founder,"
    " user researcher|researcher, still water|water, Apocalypse Now|Apocalypse, call me Max|call Max, 영화 음악|영화,"
    " 전 직장|직장, 주 3회|3회, 우리 은행|은행, 네|4",
    "other words have the same stem": "animals|animation, fish|fishing, trains|training, news|new, program|programming",
    "a name is not inflected": "Mary|Marie, Carlo|Carlos, Andrea|Andreas",
    "the tense": "lives in Oslo|lived in Oslo, works at Acme|worked at Acme, stopped smoking|stopped to smoke",
    "a noun that ends like a particle": "고양이|고양시, 고양이|고양, 정신과|정신, 소설가|소설, 한가은|한가을, 김서은|김서이",
    "a noun that ends like a verb": "사과|사고, 소녀|소니, 영화|영호, 가요|가, 김지해|김지하",
    "a particle says who, whence or whither": "철수가 영희를 좋아해|철수를 영희가 좋아해, 서울에서 출발|서울로 출발,"
    " 월요일부터 휴가|월요일까지 휴가, 고기만 먹어|고기도 먹어",
    "a word in Hangul or in English": "빚|빛, 박|밖, 손|son, 잠|jam",
    "what is denied, and how": "tea not coffee|not tea coffee, I can't eat nuts|I won't eat nuts, 못 마셔|안 마셔",
    "signs": "-5도|5도, $100|€100, 100%|100, temp > 30|temp < 30, love 😀|love 😡, 5+ years|5 years",
    "digits": "007|7, 010|10, 1½|1 1 2",
    "addresses": "ann.lee@x.com|annlee@x.com, @ann_lee|@annlee, x.com/a-b|x.com/ab",
    "vowel signs": "कि|की",
}


@pytest.mark.parametrize(("one", "other"), SAME)
def test_other_words_for_the_same_are_the_same(one: str, other: str) -> None:
    assert difference(one, other) is None and difference(other, one) is None


@pytest.mark.parametrize(("kind", "one", "other"), DIFFERENT)
def test_what_says_something_else_is_kept_apart(kind: str, one: str, other: str) -> None:
    assert difference(one, other) == kind and difference(other, one) == kind


@pytest.mark.parametrize(
    ("one", "other"), [p.strip().split("|") for ps in OTHER_THINGS.values() for p in ps.split(",")]
)
def test_other_things_that_look_alike_are_kept_apart(one: str, other: str) -> None:
    assert difference(one, other) is not None and difference(other, one) is not None


def test_a_decimal_comma_is_no_thousands_separator() -> None:
    assert difference("3,5 km", "35 km") == "digits"


WORDS = "the a my dogs Dog hiking hikes boxes party parties not 2 two 서울 서울시 서울을 Seoul 커피는 커피를 좋아요 좋아 & and"


@given(*[st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=3).map(" ".join)] * 2)
def test_what_is_the_same_is_found_by_its_likeness(one: str, other: str) -> None:
    same = difference(one, other) is None
    assert not same or likeness("user", "likes", one) == likeness("User", "likes", other)


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

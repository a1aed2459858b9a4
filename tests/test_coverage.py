"""What words bear out, and what they do not."""

from __future__ import annotations

from datetime import date

import pytest

from perdure.coverage import Source


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("I moved to Seoul", "Seoul"),
        ("I love peanuts", "peanut"),
        ("i work at NAVER", "Naver"),
        ("I'm thirty-five", "35"),
        ("I have two cats", "2 cats"),
        ("I have 2 cats", "two cats"),
        ("It costs 12,000 won", "12000 won"),
        ("It costs 5k", "5000"),
        ("My birthday is May 3rd, 1990", "1990-05-03"),
        ("born on 5/3/1990", "May 3, 1990"),
        ("the third floor", "floor 3"),
        ("커피를 좋아해", "커피"),
        ("매운 음식을 싫어해", "매운 음식 싫어함"),
        ("땅콩버터를 먹어", "땅콩 버터"),
        ("저는 스물다섯 살이에요", "25"),
        ("강아지 두 마리 키워요", "강아지 2마리"),
        ("강아지 2마리 키워요", "강아지 두 마리"),
        ("이십오 층에 살아요", "25층"),
        ("월급은 300만원", "3,000,000원"),
        ("생일은 1990년 5월 3일", "1990-05-03"),
        ("SK하이닉스에 다녀", "SK하이닉스"),
        ("지난달에 서울로 이사했어", "Seoul"),
        ("I moved to Seoul", "서울"),
        ("I moved to Seoul", "서울에"),
    ],
)
def test_borne_out(said: str, value: str) -> None:
    assert Source(said).bears_out(value)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("I moved to Seoul", "Busan"),
        ("I moved to Seoul", "Seoul, Gangnam"),
        ("I trust you", "Rust"),
        ("I like carrots", "cars"),
        ("I'm thirty-five", "36"),
        ("I have two cats", "two dogs"),
        ("flat 12", "flat 1"),
        ("May I ask?", "May 3"),
        ("커피를 좋아해", "홍차"),
        ("커피를 좋아해", "커피와 홍차와 우유"),
        ("사실 그래", "4"),
        ("이 회사에 다녀", "2"),
        ("오늘 일이 많아", "1"),
        ("강아지 두 마리", "강아지 3마리"),
        ("서울로 이사했어", "Suwon"),
        ("가나에 살아", "Gana Kim"),
        ("I moved to Seoul", "수원"),
    ],
)
def test_not_borne_out(said: str, value: str) -> None:
    assert not Source(said).bears_out(value)


def test_a_date_says_the_numbers_of_its_day() -> None:
    said = Source("지난달에 이사했어", [date(2026, 10, 1)])
    assert said.bears_out("2026-10-01") and not said.bears_out("2026-11-01")


def test_a_value_may_have_some_words_of_its_own_but_no_names() -> None:
    said = Source("I want to run a marathon in spring")
    assert said.bears_out("to run a whole marathon in spring")
    assert not said.bears_out("to run the Boston marathon in spring")


def test_nothing_is_added_if_every_word_was_said_or_frames_it() -> None:
    said, frame = Source("I moved to Seoul"), Source("the user lives in")
    assert said.adds_nothing("The user lives in Seoul.", frame)
    assert not said.adds_nothing("The user lives in Seoul.")
    assert not said.adds_nothing("The user lives in Seoul, alone.", frame)


def test_what_is_shared_is_a_word_that_carries_meaning() -> None:
    assert Source("I left Busan").shares("lives in Busan")
    assert not Source("I left it in the car").shares("it is in the house")


@pytest.mark.parametrize("unit", ["1", "가", "a ", "두 마리 ", "9" * 5000 + " ", "한"])
def test_the_longest_message_is_read(unit: str) -> None:
    text = (unit * (100_000 // len(unit) + 1))[:100_000]
    assert Source(text).bears_out("Paris 99 파리") is False

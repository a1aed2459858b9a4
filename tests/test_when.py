from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.errors import InvalidTime
from perdure.time import EARLIEST, LATEST
from perdure.when import parse_when

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)  # a Sunday


def at(year: int, month: int = 1, day: int = 1, hour: int = 0) -> datetime:
    return datetime(year, month, day, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2025-11-03", at(2025, 11, 3)),
        ("20251103", at(2025, 11, 3)),
        ("2025-11-03T14:00:00+09:00", at(2025, 11, 3, 5)),
        ("2025-11-03 14:00", at(2025, 11, 3, 14)),
        ("2025-11", at(2025, 11)),
        ("2025", at(2025)),
        ("2025/11/03", at(2025, 11, 3)),
        ("2025년", at(2025)),
        ("2025년 11월", at(2025, 11)),
        ("2025년 11월 3일", at(2025, 11, 3)),
        ("3 March 2025", at(2025, 3, 3)),
        ("May 2025", at(2025, 5)),
        ("now", NOW),
        ("지금", NOW),
        ("a year ago", at(2025, 11, 29, 12)),
        ("A Year Ago", at(2025, 11, 29, 12)),
        ("1년 전", at(2025, 11, 29, 12)),
        ("3 days ago", at(2026, 11, 26, 12)),
        ("3일 전에", at(2026, 11, 26, 12)),
        ("한 달 전", at(2026, 10, 29, 12)),
        ("6개월 전", at(2026, 5, 29, 12)),
        ("9 months ago", at(2026, 2, 28, 12)),
        ("일주일 전", at(2026, 11, 22, 12)),
        ("두 시간 전", at(2026, 11, 29, 10)),
    ],
)
def test_an_instant_is_the_same_from_either_end(text: str, instant: datetime) -> None:
    assert parse_when(text, NOW) == parse_when(text, NOW, edge="end") == instant


@pytest.mark.parametrize(
    ("words", "start", "after"),
    [
        (("yesterday", "어제"), at(2026, 11, 28), at(2026, 11, 29)),
        (("day before yesterday", "그저께"), at(2026, 11, 27), at(2026, 11, 28)),
        (("last week", "지난주", "지난 주"), at(2026, 11, 16), at(2026, 11, 23)),
        (("last month", "지난달"), at(2026, 10), at(2026, 11)),
        (("last year", "작년", "지난해"), at(2025), at(2026)),
        (("year before last", "재작년"), at(2024), at(2025)),
        (("next year", "내년"), at(2027), at(2028)),
    ],
)
def test_a_period_begins_a_term_and_ends_an_as_of(words: tuple[str, ...], start: datetime, after: datetime) -> None:
    for word in words:
        assert parse_when(word, NOW) == start
        end = parse_when(word, NOW, edge="end")
        assert end < after
        assert (after - end).total_seconds() < 1


def test_as_of_today_is_now_and_not_the_rest_of_the_day() -> None:
    assert parse_when("today", NOW, edge="end") == parse_when("올해", NOW, edge="end") == NOW


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "hello",
        "5",
        "2025-13",
        "2026-02-30",
        "0001-01-01",
        "9999",
        "99999 years ago",
        "1,000 years ago",
        "999999999999999999999 days ago",
        "1700000000",
        "\ud800",
        "어제\x00",
        "a" * 100_000,
    ],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(InvalidTime):
        parse_when(text, NOW)


@given(st.text(max_size=40))
def test_any_text_is_a_usable_instant_or_refused(text: str) -> None:
    try:
        instant = parse_when(text, NOW)
    except InvalidTime:
        return
    assert EARLIEST <= instant < LATEST
    assert instant.utcoffset() is not None

"""Dates are those of the user's time zone; what is stored is the instant at which they begin."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.errors import InvalidTime
from perdure.graph.context import Context
from perdure.offline.dates import Moment
from perdure.offline.english_dates import english_dates
from perdure.offline.korean_dates import korean_dates
from perdure.time import zone_name, zone_of
from perdure.when import parse_when

SEOUL, NEW_YORK, HONOLULU = (ZoneInfo(name) for name in ("Asia/Seoul", "America/New_York", "Pacific/Honolulu"))
FIRST_OF_DECEMBER = datetime(2026, 12, 1, 0, 30, tzinfo=SEOUL)

# Pacific islands that moved across the date line have no such day at all: its first instant is that of the next.
WITHOUT_A_DAY = {"Kwajalein"} | {f"Pacific/{name}" for name in ("Apia", "Enderbury", "Fakaofo", "Kanton", "Kiritimati")}
WITHOUT_A_DAY |= {"Pacific/Kwajalein"}
zones = st.sampled_from(sorted(available_timezones() - WITHOUT_A_DAY)).map(ZoneInfo)


def utc(year: int, month: int = 1, day: int = 1, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


instants = st.datetimes(
    *(end.replace(tzinfo=None) for end in (utc(1970, 1, 3), utc(2037, 12, 29))), timezones=st.just(UTC)
)


def in_clause(clause: str, now: datetime) -> datetime | None:
    """The first instant of the one date that the clause names."""
    read = korean_dates if any("가" <= character <= "힣" for character in clause) else english_dates
    dates = read(clause, now)
    (moment,) = [moment for moment in (dates.since, dates.on, dates.until) if isinstance(moment, Moment)]
    return moment.start


@pytest.mark.parametrize(
    ("words", "now", "instant"),
    [
        (("this month", "이번 달"), FIRST_OF_DECEMBER, utc(2026, 11, 30, 15)),
        (("last month", "지난달"), FIRST_OF_DECEMBER, utc(2026, 10, 31, 15)),
        (("today", "오늘"), FIRST_OF_DECEMBER, utc(2026, 11, 30, 15)),
        (("yesterday", "어제"), FIRST_OF_DECEMBER, utc(2026, 11, 29, 15)),
        (("this year", "올해"), datetime(2027, 1, 1, 0, 30, tzinfo=SEOUL), utc(2026, 12, 31, 15)),
        (("last year", "작년"), datetime(2026, 12, 31, 23, 30, tzinfo=HONOLULU), utc(2025, 1, 1, 10)),
        (("last week", "지난주"), datetime(2026, 11, 30, 0, 30, tzinfo=SEOUL), utc(2026, 11, 22, 15)),
        (("on May 3", "5월 3일에"), FIRST_OF_DECEMBER, utc(2026, 5, 2, 15)),
        (("on March 5", "3월 5일에"), datetime(2026, 11, 30, 20, tzinfo=NEW_YORK), utc(2026, 3, 5, 5)),
        (("on July 4", "7월 4일에"), datetime(2026, 11, 30, 20, tzinfo=NEW_YORK), utc(2026, 7, 4, 4)),
        (("in 2019", "2019년에"), FIRST_OF_DECEMBER, utc(2018, 12, 31, 15)),
        (("since December", "12월부터"), FIRST_OF_DECEMBER, utc(2026, 11, 30, 15)),
        (("last winter", "지난겨울에"), FIRST_OF_DECEMBER, utc(2025, 11, 30, 15)),
        (("last Monday", "지난 월요일에"), FIRST_OF_DECEMBER, utc(2026, 11, 29, 15)),
        (("early 2020", "2020년 초에"), FIRST_OF_DECEMBER, utc(2019, 12, 31, 15)),
    ],
)
def test_what_a_sentence_dates_begins_where_the_user_is(
    words: tuple[str, str], now: datetime, instant: datetime
) -> None:
    for clause in words:
        assert in_clause(clause, now) == instant


@pytest.mark.parametrize(
    ("text", "now", "instant"),
    [
        ("this month", FIRST_OF_DECEMBER, utc(2026, 11, 30, 15)),
        ("이번 달", FIRST_OF_DECEMBER, utc(2026, 11, 30, 15)),
        ("2026-12", FIRST_OF_DECEMBER, utc(2026, 11, 30, 15)),
        ("2026년 12월 1일", FIRST_OF_DECEMBER, utc(2026, 11, 30, 15)),
        ("2026-12-01T09:00", FIRST_OF_DECEMBER, utc(2026, 12, 1)),
        ("2026-12-01T09:00Z", FIRST_OF_DECEMBER, utc(2026, 12, 1, 9)),
        ("3 March 2026", FIRST_OF_DECEMBER, utc(2026, 3, 2, 15)),
        ("3월 5일", FIRST_OF_DECEMBER, utc(2026, 3, 4, 15)),
        ("2026-11-01 10:00", datetime(2026, 11, 30, tzinfo=NEW_YORK), utc(2026, 11, 1, 15)),
        # Clocks in New York went forward on 8 March 2026: a day ago was 23 hours ago, and 24 hours ago is exact.
        ("1 day ago", datetime(2026, 3, 8, 12, tzinfo=NEW_YORK), utc(2026, 3, 7, 17)),
        ("24 hours ago", datetime(2026, 3, 8, 12, tzinfo=NEW_YORK), utc(2026, 3, 7, 16)),
        ("24시간 전", datetime(2026, 3, 8, 12, tzinfo=NEW_YORK), utc(2026, 3, 7, 16)),
        # Santiago's clocks went from 24:00 to 1:00 on that day, and Havana's from 1:00 back to 0:00.
        ("today", datetime(2026, 9, 6, 12, tzinfo=ZoneInfo("America/Santiago")), utc(2026, 9, 6, 4)),
        ("today", datetime(2026, 11, 1, 12, tzinfo=ZoneInfo("America/Havana")), utc(2026, 11, 1, 4)),
    ],
)
def test_what_is_typed_is_read_where_the_user_is(text: str, now: datetime, instant: datetime) -> None:
    assert parse_when(text, now) == instant


def test_as_of_yesterday_means_up_to_its_last_local_moment() -> None:
    end = parse_when("어제", FIRST_OF_DECEMBER, edge="end")
    assert end == utc(2026, 11, 30, 15) - timedelta(microseconds=1)
    assert parse_when("today", FIRST_OF_DECEMBER, edge="end") == FIRST_OF_DECEMBER


@given(zones, instants)
def test_today_begins_at_the_first_instant_of_the_local_day(zone: ZoneInfo, instant: datetime) -> None:
    now = instant.astimezone(zone)
    start = parse_when("today", now)
    assert start.utcoffset() == timedelta(0)
    assert start <= instant
    assert start.astimezone(zone).date() == now.date()
    assert (start - timedelta(microseconds=1)).astimezone(zone).date() < now.date()
    assert in_clause("today", now) == in_clause("오늘", now) == start


@given(zones, instants)
def test_periods_follow_each_other_without_a_gap(zone: ZoneInfo, instant: datetime) -> None:
    now = instant.astimezone(zone)
    for unit in ("week", "month", "year"):
        last, this, following = (parse_when(f"{which} {unit}", now) for which in ("last", "this", "next"))
        assert last < this <= instant < following
        assert parse_when(f"last {unit}", now, edge="end") == this - timedelta(microseconds=1)
        assert (in_clause(f"last {unit}", now), in_clause(f"next {unit}", now)) == (last, following)


@given(zones, instants)
def test_a_date_written_out_begins_when_today_does(zone: ZoneInfo, instant: datetime) -> None:
    now = instant.astimezone(zone)
    for written in (f"{now:%Y-%m-%d}", f"{now.year}년 {now.month}월 {now.day}일"):
        assert parse_when(written, now) == parse_when("오늘", now)


@given(zones, instants)
def test_a_zone_is_found_again_by_its_name(zone: ZoneInfo, instant: datetime) -> None:
    now = instant.astimezone(zone)
    assert zone_of(zone_name(now)) is zone
    fixed = now.astimezone(timezone(now.utcoffset() or timedelta(0)))
    assert instant.astimezone(zone_of(zone_name(fixed))).utcoffset() == now.utcoffset()


@pytest.mark.parametrize(
    "name", ["", "Mars/Base", "서울", "+09:00", "UTC+25:00", "UTC+", "../UTC", "Asia", "\0", "a" * 999]
)
def test_what_is_no_zone_is_refused(name: str) -> None:
    with pytest.raises(InvalidTime, match="is not a time zone"):
        zone_of(name)
    with pytest.raises(ValueError, match="is not a time zone"):
        Context(time_zone=name)

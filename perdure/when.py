"""Moments as people type them: ISO 8601, or words in English and Korean, against a given present.

Days and clock times are those of the present's time zone. An absolute date is its first instant there: `2025`,
`2025-11`, `2025-11-03` and `2025년 11월` all begin. A count of units is exact: `a year ago` and `1년 전` are this moment, a
year earlier; of days and more by the calendar, of hours and less by the clock. Only the words for a whole period (`yesterday`, `last
month`, `작년`) have two ends: a term begins at the first, and "as of yesterday" means everything up to the last.
"""

from __future__ import annotations

import calendar
import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Literal, TypeVar, cast

from perdure.errors import InvalidTime
from perdure.text import normalise
from perdure.time import check_instant, day_start, zone_at

Unit = Literal["second", "minute", "hour", "day", "week", "month", "year"]
Edge = Literal["start", "end"]
_Moment = TypeVar("_Moment", date, datetime)
_CLOCK_UNITS = {"second", "minute", "hour"}

_PERIODS: dict[str, tuple[Unit, int]] = {
    **dict.fromkeys(("today", "오늘"), ("day", 0)),
    **dict.fromkeys(("yesterday", "어제"), ("day", -1)),
    **dict.fromkeys(("day before yesterday", "the day before yesterday", "그저께", "그제", "엊그제"), ("day", -2)),
    **dict.fromkeys(("tomorrow", "내일"), ("day", 1)),
    **dict.fromkeys(("this week", "이번 주", "이번주"), ("week", 0)),
    **dict.fromkeys(("last week", "지난주", "지난 주", "저번 주", "저번주"), ("week", -1)),
    **dict.fromkeys(("next week", "다음 주", "다음주"), ("week", 1)),
    **dict.fromkeys(("this month", "이번 달", "이번달"), ("month", 0)),
    **dict.fromkeys(("last month", "지난달", "지난 달", "저번 달", "저번달"), ("month", -1)),
    **dict.fromkeys(("next month", "다음 달", "다음달"), ("month", 1)),
    **dict.fromkeys(("this year", "올해", "금년"), ("year", 0)),
    **dict.fromkeys(("last year", "작년", "지난해"), ("year", -1)),
    **dict.fromkeys(("year before last", "the year before last", "재작년"), ("year", -2)),
    **dict.fromkeys(("next year", "내년"), ("year", 1)),
}
_KOREAN_UNITS: dict[str, Unit] = {
    "초": "second",
    "분": "minute",
    "시간": "hour",
    "일": "day",
    "주": "week",
    "주일": "week",
    "달": "month",
    "개월": "month",
    "년": "year",
    "해": "year",
}
_COUNTS = {
    **dict.fromkeys(("a", "an", "one", "한", "일", "1"), 1),
    **dict.fromkeys(("two", "두", "이"), 2),
    **dict.fromkeys(("three", "세", "석", "삼"), 3),
    **dict.fromkeys(("four", "네", "넉", "사"), 4),
    **dict.fromkeys(("five", "다섯", "오"), 5),
    **dict.fromkeys(("six", "여섯", "육"), 6),
    **dict.fromkeys(("seven", "일곱", "칠"), 7),
    **dict.fromkeys(("eight", "여덟", "팔"), 8),
    **dict.fromkeys(("nine", "아홉", "구"), 9),
    **dict.fromkeys(("ten", "열", "십"), 10),
}
_DATES = (
    re.compile(r"(\d{4})(?:[-/.](\d{1,2}))?(?:[-/.](\d{1,2}))?"),
    re.compile(r"(\d{4})년(?: ?(\d{1,2})월)?(?: ?(\d{1,2})일)?"),
)
_ENGLISH_AGO = re.compile(r"(\d+|[a-z]+) (second|minute|hour|day|week|month|year)s? ago")
_KOREAN_AGO = re.compile(rf"(\d+|[가-힣]+?) ?({'|'.join(sorted(_KOREAN_UNITS, key=len, reverse=True))}) ?전(?:에)?")


def parse_when(text: str, now: datetime, *, edge: Edge = "start") -> datetime:
    """The instant that `text` names, in UTC. `now` is the present, aware; what names no time zone is in that of `now`.

    With ``edge="end"`` a whole period means its last instant, or now if it is not over yet: the reading of "as of".
    Raises `InvalidTime` for what cannot be read, and for the years before 1000 or after 8999.
    """
    written, words, zone = text.strip(), normalise(text), zone_at(now)
    instant = (
        _iso(written, zone)
        or _date(words, zone)
        or _ago(words, now)
        or _period(words, now, edge)
        or _free(written, now)
    )
    if instant is None:
        raise InvalidTime(
            f"{text[:80]!r} is not a date that can be read: write it as 2025-11-03, 2025-11, 'a year ago' or '1년 전'"
        )
    return check_instant(instant, "the date")


def zone_told(text: str) -> tzinfo | None:
    """The offset that a moment written in ISO 8601 tells itself, such as 2026-11-30T09:00+09:00."""
    try:
        return datetime.fromisoformat(text.strip()).tzinfo
    except ValueError:
        return None


def _iso(text: str, zone: tzinfo) -> datetime | None:
    if re.fullmatch(r"\d{4}", text):  # a year, which fromisoformat refuses, or would read as something else
        return None
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        return None
    return instant if instant.tzinfo else instant.replace(tzinfo=zone)


def _date(words: str, zone: tzinfo) -> datetime | None:
    for pattern in _DATES:
        if match := pattern.fullmatch(words):
            year, month, day = (int(part or 1) for part in match.groups())
            try:
                return day_start(date(year, month, day), zone)
            except (ValueError, OverflowError):
                return None
    return None


def _ago(words: str, now: datetime) -> datetime | None:
    if words in {"now", "지금"}:
        return now
    if match := _ENGLISH_AGO.fullmatch(words):
        unit = cast(Unit, match[2])
    elif match := _KOREAN_AGO.fullmatch(words):
        unit = _KOREAN_UNITS[match[2]]
    else:
        return None
    count = int(match[1]) if match[1].isdigit() else _COUNTS.get(match[1])
    if count is None:
        return None
    # Where clocks change, an hour of the calendar is not always an hour; a day of it is what people mean by one.
    return _shift(now.astimezone(UTC) if unit in _CLOCK_UNITS else now, unit, -count)


def _period(words: str, now: datetime, edge: Edge) -> datetime | None:
    if words not in _PERIODS:
        return None
    unit, offset = _PERIODS[words]
    today = now.date()
    match unit:
        case "week":
            today -= timedelta(days=today.weekday())
        case "month":
            today = today.replace(day=1)
        case "year":
            today = today.replace(month=1, day=1)
    first = _shift(today, unit, offset)
    if edge == "start":
        return day_start(first, zone_at(now))
    last = day_start(_shift(first, unit, 1), zone_at(now)) - timedelta(microseconds=1)
    return min(last, now) if offset == 0 else last


def _free(text: str, now: datetime) -> datetime | None:
    if len(text) > 80 or not text.isprintable() or not re.search(r"[^\W\d_]", text) or re.search(r"ago$|전에?$", text):
        return None  # bare digits it guesses at, and counts that are not understood above it gets wrong
    import dateparser  # slow to import, and most dates are read without it

    settings = {"RELATIVE_BASE": now.replace(tzinfo=None), "PREFER_DAY_OF_MONTH": "first", "PREFER_DATES_FROM": "past"}
    parsed: datetime | None = dateparser.parse(text, languages=["en", "ko"], settings=settings)
    return parsed.replace(tzinfo=now.tzinfo) if parsed and parsed.tzinfo is None else parsed


def _shift(moment: _Moment, unit: Unit, count: int) -> _Moment:
    """`count` units later, by the calendar; a day that the month does not have becomes its last one."""
    try:
        if unit not in {"month", "year"}:
            return moment + timedelta(**{f"{unit}s": count})
        months = moment.year * 12 + moment.month - 1 + count * (12 if unit == "year" else 1)
        year, month = divmod(months, 12)
        day = min(moment.day, calendar.monthrange(year, month + 1)[1])
        return moment.replace(year=year, month=month + 1, day=day)
    except (ValueError, OverflowError):
        raise InvalidTime(f"{abs(count)} {unit}s away is outside the years 1000 to 8999: give a nearer date") from None

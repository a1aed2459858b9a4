"""Times as English words name them: "last year", "March 2024", "the summer of 2020", "3 May", "two weeks ago"."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from perdure.offline.asked_spans import (
    Stretch,
    Tense,
    any_date,
    any_season,
    any_weekday,
    any_weekend,
    decade,
    exactly,
    months,
    stretch,
    weekend,
)
from perdure.offline.dates import Unit, ago, on_date, season
from perdure.offline.english_dates import read_english

_MONTH_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS: Final = tuple(_MONTH_NAMES.split())
_WEEKDAY_NAMES = "mon tue wed thu fri sat sun"
_WEEKDAYS: Final = tuple(_WEEKDAY_NAMES.split())
_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_PARTS: Final = {
    **dict.fromkeys(("early", "beginning", "start"), (1, 4)),
    **dict.fromkeys(("mid", "middle"), (5, 8)),
    **dict.fromkeys(("late", "end"), (9, 12)),
    "first half": (1, 6),
    "second half": (7, 12),
    **{f"q{quarter}": (3 * quarter - 2, 3 * quarter) for quarter in range(1, 5)},
}
_COUNTS: Final = {"eleven": "11", "twelve": "12"}
"""Those that `parse_when` does not know."""

YEAR = r"(?:19|20)\d\d"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SEASON = r"(?:spring|summer|autumn|fall|winter)"
COUNT = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
UNIT = r"(?:minute|hour|day|week|month|year)s?"
_WHICH_YEAR = rf"(?:{YEAR}|last year|this year|next year)"
_DATE = (
    rf"(?:{YEAR}-\d\d(?:-\d\d)?|{MONTH} {_DAY}(?:(?:, ?| ){YEAR})?|(?:the )?{_DAY} (?:of )?{MONTH}(?:(?:, ?| ){YEAR})?)"
    r"(?![\w-])(?!, ?\d)"
)
PLAIN = "|".join(
    (
        r"the day before yesterday|the day after tomorrow",
        r"(?:yesterday|today|tomorrow)(?: (?:morning|afternoon|evening|night))?",
        r"last night|tonight|this (?:morning|afternoon|evening)|the (?:week|month|year) before last",
        rf"(?:last|this|next|this coming) (?:week|weekend|month|year|{_SEASON}|{_WEEKDAY}|{MONTH})",
        rf"this time last year|{COUNT} {UNIT} ago",
    )
)
"""What tells a time without a preposition."""
POINT = "|".join(
    (
        rf"(?:(?:early|mid|late)[- ]|the (?:beginning|start|middle|end|first half|second half) of ){_WHICH_YEAR}",
        PLAIN,
        _DATE,
        rf"(?:{MONTH},?|q[1-4])(?: of)? {_WHICH_YEAR}|(?:the )?{_SEASON}(?: of)? {_WHICH_YEAR}",
        r"the (?:early |mid |late )?(?:19|20)?\d0s",
        rf"(?:the year )?{YEAR}|(?:the |the last )?weekend|(?:the )?{_SEASON}|{MONTH}|{_WEEKDAY}",
    )
)
BARE = rf"(?:the )?(?:year )?(?:{YEAR}|{MONTH}|{_SEASON}|{_WEEKDAY})"
"""Words that may be the beginning of something else: "2024 dollars", "summer camp"."""


def read_point(point: str, now: datetime, tense: Tense) -> Stretch | None:
    """The time that these words name; where they leave the year open, the one that goes with the tense."""
    text = re.sub(r"^(?:the )?(?:year (?=\d))?", "", " ".join(re.split(r", ?| ", point.lower())))
    if text == "this time last year":
        return exactly("1 year ago", now)
    if found := re.fullmatch(rf"({COUNT}) ({UNIT}) ago", text):
        by_calendar = found[2].startswith(("day", "week"))
        return stretch(read_english(text, now)) if by_calendar else ago_exactly(found[1], found[2], now)
    if found := re.fullmatch(r"(week|month|year) before last", text):
        return stretch(ago(now, 2, Unit(found[1])))
    if found := re.fullmatch(r"(?:early |mid |late )?(\d+)s", text):
        return decade(now, int(found[1]))
    if found := re.fullmatch(rf"([a-z ]+?|q\d)(?: of|-| ) ?({_WHICH_YEAR})", text):
        return _in_year(found[1], _year(found[2], now), now)
    if found := re.fullmatch(rf"(?:(last|this|next|this coming) )?(weekend|{_SEASON}|{_WEEKDAY})", text):
        return _near(found[1] or "", found[2], now, tense)
    if found := re.fullmatch(rf"({MONTH})(?: ({_DAY})(?: ({YEAR}))?)?|({_DAY}) (?:of )?({MONTH})(?: ({YEAR}))?", text):
        month, day, year = (found[1], found[2], found[3]) if found[1] else (found[5], found[4], found[6])
        number, of_month = 1 + _MONTHS.index(month[:3]), int(re.sub(r"\D", "", day)) if day else None
        return stretch(on_date(now, int(year), number, of_month)) if year else any_date(now, number, of_month, tense)
    if text == "day after tomorrow":
        return stretch(ago(now, -2, Unit.DAY))
    if found := re.fullmatch(r"(yesterday|today|tomorrow) \w+", text):
        text = found[1]
    return stretch(read_english("the day before yesterday" if text == "day before yesterday" else text, now))


def ago_exactly(count: str, unit: str, now: datetime) -> Stretch | None:
    """So many units back, to the moment."""
    return exactly(f"{_COUNTS.get(count.lower(), count)} {unit} ago", now)


def _in_year(part: str, year: int, now: datetime) -> Stretch | None:
    if part in _PARTS:
        return months(now, year, *_PARTS[part])
    if part in _SEASONS:
        return stretch(season(now, year, _SEASONS[part]))
    return stretch(on_date(now, year, 1 + _MONTHS.index(part[:3])))


def _year(words: str, now: datetime) -> int:
    return {"last year": now.year - 1, "this year": now.year, "next year": now.year + 1}.get(words) or int(words)


def _near(which: str, what: str, now: datetime, tense: Tense) -> Stretch | None:
    if what in _SEASONS:
        return any_season(now, _SEASONS[what], which.split()[0] if which else "", tense)
    if what == "weekend":
        return weekend(now, 1 if which == "last" else -1) if which in {"last", "next"} else any_weekend(now, tense)
    if which:
        return stretch(read_english(f"{which} {what}", now))
    return any_weekday(now, _WEEKDAYS.index(what[:3]), tense)

"""Times in questions, in either language: stretches of time, the parts they play, and the tenses they go with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from typing import NamedTuple

from perdure.asked_time import AskedTime, Span
from perdure.errors import InvalidTime
from perdure.offline.dates import Moment, latest, latest_season, on_date, season, weekday
from perdure.time import check_instant
from perdure.when import parse_when


class Tense(Enum):
    """What the question wants to know, by its main verb."""

    PAST = auto()
    PRESENT = auto()
    PLANNED = auto()
    """What will be: "What do I have tomorrow?"."""
    EITHER = auto()
    """What was planned, in the past or for the future: "What did I promise to do?"."""
    OTHER = auto()
    """Advice and habits: a time in them is not a time to look at."""


_AHEAD = {Tense.PLANNED, Tense.EITHER}
"""Tenses in which a time without a year is the next one."""


class Role(Enum):
    AT = auto()
    BEFORE = auto()
    UNTIL = auto()
    AFTER = auto()
    SINCE = auto()
    AS_OF = auto()


class Stretch(NamedTuple):
    """A period, half-open, in UTC; a moment is a period that ends where it begins."""

    first: datetime
    end: datetime


def stretch(first: Moment | None, last: Moment | None = None) -> Stretch | None:
    """From the beginning of one moment to the end of the other, or of the same."""
    return Stretch(first.start, (last or first).end) if first else None


def exactly(words: str, now: datetime) -> Stretch | None:
    """A count of units back, "3 years ago" or "3년 전": that very moment."""
    try:
        moment = parse_when(words, now)
    except InvalidTime:
        return None
    return Stretch(moment, moment)


def lately(began: Stretch | None, now: datetime) -> Stretch | None:
    """From that moment until now."""
    return Stretch(began.first, now.astimezone(UTC)) if began else None


def decade(now: datetime, year: int) -> Stretch | None:
    """The decade of this first year; one of two digits is of the 20th century from 30 on."""
    year += 0 if year > 99 else 1900 if year >= 30 else 2000
    return stretch(on_date(now, year), on_date(now, year + 9))


def months(now: datetime, year: int, first: int, last: int) -> Stretch | None:
    return stretch(on_date(now, year, first), on_date(now, year, last))


def weekend(now: datetime, weeks_ago: int) -> Stretch | None:
    """Saturday and Sunday of the week that lies so many weeks back."""
    return stretch(weekday(now, 5, weeks_ago), weekday(now, 6, weeks_ago))


def any_weekend(now: datetime, tense: Tense) -> Stretch | None:
    """The weekend that has begun last, or the next one."""
    return weekend(now, 1 if tense is Tense.PAST and now.weekday() < 5 else 0)


def any_weekday(now: datetime, day: int, tense: Tense) -> Stretch | None:
    """The weekday that was last before today, or that comes next."""
    if tense is Tense.PAST:
        return stretch(weekday(now, day, 0 if day < now.weekday() else 1))
    return stretch(weekday(now, day, 0 if day >= now.weekday() else -1)) if tense in _AHEAD else None


def any_date(now: datetime, month: int, day: int | None, tense: Tense) -> Stretch | None:
    """The month, or day of it, that began last, or that comes next."""
    if not 1 <= month <= 12:
        return None
    if tense is Tense.PAST:
        return stretch(latest(now, month, day))
    if tense not in _AHEAD:
        return None
    this_year = on_date(now, now.year, month, day)
    return stretch(this_year if this_year and this_year.end > now else on_date(now, now.year + 1, month, day))


def any_season(now: datetime, first_month: int, which: str, tense: Tense) -> Stretch | None:
    """The season `which` is "last", "next", "this", or "" for the one that goes with the tense."""
    if which == "last":
        return stretch(latest_season(now, first_month))
    near = [found for year in (now.year - 1, now.year, now.year + 1) if (found := season(now, year, first_month))]
    if which == "next":
        return stretch(next((found for found in near if found.start > now), None))
    if tense is Tense.PAST:
        return stretch(next((found for found in reversed(near) if found.start <= now), None))
    return stretch(next((found for found in near if found.end > now), None)) if which or tense in _AHEAD else None


def framed(role: Role, told: Stretch | None, words: str, tense: Tense, now: datetime) -> AskedTime | None:
    """The stretch in its part, or None if a question of this tense cannot be about it.

    Such a time is content: "What colour is the bike I bought last month?" asks about now, "What should I cook
    tomorrow?" about all that is known.
    """
    return _placed(role, told, words, now) if told and _agrees(tense, role, told, now) else None


def between(first: Stretch | None, last: Stretch | None, words: str, tense: Tense, now: datetime) -> AskedTime | None:
    """From the beginning of one to the end of the other; None if that is no period."""
    if not first or not last or first.first >= last.end:
        return None
    return framed(Role.AT, Stretch(first.first, last.end), words, tense, now)


def looking(tense: Tense, role: Role) -> Tense:
    """The tense by which a date without a year is found: since March is since the last one."""
    return Tense.PAST if role is Role.SINCE and tense is Tense.PRESENT else tense


def _agrees(tense: Tense, role: Role, told: Stretch, now: datetime) -> bool:
    if tense is Tense.OTHER:
        return False
    if role in {Role.SINCE, Role.AS_OF} or tense is Tense.EITHER:
        return True
    if tense is Tense.PAST:
        return told.first <= now
    return tense is Tense.PLANNED and role in {Role.AT, Role.AFTER} and told.end > now


def _placed(role: Role, told: Stretch, words: str, now: datetime) -> AskedTime | None:
    """The stretch in its part; None for one outside the years that can be stored.

    Until a year means all of it, before it none of it. As of a date is its first instant, as in `parse_when`;
    as of a period that only words name, such as last year, is its last.
    """
    try:
        first, end = check_instant(told.first, "the time"), check_instant(told.end, "the time")
    except InvalidTime:
        return None
    match role:
        case Role.BEFORE:
            return AskedTime(words, during=Span(None, first))
        case Role.UNTIL:
            return AskedTime(words, during=Span(None, end))
        case Role.AFTER:
            return AskedTime(words, during=Span(end, None))
        case Role.SINCE:
            return AskedTime(words, during=Span(first, None))
        case Role.AS_OF:
            by_date = first == end or any(letter.isdigit() for letter in words)
            return AskedTime(
                words, as_of=first if by_date else min(end - timedelta(microseconds=1), now.astimezone(UTC))
            )
        case Role.AT:
            return AskedTime(words, as_of=first) if first == end else AskedTime(words, during=Span(first, end))

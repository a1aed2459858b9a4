"""Dates in what people say, resolved against the time of the message.

Convention: a date is the first instant of what is named, in the time zone of the message. A year is its 1 January, a month its first day, a
week its Monday, a day its midnight, a season the first day of its first month (March, June, September, December);
"early" a year is 1 January, "mid" 1 July, "late" 1 December. An end is exclusive: "until 2020" ends on 1 January 2020.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from enum import StrEnum

from perdure.time import EARLIEST, LATEST, UNKNOWN_START, day_start, zone_at


class Unit(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"


_MONTHS = {Unit.MONTH: 1, Unit.SEASON: 3, Unit.YEAR: 12}
_DAYS = {Unit.DAY: 1, Unit.WEEK: 7}
_YEAR_PARTS = {"early": 1, "mid": 7, "late": 12}


@dataclass(frozen=True, slots=True)
class Moment:
    """What a date names: its first day, how much time it covers, and where."""

    day: date
    unit: Unit
    zone: tzinfo

    @property
    def start(self) -> datetime:
        """Its first instant, in UTC."""
        return day_start(self.day, self.zone)

    @property
    def end(self) -> datetime:
        """The first instant after it, in UTC."""
        return day_start(shift(self.day, 1, self.unit), self.zone)


@dataclass(frozen=True, slots=True)
class Dates:
    """The dates of a clause by the part they play, and the clause without them."""

    rest: str
    since: Moment | None = None
    until: Moment | None = None
    on: Moment | None = None


@dataclass(frozen=True, slots=True)
class Term:
    valid_from: datetime | None = None
    valid_to: datetime | None = None


def term_of(dates: Dates) -> Term:
    """The term of something that is so. An end that is not after the start is not believed."""
    start = dates.since or dates.on
    end = dates.until.start if dates.until and start and dates.until.start > start.start else None
    return Term(start.start if start else None, end)


def past_term_of(dates: Dates) -> Term | None:
    """The term of something that is over, or None if no date tells when it was.

    A date alone covers its unit ("I lived there in 2019"). A term of which only the end is told began nobody knows
    when.
    """
    if dates.until:
        start = dates.since or dates.on
        begin = start.start if start else UNKNOWN_START
        return Term(begin, dates.until.start) if begin < dates.until.start else None
    if dates.since:
        return Term(dates.since.start)
    return Term(dates.on.start, dates.on.end) if dates.on else None


def shift(day: date, count: int, unit: Unit) -> date:
    """`day` moved by `count` units; it must exist in the month that is reached."""
    if unit in _DAYS:
        return day + timedelta(days=count * _DAYS[unit])
    years, month = divmod(day.month - 1 + count * _MONTHS[unit], 12)
    return day.replace(year=day.year + years, month=month + 1)


def ago(at: datetime, count: int, unit: Unit) -> Moment | None:
    """The day, week, month or year that lies `count` units before the one of `at`; after it if negative."""
    today = at.date()
    first_days = {
        Unit.DAY: today,
        Unit.WEEK: today - timedelta(days=today.weekday()),
        Unit.MONTH: today.replace(day=1),
        Unit.YEAR: today.replace(month=1, day=1),
    }
    try:
        return _checked(Moment(shift(first_days[unit], -count, unit), unit, zone_at(at)))
    except (ValueError, OverflowError):
        return None


def on_date(at: datetime, year: int, month: int | None = None, day: int | None = None) -> Moment | None:
    """The year, month or day of the calendar, where `at` is told; None if it does not exist."""
    unit = Unit.DAY if day else Unit.MONTH if month else Unit.YEAR
    try:
        return _checked(Moment(date(year, month or 1, day or 1), unit, zone_at(at)))
    except (ValueError, OverflowError):
        return None


def latest(at: datetime, month: int, day: int | None = None, *, before: int = 0) -> Moment | None:
    """The month (or day of it) that began last by `at`; with `before=1` the one of a month before the present one."""
    bound = ago(at, before, Unit.MONTH)
    year = at.year if bound and (bound.day.year, bound.day.month) >= (at.year, month) else at.year - 1
    found = on_date(at, year, month, day)
    return found if found is None or found.start <= at else on_date(at, year - 1, month, day)


def season(at: datetime, year: int, first_month: int) -> Moment | None:
    found = on_date(at, year, first_month)
    return replace(found, unit=Unit.SEASON) if found else None


def latest_season(at: datetime, first_month: int) -> Moment | None:
    """The season of this first month that was over last by `at`."""
    for year in (at.year, at.year - 1, at.year - 2):
        found = season(at, year, first_month)
        if found and found.end <= at:
            return found
    return None


def year_part(at: datetime, year: int, part: str) -> Moment | None:
    """`part` is "early", "mid" or "late"."""
    return on_date(at, year, _YEAR_PARTS[part])


def weekday(at: datetime, day: int, weeks_ago: int) -> Moment | None:
    """The weekday (Monday is 0) of the week that lies `weeks_ago` before the one of `at`."""
    week = ago(at, weeks_ago, Unit.WEEK)
    return replace(week, day=week.day + timedelta(days=day), unit=Unit.DAY) if week else None


def _checked(moment: Moment) -> Moment | None:
    return moment if EARLIEST <= moment.start < LATEST else None

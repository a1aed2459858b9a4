"""Dates in what people say, resolved against the time of the message.

Convention: a date is the first instant, in UTC, of what is named. A year is its 1 January, a month its first day, a
week its Monday, a day its midnight, a season the first day of its first month (March, June, September, December);
"early" a year is 1 January, "mid" 1 July, "late" 1 December. An end is exclusive: "until 2020" ends on 1 January 2020.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from perdure.time import EARLIEST, LATEST, UNKNOWN_START


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
    """What a date names: its first instant, and how much time it covers."""

    start: datetime
    unit: Unit

    def neighbour(self, count: int) -> datetime:
        """The start of the unit that lies `count` units later, or earlier if negative."""
        return shift(self.start, count, self.unit)


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
    return Term(dates.on.start, dates.on.neighbour(1)) if dates.on else None


def shift(start: datetime, count: int, unit: Unit) -> datetime:
    """`start` moved by `count` units; the day must exist in the month that is reached."""
    if unit in _DAYS:
        return start + timedelta(days=count * _DAYS[unit])
    years, month = divmod(start.month - 1 + count * _MONTHS[unit], 12)
    return start.replace(year=start.year + years, month=month + 1)


def ago(at: datetime, count: int, unit: Unit) -> Moment | None:
    """The day, week, month or year that lies `count` units before the one of `at`; after it if negative."""
    midnight = at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    starts = {
        Unit.DAY: midnight,
        Unit.WEEK: midnight - timedelta(days=midnight.weekday()),
        Unit.MONTH: midnight.replace(day=1),
        Unit.YEAR: midnight.replace(month=1, day=1),
    }
    try:
        return _checked(Moment(shift(starts[unit], -count, unit), unit))
    except (ValueError, OverflowError):
        return None


def on_date(year: int, month: int | None = None, day: int | None = None) -> Moment | None:
    """The year, month or day of the calendar; None if it does not exist."""
    unit = Unit.DAY if day else Unit.MONTH if month else Unit.YEAR
    try:
        return _checked(Moment(datetime(year, month or 1, day or 1, tzinfo=UTC), unit))
    except ValueError:
        return None


def latest(at: datetime, month: int, day: int | None = None, *, before: int = 0) -> Moment | None:
    """The month (or day of it) that began last by `at`; with `before=1` the one of a month before the present one."""
    bound = ago(at, before, Unit.MONTH)
    year = at.year if bound and (bound.start.year, bound.start.month) >= (at.year, month) else at.year - 1
    found = on_date(year, month, day)
    return found if found is None or found.start <= at else on_date(year - 1, month, day)


def season(year: int, first_month: int) -> Moment | None:
    found = on_date(year, first_month)
    return Moment(found.start, Unit.SEASON) if found else None


def latest_season(at: datetime, first_month: int) -> Moment | None:
    """The season of this first month that was over last by `at`."""
    for year in (at.year, at.year - 1, at.year - 2):
        found = season(year, first_month)
        if found and found.neighbour(1) <= at:
            return found
    return None


def year_part(year: int, part: str) -> Moment | None:
    """`part` is "early", "mid" or "late"."""
    return on_date(year, _YEAR_PARTS[part])


def weekday(at: datetime, day: int, weeks_ago: int) -> Moment | None:
    """The weekday (Monday is 0) of the week that lies `weeks_ago` before the one of `at`."""
    week = ago(at, weeks_ago, Unit.WEEK)
    return Moment(week.start + timedelta(days=day), Unit.DAY) if week else None


def _checked(moment: Moment) -> Moment | None:
    return moment if EARLIEST <= moment.start < LATEST else None

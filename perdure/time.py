"""Instants: aware, UTC, within what PostgreSQL and people can use. The clock is a port, so that tests own it.

Days and months are those of the user's time zone; what is stored is the instant at which they begin.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timezone, tzinfo
from typing import Protocol
from zoneinfo import ZoneInfo

from perdure.errors import InvalidTime

EARLIEST = datetime(1000, 1, 1, tzinfo=UTC)
UNKNOWN_START = EARLIEST
"""Start of a term that began nobody knows when: before anything that is known to have replaced it."""
LATEST = datetime(9000, 1, 1, tzinfo=UTC)


class Clock(Protocol):
    def now(self) -> datetime:
        """The present instant, aware, in UTC."""
        ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


def check_instant(instant: datetime, what: str) -> datetime:
    """Return `instant` in UTC; raise `InvalidTime` for a naive one or one outside the years 1000–8999."""
    if not isinstance(instant, datetime):
        raise InvalidTime(f"{what} is a {type(instant).__name__}: give an aware datetime")
    if instant.utcoffset() is None:
        raise InvalidTime(f"{what} {instant.isoformat()} has no time zone: give an aware datetime, such as one in UTC")
    try:
        instant = instant.astimezone(UTC)
    except OverflowError:
        raise InvalidTime(f"{what} {instant.isoformat()} cannot be expressed in UTC") from None
    if not EARLIEST <= instant < LATEST:
        raise InvalidTime(f"{what} {instant.isoformat()} is outside the years 1000 to 8999")
    return instant


def check_term(valid_from: datetime, valid_to: datetime | None) -> None:
    """Raise `InvalidTime` unless the half-open term [valid_from, valid_to) holds at least one instant."""
    if valid_to is not None and valid_to <= valid_from:
        raise InvalidTime(
            f"a term cannot end at {valid_to.isoformat()}, which is not after its start {valid_from.isoformat()}"
        )


def check_future(expires_at: datetime | None, now: datetime) -> None:
    """Raise `InvalidTime` for an expiry that is not after `now`: what expires at once would never be in an answer."""
    if expires_at is not None and check_instant(expires_at, "expires_at") <= now:
        raise InvalidTime(f"a memory cannot expire at {expires_at.isoformat()}, which is past: give a later moment")


def zone_of(name: str) -> tzinfo:
    """The time zone of an IANA name, or of an offset such as UTC+09:00; raises `InvalidTime` for another name."""
    try:
        if name.startswith(("UTC+", "UTC-")):
            return datetime.fromisoformat(f"2000-01-01T00:00{name.removeprefix('UTC')}").tzinfo or UTC
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise InvalidTime(
            f"{name[:80]!r} is not a time zone: give an IANA name such as Asia/Seoul, or an offset such as UTC+09:00"
        ) from None


def zone_name(instant: datetime) -> str:
    """What `zone_of` makes the zone of this aware instant of: its IANA name, or only its offset where it has none."""
    if isinstance(instant.tzinfo, ZoneInfo) and instant.tzinfo.key:
        return instant.tzinfo.key
    offset = instant.utcoffset()
    return str(timezone(offset)) if offset else "UTC"


def zone_at(instant: datetime) -> tzinfo:
    """The time zone of an aware instant."""
    if instant.tzinfo is None:
        raise InvalidTime(f"{instant.isoformat()} has no time zone: give an aware datetime, such as one in UTC")
    return instant.tzinfo


def day_start(day: date, zone: tzinfo) -> datetime:
    """The first instant of the day in that zone, in UTC: its midnight, or what follows at once where clocks skip that.

    Raises `OverflowError` next to the years 1 and 9999.
    """
    return datetime.combine(day, time.min, zone).astimezone(UTC)

"""Instants: aware, UTC, within what PostgreSQL and people can use. The clock is a port, so that tests own it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol

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

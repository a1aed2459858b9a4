"""A clock that tests own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

START = datetime(2026, 11, 30, 9, tzinfo=UTC)


class SetClock:
    """Shows the same instant until it is moved."""

    def __init__(self, now: datetime = START) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def set(self, now: datetime) -> None:
        self._now = now

    def forward(self, **by: float) -> datetime:
        self._now += timedelta(**by)
        return self._now

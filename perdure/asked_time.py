"""The time that a question asks about: "Where did I live last year?" asks about 2025, not about now."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from perdure.plain import Record

GRACE = timedelta(days=3)
"""What happens in a period is often told some days later."""


@dataclass(frozen=True, slots=True)
class Span(Record):
    """A period: from `since`, before `until`; aware instants in UTC. None is no bound on that side."""

    since: datetime | None
    until: datetime | None


@dataclass(frozen=True, slots=True)
class AskedTime(Record):
    """The time that a question asks about; at most one of ``as_of``, ``during`` and the two events is told."""

    words: str
    """The words of the question that say it: "last year", "작년에"."""
    as_of: datetime | None = None
    """One moment, in UTC."""
    during: Span | None = None
    """A period: what held or happened at some time of it."""
    before_event: str = ""
    """An attribute whose change is the moment before which is meant: `home.city` in "before I moved to Busan".

    Whose value ``words`` name, if they name one, that change is meant; else the last one.
    """
    after_event: str = ""
    """Likewise, of "after I moved"."""
    history: bool = False
    """Past values or the start are asked for: "since when", "언제부터", "where did I use to live"."""

"""What a question asks about besides its words: when, which attributes, whom; and the search that follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from perdure.asked_time import AskedTime, Span
from perdure.facts import Fact
from perdure.plain import Record
from perdure.recall import Hit, Query
from perdure.text import normalise
from perdure.time import UNKNOWN_START

if TYPE_CHECKING:  # which has the time that was asked about
    from perdure.turn import Usage

_INSTANT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Asked:
    time: AskedTime | None = None
    attributes: tuple[str, ...] = ()
    """Canonical names."""
    names: tuple[str, ...] = ()
    """Words and pairs of words, in lower case, that may be somebody's name."""
    anything: bool = False
    """It asks for whatever was said at that time: what did we talk about yesterday?"""
    usage: Usage | None = None
    """Of the model that was asked for the time, if one was."""


@dataclass(frozen=True, slots=True)
class TimeUsed(Record):
    """The time that a question speaks of, by which its memories were looked for: from ``since``, before ``until``."""

    words: str
    since: datetime | None
    until: datetime | None

    @classmethod
    def from_json(cls, time: Mapping[str, Any] | None) -> Self | None:
        """The inverse of `to_json`; of none, none."""
        if time is None:
            return None
        since, until = (time[end] and datetime.fromisoformat(time[end]) for end in ("since", "until"))
        return cls(time["words"], since, until)

    @property
    def span(self) -> Span:
        return Span(self.since, self.until)


class Found(list[Hit]):
    """The hits of a search, best first, and the time that its question speaks of, if it does and none was given.

    ``usage`` is that of the model that was asked for the time, if one was.
    """

    def __init__(
        self, hits: list[Hit] | tuple[Hit, ...], time: TimeUsed | None = None, usage: Usage | None = None
    ) -> None:
        super().__init__(hits)
        self.time = time
        self.usage = usage

    def to_json(self) -> dict[str, Any]:
        return {"time": self.time and self.time.to_json(), "hits": [hit.to_json() for hit in self]}


def narrowed(query: Query, asked: Asked, time: TimeUsed | None) -> Query:
    """The query with what its question asks about."""
    period = time.span if time else query.period
    anything = asked.anything and period is not None
    return replace(query, period=period, anything=anything, asked=asked.attributes, names=asked.names)


def time_used(asked: AskedTime, now: datetime, facts: Sequence[Fact] = ()) -> TimeUsed | None:
    """The period that is asked about; ``facts`` are all intervals of the attribute whose change it names, if it does.

    None where that attribute never changed.
    """
    if asked.as_of:
        return TimeUsed(asked.words, asked.as_of, asked.as_of + _INSTANT)
    if asked.during:
        return TimeUsed(asked.words, asked.during.since, asked.during.until)
    if asked.history:
        return TimeUsed(asked.words, None, now + _INSTANT)
    if (change := _change(asked.words, now, facts)) is None:
        return None
    if asked.before_event:
        return TimeUsed(asked.words, change - _INSTANT, change)
    return TimeUsed(asked.words, change, None)


def _change(words: str, now: datetime, facts: Sequence[Fact]) -> datetime | None:
    """When the attribute took the value that the words name, or else its last one."""
    began = [fact for fact in facts if UNKNOWN_START < fact.valid_from <= now]
    told = normalise(words)
    named = [fact for fact in began if normalise(fact.value) in told]
    return max((fact.valid_from for fact in named or began), default=None)

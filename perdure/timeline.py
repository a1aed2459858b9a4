"""The timeline algebra: a slot's statements in, its intervals out. Pure; no clock, no database.

Of the statements that count, sorted by `valid_from`, each holds until the earlier of its own stated end and the start
of the next statement. After a stated end there is nothing: the value before does not come back. Neighbours of equal
value are one interval. Of statements with an equal start, the later recorded wins.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby, pairwise
from uuid import UUID

from perdure.facts import Action, Statement
from perdure.text import normalise


@dataclass(frozen=True, slots=True)
class Interval:
    """A value during [valid_from, valid_to), and the statements that it follows from, the opening one first."""

    valid_from: datetime
    valid_to: datetime | None
    statements: tuple[Statement, ...]

    @property
    def opening(self) -> Statement:
        return self.statements[0]

    @property
    def key(self) -> str:
        return normalise(self.opening.value)

    def holds_at(self, instant: datetime) -> bool:
        return self.valid_from <= instant and (self.valid_to is None or instant < self.valid_to)


def timeline(statements: Iterable[Statement]) -> tuple[Interval, ...]:
    """The intervals that follow from a slot's statements, in order of time, none overlapping."""
    starts = [_same_start(list(group)) for _, group in groupby(counting(statements), key=lambda s: s.valid_from)]
    intervals: list[Interval] = []
    for group, following in pairwise([*starts, None]):
        if group is None or group[0].action is Action.END:
            continue
        interval = _interval(group, following[0].valid_from if following else None)
        if intervals and intervals[-1].valid_to == interval.valid_from and intervals[-1].key == interval.key:
            previous = intervals.pop()
            interval = replace(
                previous, valid_to=interval.valid_to, statements=previous.statements + interval.statements
            )
        intervals.append(interval)
    return tuple(intervals)


def value_at(statements: Iterable[Statement], instant: datetime) -> Interval | None:
    """The interval that holds at `instant`, or None."""
    return next((interval for interval in timeline(statements) if interval.holds_at(instant)), None)


def as_known_at(statements: Iterable[Statement], known: datetime) -> tuple[Interval, ...]:
    """The timeline as it was believed at `known`: the same function over the statements recorded by then."""
    return timeline(statement for statement in statements if statement.recorded_at <= known)


def recorded_order(statement: Statement) -> tuple[datetime, int]:
    return statement.recorded_at, statement.ordinal


def standing(statements: Iterable[Statement]) -> list[Statement]:
    """The statements that were neither corrected nor retracted, retractions among them, the last recorded first.

    A correction or retraction can itself be retracted. It names only earlier statements, so walking from the last
    recorded one back settles each before those that it strikes.
    """
    struck: set[UUID] = set()
    found: list[Statement] = []
    for statement in sorted(statements, key=recorded_order, reverse=True):
        if statement.id not in struck:
            struck.update(statement.targets)
            found.append(statement)
    return found


def counting(statements: Iterable[Statement]) -> list[Statement]:
    """Of the statements that stand, those that say something of the slot, by start and then by record."""
    told = [statement for statement in standing(statements) if statement.action is not Action.RETRACT]
    return sorted(told, key=lambda s: (s.valid_from, *recorded_order(s)))


def _same_start(group: list[Statement]) -> tuple[Statement, ...]:
    """Of statements with one start, the later recorded wins; those that say the same value corroborate it."""
    winner = group[-1]
    if winner.action is Action.END:
        return (winner,)
    key = normalise(winner.value)
    return (winner, *(s for s in group[:-1] if s.action is not Action.END and normalise(s.value) == key))


def _interval(group: tuple[Statement, ...], following: datetime | None) -> Interval:
    winner = group[0]
    ends = [end for end in (winner.stated_to, following) if end is not None]
    return Interval(winner.valid_from, min(ends, default=None), group)

"""Strategies for histories of one slot, and an oracle that answers for one instant without building a timeline."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import strategies as st

from perdure.attributes import Cardinality
from perdure.facts import CORE_EDITS, Action, Statement, Trust

DAY_ZERO = datetime(2020, 1, 1, tzinfo=UTC)
SLOT = uuid.uuid5(uuid.NAMESPACE_URL, "urn:slot")
FACT_ACTIONS = tuple(action for action in Action if action is not Action.EPISODE and action not in CORE_EDITS)
VALUES = ("부산", "서울", "Incheon")
HORIZON = 20


def day(number: int) -> datetime:
    return DAY_ZERO + timedelta(days=number)


def statement(
    action: Action, value: str, start: int, end: int | None, order: int, targets: tuple[UUID, ...] = ()
) -> Statement:
    return Statement(
        id=uuid.uuid5(SLOT, f"{order}"),
        slot=SLOT,
        agent="",
        action=action,
        subject="user",
        attribute="home.city",
        cardinality=Cardinality.SINGLE,
        value=value,
        content=f"lives in {value}",
        kind="profile",
        importance=5,
        confidence=1.0,
        trust=Trust.USER,
        valid_from=day(start),
        dated=True,
        stated_to=None if end is None else day(end),
        recorded_at=DAY_ZERO + timedelta(days=1000, seconds=order),
        ordinal=0,
        targets=targets,
        thread="",
        message="",
        author="user",
        evidence="",
    )


@st.composite
def assertions(draw: st.DrawFn, *, distinct: bool = False) -> list[Statement]:
    """Assertions, some with a stated end; with `distinct` no two begin at the same time."""
    starts = draw(st.lists(st.integers(0, HORIZON), max_size=7, unique=distinct))
    return [
        statement(Action.ASSERT, draw(st.sampled_from(VALUES)), start, draw(_end(start)), order)
        for order, start in enumerate(starts)
    ]


@st.composite
def histories(draw: st.DrawFn) -> list[Statement]:
    """Assertions, ends, corrections and retractions, those of the latter two striking any statements before them."""
    told: list[Statement] = []
    for order in range(draw(st.integers(0, 9))):
        action = draw(st.sampled_from((Action.ASSERT, Action.ASSERT, Action.END, Action.CORRECT, Action.RETRACT)))
        start = draw(st.integers(0, HORIZON))
        value = "" if action in {Action.END, Action.RETRACT} else draw(st.sampled_from(VALUES))
        end = draw(_end(start)) if value else None
        struck = draw(st.sets(st.sampled_from([s.id for s in told]), max_size=2)) if told else set()
        targets = tuple(sorted(struck)) if action in {Action.CORRECT, Action.RETRACT} else ()
        told.append(statement(action, value, start, end, order, targets))
    return told


def rerecorded(told: Sequence[Statement]) -> list[Statement]:
    """The same statements, recorded in the order in which they stand."""
    return [replace(s, recorded_at=DAY_ZERO + timedelta(days=1000, seconds=n)) for n, s in enumerate(told)]


def oracle(told: Sequence[Statement], instant: datetime) -> str | None:
    """The value at one instant, told in words: of the statements that count and have begun, the last begun decides."""
    begun = [s for s in told if _counts(s, told) and s.action is not Action.RETRACT and s.valid_from <= instant]
    if not begun:
        return None
    decisive = max(begun, key=lambda s: (s.valid_from, s.recorded_at))
    over = decisive.stated_to is not None and decisive.stated_to <= instant
    return None if decisive.action is Action.END or over else decisive.value


def _counts(statement: Statement, told: Sequence[Statement]) -> bool:
    return not any(statement.id in other.targets and _counts(other, told) for other in told)


def _end(start: int) -> st.SearchStrategy[int | None]:
    return st.none() | st.integers(start + 1, HORIZON + 2)

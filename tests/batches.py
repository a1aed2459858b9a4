"""Strategies for whole writes: several operations at once, of several agents, on facts that were stored before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from hypothesis import strategies as st
from pydantic import ValidationError
from statements import FACT_ACTIONS, HORIZON, VALUES, day

from perdure.facts import Action, Fact, Operation

AGENTS = ("", "coach")
ATTRIBUTES = ("home.city", "pet", "")
"""One value at a time, many, and a note."""
SPELLINGS = (*VALUES, "Busan")
"""Of which the first and the last are the same value."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An operation as drawn: ``target`` is a place among the facts of the moment, whose ids are not known before."""

    action: Action
    attribute: str
    value: str
    valid_from: datetime | None
    valid_to: datetime | None
    target: int | None

    def operation(self, facts: Sequence[Fact]) -> Operation | None:
        """None if it would name nothing."""
        target = facts[self.target % len(facts)].id if self.target is not None and facts else None
        try:
            return Operation(
                action=self.action,
                attribute=self.attribute,
                value=self.value if self.attribute else "",
                content="" if self.attribute else self.value,
                valid_from=self.valid_from,
                valid_to=self.valid_to,
                target=target,
            )
        except ValidationError:
            return None


@dataclass(frozen=True, slots=True)
class Batch:
    """What one message asks for. ``at`` is when it was sent: operations without a start begin there."""

    agent: str
    at: datetime
    asked: tuple[Asked, ...]

    def operations(self, facts: Sequence[Fact]) -> list[Operation]:
        return [operation for one in self.asked if (operation := one.operation(facts))]


def _asked() -> st.SearchStrategy[Asked]:
    moments = st.none() | st.integers(0, HORIZON).map(day)
    places = st.none() | st.integers(0, 5)
    return st.builds(
        Asked,
        st.sampled_from(FACT_ACTIONS),
        st.sampled_from(ATTRIBUTES),
        st.sampled_from(SPELLINGS),
        moments,
        moments,
        places,
    ).filter(lambda asked: not (asked.valid_from and asked.valid_to and asked.valid_to <= asked.valid_from))


def batches() -> st.SearchStrategy[list[Batch]]:
    asked = st.lists(_asked(), min_size=1, max_size=4).map(tuple)
    batch = st.builds(Batch, st.sampled_from(AGENTS), st.integers(0, HORIZON).map(day), asked)
    return st.lists(batch, min_size=1, max_size=5)

"""How strong a memory is: what is of use stays, what is not fades. Pure: no clock, no database.

The forgetting curve of Ebbinghaus as MemoryBank uses it (Zhong et al. 2023, arXiv:2305.10250, section 2.3): of a memory
remains ``exp(-t / S)``, where t is the time since it was last recalled, and S, which begins at 1, grows by 1 with every
recall. Here t counts half-lives, which differ by kind, S is weighed by importance (5 of 10 is neutral), and saying a
thing again strengthens it as a recall does:

    strength = 2 ^ -(age / (half-life · (uses + corroboration) · importance / 5))

What is permanent does not fade: its strength is 1 at any age.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

NEUTRAL = 5
"""The importance with which a half-life is what it is."""
IMPORTANT = 9
"""What is as important as this does not fade, of whatever kind it is."""
PERMANENT = frozenset({"profile", "preference", "policy", "goal", "lesson"})
"""Kinds that do not fade: who somebody is, likes and wants, what applies, and what was learned."""
HALF_LIVES = {
    "fact": 365.0,
    "project": 180.0,
    "interest": 180.0,
    "other": 180.0,
    "session": 365.0,
    "decision": 365.0,
    "event": 365.0,
    "task": 180.0,
    "exchange": 90.0,
    "tool_result": 30.0,
}
"""Days in which a memory that nobody uses, told once and neither important nor not, loses half of its strength."""
HALF_LIFE = 180.0
"""The same for any other kind."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What the strength of a memory depends on."""

    kind: str
    importance: int
    """1 to 10."""
    uses: int
    """How many replies were shown it."""
    corroboration: int
    """How often it was said, at least 1."""
    since: datetime
    """When it was last of use, else last told. What is not yet so counts as now."""
    lasting: bool = False
    """Does not fade, whatever its kind: it is of an attribute whose facts are permanent."""

    @property
    def is_permanent(self) -> bool:
        return self.lasting or self.kind in PERMANENT or self.importance >= IMPORTANT


@dataclass(frozen=True, slots=True)
class Weighed:
    """A memory and what its strength follows from. ``slot`` is what fades at once with it; of an episode, itself."""

    source: Literal["fact", "episode"]
    id: UUID
    slot: UUID
    traits: Traits


def strength(traits: Traits, now: datetime) -> float:
    """From 1 (of use just now, or permanent) towards 0.

    It falls with age, and rises with use, corroboration and importance.
    """
    if traits.is_permanent:
        return 1.0
    age = max(0.0, (now - traits.since) / timedelta(days=1))
    return math.exp2(-age / _half_life(traits))


def falls_below(traits: Traits, least: float) -> datetime | None:
    """When the strength will have fallen to `least` (above 0), if nobody uses the memory; None if it never will."""
    if traits.is_permanent:
        return None
    try:
        return traits.since + timedelta(days=-math.log2(least) * _half_life(traits))
    except OverflowError:
        return None


def _half_life(traits: Traits) -> float:
    """In days."""
    stability = max(1, traits.uses + traits.corroboration) * traits.importance / NEUTRAL
    return HALF_LIVES.get(traits.kind, HALF_LIFE) * stability

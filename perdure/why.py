"""Why a memory was found where it was: what each leg of the ranking measured, and what that is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from perdure.plain import Record


@dataclass(frozen=True, slots=True)
class Leg(Record):
    name: str
    """vector, lexical, nearby, asked, named, period, importance, recency, corroboration, outcome or diversity."""
    rank: int | None
    """Place by this leg alone in the whole scope, of the vector and the lexical leg; None where it has none."""
    raw: float
    """As measured, such as the cosine."""
    scaled: float
    """As it is weighed."""
    weight: float
    share: float
    """What it adds to the score: weight × scaled."""


@dataclass(frozen=True, slots=True)
class Why(Record):
    """The score is the sum of the legs' shares. ``threshold`` is the least relevance of the best, ``floor`` that of any."""

    preset: str
    fusion: str
    threshold: float
    floor: float
    legs: tuple[Leg, ...]

    @classmethod
    def from_json(cls, why: Mapping[str, Any]) -> Self:
        return cls(**{**why, "legs": tuple(Leg(**leg) for leg in why["legs"])})

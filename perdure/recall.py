"""What a search of memory asks for and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

from perdure.plain import Record

_MOMENTS = ("valid_from", "valid_to", "recorded_at")


@dataclass(frozen=True, slots=True)
class Query:
    """A search. ``as_of`` asks what was true then (default: now), ``as_known_at`` what was believed then."""

    text: str
    k: int = 10
    as_of: datetime | None = None
    as_known_at: datetime | None = None
    episodes: bool = True
    exclude_thread: str = ""
    """Leave out the exchanges of this thread: the agent has them in its messages."""


@dataclass(frozen=True, slots=True)
class Hit(Record):
    """A memory that was found, with what the ranking saw. Scores are in 0..1, higher is nearer."""

    id: UUID
    source: Literal["fact", "episode"]
    kind: str
    subject: str
    attribute: str
    value: str
    content: str
    valid_from: datetime
    dated: bool
    """Whether the start was told; else it is when the fact was, or `UNKNOWN_START`."""
    valid_to: datetime | None
    recorded_at: datetime
    thread: str
    message: str
    trust: str
    importance: int
    version: int
    score: float
    vector_score: float
    lexical_score: float
    past: bool
    """No longer true now, although it held at the `as_of` that was asked for."""

    @classmethod
    def from_json(cls, hit: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`."""
        moments = {name: hit[name] and datetime.fromisoformat(hit[name]) for name in _MOMENTS}
        return cls(**{**hit, **moments, "id": UUID(hit["id"])})

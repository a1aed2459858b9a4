"""What a search of memory asks for and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from perdure.plain import Record


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

"""What a search of memory asks for and what it gives back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

from perdure.asked_time import Span
from perdure.episodes import EpisodeKind
from perdure.plain import Record
from perdure.presets import Fusion
from perdure.why import Why

_MOMENTS = ("valid_from", "valid_to", "recorded_at")


@dataclass(frozen=True, slots=True)
class Query:
    """A search. ``as_of`` asks what was true then (default: now), ``as_known_at`` what was believed then.

    ``during`` asks for a period instead of a moment: the facts that held at some time of it, and what happened in it.
    """

    text: str
    k: int = 10
    """How many at most; where facts are wanted too, half of them may be episodes."""
    preset: str = "balanced"
    """How to rank: a name of `perdure.presets`."""
    fusion: Fusion | None = None
    """How cosine and words become one, if another way than the preset's."""
    as_of: datetime | None = None
    during: Span | None = None
    as_known_at: datetime | None = None
    facts: bool = True
    episodes: bool = True
    kinds: tuple[EpisodeKind, ...] = ()
    """Only these kinds of episodes; empty for those that the preset ranks."""
    attributes: tuple[str, ...] = ()
    """Only facts of these attributes."""
    thread: str = ""
    """Only the episodes of this thread."""
    exclude_thread: str = ""
    """Leave out the exchanges of this thread: the agent has them in its messages."""
    threshold: float | None = None
    """Least relevance (0..1) of the most relevant, without which nothing is found; None for the preset's. With 0, all that
    there is is found."""
    weak: bool = False
    """Give also what is not relevant enough, marked as such: what a statement touches need not be what it is about."""
    tokens: int | None = None
    """Stop when the contents come to about so many tokens."""
    explain: bool = False
    """Tell how each hit was ranked."""
    period: Span | None = None
    """The time that the question speaks of: facts that held in it, and what was said in it ranks higher."""
    anything: bool = False
    """Nothing but that period is asked about: whatever was said in it answers."""
    asked: tuple[str, ...] = ()
    """The attributes that the question is about."""
    names: tuple[str, ...] = ()
    """Words of the question, in lower case, by which it may name someone."""


@dataclass(frozen=True, slots=True)
class Hit(Record):
    """A memory that was found, with what the ranking saw."""

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
    corroboration: int
    version: int
    score: float
    """What it is ranked by: higher is better. It compares the hits of one search."""
    relevance: float
    """How much it is about the question, whatever else is stored: what a threshold is compared with."""
    vector_score: float
    """Cosine of the vectors, not below 0."""
    lexical_score: float
    """Share of the question's terms that it has, the rarer ones counting more."""
    past: bool
    """No longer true now, although it held at the time that was asked for."""
    weak: bool = False
    """Not relevant enough to be told: it is here because that was asked for."""
    why: Why | None = None
    """How it was ranked, where that was asked."""

    @classmethod
    def from_json(cls, hit: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`."""
        moments = {name: hit[name] and datetime.fromisoformat(hit[name]) for name in _MOMENTS}
        return cls(**{**hit, **moments, "id": UUID(hit["id"]), "why": hit["why"] and Why.from_json(hit["why"])})


def relevant(hits: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of the hits of a state that a reply may draw on; before version 3 of the state, all."""
    return [hit for hit in hits if not hit.get("weak")]

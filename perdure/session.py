"""A conversation that has ended: which exchanges it was, and what is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from perdure.episodes import Episode
from perdure.turn import Language, Usage

MOST_EXCHANGES = 100
"""A conversation that goes on for longer becomes several sessions: no model reads it at once."""


@dataclass(frozen=True, slots=True)
class Said:
    """An exchange that may be told."""

    at: datetime
    user: str
    assistant: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a session is made from. ``exchanges`` counts also those that may not be told, for they are not extracted yet."""

    said: tuple[Said, ...]
    facts: tuple[str, ...]
    """Sentences of the facts that came from it."""
    exchanges: int
    language: Language


@dataclass(frozen=True, slots=True)
class SessionText:
    summary: str
    outcome: str
    tells: bool = True
    """Whether it tells anything: questions alone are no memory of what they ask about."""
    by: str = "rules"
    """The chat model that worded it."""
    usage: tuple[Usage, ...] = ()


def conversations(exchanges: Sequence[Episode], idle: timedelta) -> Iterator[list[Episode]]:
    """The exchanges of a thread, in order of time, parted where nobody spoke for longer than `idle`."""
    together: list[Episode] = []
    for exchange in exchanges:
        silent = together and exchange.occurred_at - together[-1].occurred_at > idle
        if silent or len(together) == MOST_EXCHANGES:
            yield together
            together = []
        together.append(exchange)
    if together:
        yield together

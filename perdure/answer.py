"""What a turn gives back, and what is told of a thread."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langgraph.types import StateSnapshot

from perdure.graph.messages import reply_text
from perdure.plain import Record

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer(Record):
    """The outcome of a turn. ``text`` is the reply; with ``interrupts`` the turn waits for a person's decisions."""

    text: str
    recalled: list[Json]
    """`Hit.to_json` of each memory that the reply could draw on."""
    written: list[Json]
    """`Receipt.to_json` of each operation."""
    usage: list[Json]
    """`Usage.to_json` of each model call."""
    interrupts: list[Json]
    """What a person is asked, in the human-in-the-loop format (see `perdure.review`)."""


@dataclass(frozen=True, slots=True)
class ThreadSummary(Record):
    thread: str
    checkpoints: int
    updated_at: datetime
    next: tuple[str, ...]
    """Nodes that have not run yet: a turn was cut short, or waits for a person."""
    interrupted: bool


def answer_of(state: StateSnapshot) -> Answer:
    values = state.values
    return Answer(
        text=reply_text(values.get("messages", [])),
        recalled=values.get("recalled", {}).get("hits", []),
        written=values.get("written", []),
        usage=values.get("usage", []),
        interrupts=[interrupt.value for interrupt in state.interrupts],
    )

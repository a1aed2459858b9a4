"""What a turn gives back, and what is told of a thread."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langgraph.types import StateSnapshot

from perdure.graph.messages import reply_text
from perdure.plain import Record
from perdure.recall import relevant

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer(Record):
    """The outcome of a turn. ``text`` is the reply; with ``interrupts`` the turn waits for a person's decisions."""

    text: str
    recalled: list[Json]
    """`Hit.to_json` of each memory that the reply could draw on."""
    time: Json | None
    """`TimeUsed.to_json`: the time that the message asks about, by which they were looked for; None if it names none."""
    written: list[Json]
    """`Receipt.to_json` of each operation."""
    gate: Json
    """`GateDecision.to_json`: whether there could be anything to remember, and why; empty where the turn is not so far."""
    decisions: list[Json]
    """`SaveDecision.to_json` of everything that was considered, kept or not, and why."""
    unextracted: str
    """Why the turn is left for `Memory.backfill` to extract; empty if it is not."""
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
    candidates = values.get("candidates", {})
    # A run that is to write nothing keeps no exchange either that could be extracted later.
    is_kept = values.get("turn", {}).get("run_policy") != "drop"
    return Answer(
        text=reply_text(values.get("messages", [])),
        recalled=relevant(values.get("recalled", {}).get("hits", [])),
        time=values.get("recalled", {}).get("time"),
        written=values.get("written", []),
        gate=candidates.get("gate", {}),
        decisions=candidates.get("decisions", []),
        unextracted="" if candidates.get("complete", True) or not is_kept else candidates["why"],
        usage=values.get("usage", []),
        interrupts=[interrupt.value for interrupt in state.interrupts],
    )

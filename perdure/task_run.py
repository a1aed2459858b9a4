"""A task while it is done: what it cost so far, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from perdure.answer import Answer
from perdure.episodes import Episode
from perdure.turn import Usage


@dataclass(slots=True)
class TaskRun:
    """What is kept of the task when it is done; whoever does it sets what is known by then."""

    task: str
    approach: str
    outcome: str = "done"
    quality: float | None = None
    """0..1; None where nobody can say."""
    notes: str = ""
    tokens: int = 0
    """Of all model calls, read and written."""
    episode: Episode | None = None
    """What was kept, once the task is done."""

    def spent(self, usage: Usage | Answer | Mapping[str, Any] | None) -> None:
        """Count the tokens of a model call, of all calls of a turn, or of LangChain's `usage_metadata`."""
        match usage:
            case Answer():
                self.tokens += sum(map(_tokens, usage.usage))
            case Usage():
                self.tokens += _tokens(usage.to_json())
            case Mapping():
                self.tokens += _tokens(usage)


def _tokens(usage: Mapping[str, Any]) -> int:
    return int(usage.get("input_tokens") or 0) + int(usage.get("output_tokens") or 0)

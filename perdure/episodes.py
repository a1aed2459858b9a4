"""What happened, kept to learn from or to audit. An outcome that proves wrong is invalidated, not edited."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from perdure.facts import PERDURE_NAMESPACE
from perdure.plain import Record
from perdure.scope import Scope

EpisodeKind = Literal["exchange", "session", "task", "decision", "tool_result", "event", "lesson"]


@dataclass(frozen=True, slots=True)
class NewEpisode:
    """An episode to append. ``id`` makes a retry harmless: the same id is stored once."""

    id: UUID
    kind: EpisodeKind
    content: str
    occurred_at: datetime
    thread: str = ""
    message: str = ""
    speaker: str = ""
    """Who says it, where a conversation is between people: whom a question may name."""
    details: dict[str, Any] = field(default_factory=dict)
    """Plain JSON: for a task its approach, outcome, duration_ms, token_cost, quality, notes, error."""
    extracted: bool = True
    """False while its facts still have to be extracted (the model failed or was away)."""


@dataclass(frozen=True, slots=True)
class Episode(Record):
    id: UUID
    agent: str
    kind: EpisodeKind
    content: str
    occurred_at: datetime
    thread: str
    message: str
    details: dict[str, Any]
    extracted: bool
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    invalidated_because: str


def episode_id(scope: Scope, kind: EpisodeKind, key: str) -> UUID:
    """The id of what `key` names: the same whoever makes it, and however often."""
    parts = (scope.tenant, scope.user, scope.agent, kind, key)
    return uuid.uuid5(PERDURE_NAMESPACE, json.dumps(parts, ensure_ascii=False))

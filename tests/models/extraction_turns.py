"""A turn, what is known, and what a model makes of it, for the tests of extraction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from perdure.language import detect_language
from perdure.models.grounding import Grounded, ground
from perdure.models.memories import Memories
from perdure.prompts.extract import ExtractedOperation
from perdure.turn import Known, Turn

AT = datetime(2026, 11, 30, 9, tzinfo=UTC)
"""A Monday."""
SEOUL = ZoneInfo("Asia/Seoul")


def turn(text: str, *, assistant: str = "I see.", tools: tuple[str, ...] = (), at: datetime = AT) -> Turn:
    return Turn("m1", text, assistant, at, detect_language(text), tools)


def memory(number: int, attribute: str, value: str, content: str = "", **more: Any) -> Mapping[str, Any]:
    """A recalled memory, as `Hit.to_json` gives it; its id follows from its number."""
    hit = {
        "id": str(UUID(int=number)),
        "source": "fact",
        "kind": "profile",
        "subject": "user",
        "attribute": attribute,
        "value": value,
        "content": content or f"The user: {value}.",
        "importance": 5,
        "valid_from": "2024-01-01T00:00:00+00:00",
        "valid_to": None,
        "recorded_at": "2026-01-01T00:00:00+00:00",
        "thread": "t0",
        "message": f"m0-{number}",
        "past": False,
    }
    return {**hit, **more}


def operation(evidence: str, **changes: Any) -> dict[str, Any]:
    """One operation as a model writes it, with nothing that it need not write."""
    return {"action": "assert", "evidence": {"source": "user", "quote": evidence}, **changes}


def answer(*operations: Mapping[str, Any]) -> str:
    return json.dumps({"operations": operations}, ensure_ascii=False)


def grounded(said: Turn, *operations: Mapping[str, Any], recalled: Sequence[Mapping[str, Any]] = ()) -> Grounded:
    """What is left of the operations; the recalled facts are f1, f2, … in order."""
    extracted = [ExtractedOperation.model_validate(one) for one in operations]
    return ground(extracted, said, Known(recalled), Memories(recalled))

"""What the prompt for an ended conversation (`en/session.md`, `ko/session.md`) must be answered with."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class SessionAnswer(BaseModel):
    """What a conversation was about, and what came of it."""

    summary: str = Field(description="What was talked about, in a few sentences.")
    outcome: str = Field(description="What came of it, in one sentence.")


def session_schema() -> dict[str, Any]:
    """JSON schema of the answer; every field is required."""
    return SessionAnswer.model_json_schema()

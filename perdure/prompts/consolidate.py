"""What the consolidation prompt (`en/consolidate.md`, `ko/consolidate.md`) must be answered with."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class Consolidated(BaseModel):
    """Whether the sentences say the same, and one sentence that says it."""

    same: bool = Field(description="Whether all sentences say the same about the same person or thing.")
    sentence: str = Field(description="The one sentence; empty if they do not.")


def consolidation_schema() -> dict[str, Any]:
    """JSON schema of the answer as strict servers want it: every property is required."""
    return Consolidated.model_json_schema(mode="serialization")

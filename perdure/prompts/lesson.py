"""What the prompt for tasks that are alike (`en/lesson.md`, `ko/lesson.md`) must be answered with."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


class LessonAnswer(BaseModel):
    """What the tasks teach about tasks like them."""

    works: str = Field(description="What to do, for it went well; empty if nothing did.")
    fails: str = Field(description="What not to do, for it went badly; empty if nothing did.")


def lesson_schema() -> dict[str, Any]:
    """JSON schema of the answer; every field is required."""
    return LessonAnswer.model_json_schema()

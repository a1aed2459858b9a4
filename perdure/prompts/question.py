"""What the prompt for the time in a question (`en/question.md`, `ko/question.md`) must be answered with."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class QuestionTime(BaseModel):
    """The time that the question asks about; all null if it asks about none, or about one that cannot be known."""

    # A strict server wants every field to be required; another may leave out those that have a default.
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    words: str | None = Field(default=None, description="The words that tell the time, copied exactly.")
    since: str | None = Field(default=None, description="YYYY-MM-DD, its first day.")
    until: str | None = Field(default=None, description="YYYY-MM-DD, its last day.")
    as_of: str | None = Field(default=None, description="YYYY-MM-DD, if one moment is meant.")
    history: bool | None = Field(default=None, description="Whether past values or the start are asked for.")


def question_schema() -> dict[str, Any]:
    """JSON schema of the answer as strict servers want it: every property required, none with a default."""
    schema = QuestionTime.model_json_schema(mode="serialization")
    for described in schema["properties"].values():
        described.pop("default", None)
    return schema

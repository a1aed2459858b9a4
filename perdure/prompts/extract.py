"""What the extraction prompt (`en/extract.md`, `ko/extract.md`) must be answered with."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from perdure.facts import USER, Kind

MOST_OPERATIONS = 50
"""More operations than one message can hold are a model gone astray."""


class ExtractedOperation(BaseModel):
    """One change to the memory that the user's message asks for.

    Bounds are not part of the schema: strict servers reject some of them, and a value outside is clamped.
    """

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    action: Literal["assert", "confirm", "correct", "end", "retract"]
    target: str = Field(default="", description="Short id of the memory that is meant, such as f1; else empty.")
    subject: str = Field(default=USER, description="'user', or the name of the other person it is about.")
    attribute: str = Field(default="", description="Name from the list of attributes; empty for a note.")
    value: str = Field(default="", description="The value alone, in the user's words.")
    content: str = Field(default="", description="One self-contained sentence, in the user's language.")
    kind: Kind = "fact"
    importance: int = Field(default=5, description="1 (trivial) to 10 (vital).")
    confidence: float = Field(default=1.0, description="0 to 1.")
    valid_from: str = Field(default="", description="YYYY-MM-DD since when it holds, if said; else empty.")
    valid_to: str = Field(default="", description="YYYY-MM-DD until when it holds, if said; else empty.")
    evidence: str = Field(description="The words of the user's message that say it, copied exactly.")


class ExtractReply(BaseModel):
    """The changes to the memory that the user's message asks for; none if there are none."""

    operations: list[ExtractedOperation]


def extract_schema() -> dict[str, Any]:
    """JSON schema of the reply as strict servers want it: every property required, none with a default."""
    schema = ExtractReply.model_json_schema(mode="serialization")
    for definition in schema["$defs"].values():
        for described in definition["properties"].values():
            described.pop("default", None)
    return schema

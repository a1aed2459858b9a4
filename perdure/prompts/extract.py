"""What the extraction prompt (`en/extract.md`, `ko/extract.md`) must be answered with, and what may be wrong with it."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from perdure.facts import USER, Kind
from perdure.sensitivity import Sensitivity
from perdure.turn import Language

MOST_OPERATIONS = 50
"""More operations than one message can hold are a model gone astray."""


class _Asked(BaseModel):
    # A strict server wants every field to be required; another may leave out those that have a default.
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    @model_validator(mode="before")
    @classmethod
    def _given(cls, fields: Any) -> Any:
        """A null, as models without a strict schema like to give it, is a field left out."""
        return (
            {name: value for name, value in fields.items() if value is not None} if isinstance(fields, dict) else fields
        )


class ExtractedEvidence(_Asked):
    """The words on which an operation rests."""

    source: Literal["user", "tool"] = Field(default="user", description="Whose words they are.")
    quote: str = Field(description="The words that say it, copied exactly.")


class ExtractedOperation(_Asked):
    """One change to the memory that the turn asks for, or something that it says and that is not worth keeping."""

    # Bounds are not part of the schema: strict servers reject some of them, and a value outside is clamped.
    action: Literal["assert", "confirm", "correct", "end", "retract", "episode"]
    target: str = Field(default="", description="Short id of the memory that is meant, such as f1; else empty.")
    subject: str = Field(default=USER, description="'user', or the name of the other person it is about.")
    attribute: str = Field(default="", description="Name from the list of attributes; empty for a note.")
    cardinality: Literal["one", "many"] = Field(default="one", description="Values at a time, of a new attribute.")
    value: str = Field(default="", description="The value alone, in the user's words.")
    content: str = Field(default="", description="One self-contained sentence, in the user's language.")
    kind: Kind = "fact"
    importance: int = Field(default=5, description="1 (trivial) to 10 (vital).")
    confidence: float = Field(default=1.0, description="0 to 1.")
    valid_from: str = Field(default="", description="YYYY-MM-DD since when it holds, if said; else empty.")
    valid_to: str = Field(default="", description="YYYY-MM-DD until when it holds, if said; else empty.")
    sensitivity: list[str] = Field(
        default_factory=list,
        description="What is delicate about it, if anything.",
        json_schema_extra={"items": {"type": "string", "enum": [label.value for label in Sensitivity]}},
    )
    evidence: ExtractedEvidence
    should_save: bool = Field(default=True, description="Whether it is worth keeping.")
    reason: str = Field(default="", description="Why, in a few words.")

    @field_validator("evidence", mode="before")
    @classmethod
    def _quoted(cls, given: Any) -> Any:
        """A quote alone, as models without a strict schema like to give it, is the user's."""
        return {"quote": given} if isinstance(given, str) else given


class ExtractReply(_Asked):
    """The changes to the memory that the turn asks for; none if there are none."""

    operations: list[ExtractedOperation]


class Unreadable(StrEnum):
    """What is wrong with an answer. A model is told so once, and asked again."""

    NO_JSON = "no JSON"
    CUT_OFF = "cut off"
    WRONG_FIELDS = "other fields than asked for"
    TOO_MANY = "too many operations"

    def in_words(self, language: Language) -> str:
        return _IN_WORDS[self][language]


_IN_WORDS: dict[Unreadable, dict[Language, str]] = {
    Unreadable.NO_JSON: {
        "en": "it holds no complete JSON object with `operations`",
        "ko": "`operations`가 있는 완전한 JSON 객체가 없습니다",
    },
    Unreadable.CUT_OFF: {"en": "it was cut off before its end", "ko": "끝나기 전에 잘렸습니다"},
    Unreadable.WRONG_FIELDS: {
        "en": "a field is missing, or is not of the type asked for",
        "ko": "빠진 필드가 있거나 요청한 타입이 아닌 필드가 있습니다",
    },
    Unreadable.TOO_MANY: {"en": "it holds too many operations", "ko": "연산이 너무 많습니다"},
}


def extract_schema() -> dict[str, Any]:
    """JSON schema of the reply as strict servers want it: every property required, none with a default."""
    schema = ExtractReply.model_json_schema(mode="serialization")
    for definition in schema["$defs"].values():
        for described in definition["properties"].values():
            described.pop("default", None)
    return schema

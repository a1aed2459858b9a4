"""One turn of a conversation as the models see it, and what they make of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from langchain_core.messages import AIMessage, AnyMessage

from perdure.facts import Operation
from perdure.plain import Record
from perdure.recall import Hit

Language = Literal["en", "ko"]
Purpose = Literal["reply", "extract", "summarise", "embed"]


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user said and what was answered. ``at`` is when the user said it."""

    message: str
    """Id of the user's message."""
    user_text: str
    assistant_text: str
    at: datetime
    language: Language


@dataclass(frozen=True, slots=True)
class Usage(Record):
    """Tokens of the model calls of one purpose, as the server counted them."""

    purpose: Purpose
    model: str
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ReplyRequest:
    """All that a reply may draw on. ``system`` frames the hits and the summary as data."""

    system: str
    messages: tuple[AnyMessage, ...]
    question: str
    hits: tuple[Hit, ...]
    language: Language
    at: datetime
    model: str = ""
    """Name of the chat model; empty for the one that the settings name."""


@dataclass(frozen=True, slots=True)
class Reply:
    message: AIMessage
    usage: Usage | None


@dataclass(frozen=True, slots=True)
class Extraction:
    """The operations that a turn asks for. ``complete`` is False when the model failed: the turn is tried later."""

    operations: tuple[Operation, ...]
    why: str
    complete: bool = True
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    text: str
    usage: Usage | None

"""One turn of a conversation as the models see it, and what they make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from langchain_core.messages import AnyMessage

from perdure.asked import TimeUsed
from perdure.attributes import BUILT_IN, Cardinality, Vocabulary
from perdure.facts import Operation
from perdure.plain import Record
from perdure.recall import Hit

Language = Literal["en", "ko"]
QUOTING_MODEL = "perdure-offline"
"""Name of the model of replies that only quote what is remembered."""
Purpose = Literal["reply", "extract", "summarise", "question", "embed"]


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user said and what was answered. ``at`` is when the user said it, in the user's time zone."""

    message: str
    """Id of the user's message."""
    user_text: str
    assistant_text: str
    at: datetime
    language: Language
    tool_texts: tuple[str, ...] = ()
    """What tools gave back before the answer: data, which may be remembered only if a person agrees."""
    only_asked: bool = False
    """Nothing was told: the user only asked, and the reply only quotes what is remembered elsewhere."""


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
    time: TimeUsed | None = None
    """The time that the question speaks of, if it does: the hits are those that held then."""
    model: str = ""
    """Name of the chat model; empty for the one that the settings name."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer, after the calls of tools that led to it and what those gave back."""

    messages: tuple[AnyMessage, ...]
    usage: tuple[Usage, ...] = ()
    """One per model call."""

    @property
    def message(self) -> AnyMessage:
        return self.messages[-1]


@dataclass(frozen=True, slots=True)
class GateDecision(Record):
    """Whether a turn can hold anything to remember, so that a model is asked, and why or why not."""

    remember: bool
    why: str


DECISION_SHOWN = 300
"""Characters of the words and of the reason that a decision record keeps."""


@dataclass(frozen=True, slots=True)
class SaveDecision(Record):
    """Whether one thing that was said is worth keeping, and why or why not."""

    what: str
    """The words in question, as the user said them."""
    should_save: bool
    reason: str


@dataclass(frozen=True, slots=True)
class AttributeUse(Record):
    """An attribute that the user has live facts of. Whoever extracts reuses the name before making a new one."""

    name: str
    cardinality: Cardinality
    facts: int


@dataclass(frozen=True, slots=True)
class Known:
    """What is known already when a turn is extracted. ``recalled`` are hits as JSON (`Hit.to_json`)."""

    recalled: Sequence[Mapping[str, Any]] = ()
    attributes: Sequence[AttributeUse] = ()
    vocabulary: Vocabulary = BUILT_IN


@dataclass(frozen=True, slots=True)
class Extraction:
    """The operations that a turn asks for. ``complete`` is False when the model failed: the turn is tried later."""

    operations: tuple[Operation, ...]
    why: str
    gate: GateDecision
    decisions: tuple[SaveDecision, ...] = ()
    """One for everything that was considered, kept or not."""
    complete: bool = True
    usage: tuple[Usage, ...] = ()
    """One per model call: a second one repairs an answer that could not be read."""


@dataclass(frozen=True, slots=True)
class Summary:
    text: str
    usage: Usage | None

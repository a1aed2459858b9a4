"""What is said and what follows from it: operations asked for, statements kept, facts read, receipts given."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, Self
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from perdure.attributes import BUILT_IN, Cardinality
from perdure.plain import Record
from perdure.scope import Scope
from perdure.sensitivity import Sensitivity
from perdure.text import normalise

Kind = Literal["profile", "preference", "goal", "interest", "project", "fact", "policy", "other"]

USER = "user"
"""The subject of facts about the person whose memory this is."""
_NOT_CONTENT = {"confidence", "importance", "expected_version", "sensitivity", "approved_by", "apart", "expires_at"}
"""Fields in which the same operation may differ from one try to the next."""
PERDURE_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:perdure")


class Action(StrEnum):
    """What a statement does to its slot's timeline."""

    ASSERT = "assert"
    """It holds from then; what held is closed."""
    CONFIRM = "confirm"
    """The value that holds, said again."""
    CORRECT = "correct"
    """The old was never true; this was."""
    END = "end"
    """It stopped; nothing replaces it."""
    RETRACT = "retract"
    """It was never true; nothing replaces it."""
    EPISODE = "episode"
    """It happened then: kept as an episode of kind `event`, not as a fact. No statement has this action."""
    CORE_APPEND = "core_append"
    """Text is added to a block of core memory. No statement has this action, nor the next."""
    CORE_REPLACE = "core_replace"
    """Text of a block of core memory gives way to other text."""


CORE_EDITS = frozenset({Action.CORE_APPEND, Action.CORE_REPLACE})
"""Their ``attribute`` is the label of a block, ``content`` the new text, and ``value`` the text that it replaces."""


class Trust(StrEnum):
    """Who is the source of a statement."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    DOCUMENT = "document"


class Operation(BaseModel):
    """One change that somebody asks for. The store turns it into statements, or says why not.

    ``valid_from`` of None means: since the message in which it was said. For `correct` it means: as the old one.
    ``target`` is the id of the fact that is corrected, ended, retracted or superseded. A note supersedes nothing else;
    an assertion supersedes what held anyway, but with a target it is known that the target held before. Where the
    target is no longer believed, an assertion is written all the same, and anything else is dropped.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    action: Action = Action.ASSERT
    attribute: str = ""
    value: str = ""
    content: str = ""
    subject: str = USER
    cardinality: Cardinality | None = None
    kind: Kind = "fact"
    importance: int = Field(default=5, ge=1, le=10)
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)
    trust: Trust = Trust.USER
    valid_from: AwareDatetime | None = None
    valid_to: AwareDatetime | None = None
    target: UUID | None = None
    expected_version: int | None = None
    evidence: str = ""
    sensitivity: frozenset[Sensitivity] = frozenset()
    """What the extractor says is delicate about it; the policy adds what it sees itself."""
    approved_by: str = ""
    """The person who approved it; set by the review, never by a model."""
    expires_at: AwareDatetime | None = None
    """From then on it is in no answer; None: it stays."""
    apart: bool = False
    """Not another saying of a stored fact, however alike they look: somebody has said so."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.action in {Action.END, Action.RETRACT}:
            if not (self.target or self.attribute):
                raise ValueError(f"{self.action} names neither a fact nor an attribute: give one")
        elif self.action is Action.EPISODE:
            if not self.content.strip():
                raise ValueError("an episode says nothing: give content")
        elif self.action in CORE_EDITS:
            told = self.content if self.action is Action.CORE_APPEND else self.value
            if not (self.attribute.strip() and told.strip()):
                raise ValueError(
                    f"{self.action} says nothing: name a block, and give its new text, or the text to replace"
                )
        elif not (self.content.strip() or (self.attribute.strip() and self.value.strip())):
            raise ValueError(f"{self.action} says nothing: give content, or an attribute and a value")
        return self


@dataclass(frozen=True, slots=True)
class Source:
    """Where operations come from. ``at`` is the time of the message, against which they are dated."""

    at: datetime
    thread: str = ""
    message: str = field(default_factory=lambda: uuid.uuid4().hex)
    author: str = USER
    """Who says or approved it: `user`, `agent`, or the name of a person."""


@dataclass(frozen=True, slots=True)
class Statement(Record):
    """An immutable record of what was said about a slot. Only erasure deletes it."""

    id: UUID
    slot: UUID
    agent: str
    action: Action
    subject: str
    attribute: str
    cardinality: Cardinality
    value: str
    content: str
    kind: Kind
    importance: int
    confidence: float
    trust: Trust
    valid_from: datetime
    dated: bool
    """Whether the start was told; else it is only when the statement was made."""
    stated_to: datetime | None
    recorded_at: datetime
    ordinal: int
    """Place among the statements of one write, which share `recorded_at`."""
    targets: tuple[UUID, ...]
    """Statements that no longer count because of this one."""
    thread: str
    message: str
    author: str
    evidence: str
    said: str = ""
    """The value in the speaker's words, where it was taken for another spelling of `value`."""
    expires_at: datetime | None = None
    """From then on it is in no answer; None: it stays."""


@dataclass(frozen=True, slots=True)
class Fact(Record):
    """A value and its term: what follows from the statements of a slot, as believed since ``recorded_at``."""

    id: UUID
    slot: UUID
    agent: str
    subject: str
    attribute: str
    cardinality: Cardinality
    value: str
    content: str
    kind: Kind
    importance: int
    confidence: float
    trust: Trust
    valid_from: datetime
    dated: bool
    """Whether the start was told; else it is when the fact was, or `UNKNOWN_START`."""
    valid_to: datetime | None
    recorded_at: datetime
    corroboration: int
    version: int
    thread: str
    message: str
    expires_at: datetime | None = None
    """From then on it is in no answer, not even as of an earlier moment; None: it stays."""

    def holds_at(self, instant: datetime) -> bool:
        return self.valid_from <= instant and (self.valid_to is None or instant < self.valid_to)


@dataclass(frozen=True, slots=True)
class Receipt(Record):
    """What became of one operation. ``before`` held at its start until now; ``after`` holds there now.

    ``statement`` is the id of what was recorded: a statement, for an episode the episode, for an edit of core memory the
    edit.
    """

    action: Action
    outcome: Literal["applied", "unchanged", "dropped"]
    why: str
    statement: UUID | None = None
    before: Fact | None = None
    after: Fact | None = None
    attribute: str = ""
    """What an operation of a turn was about, also where it was dropped; empty for a note."""
    text: str = ""
    """What an edit of core memory put into the block; empty where it only took something out."""


def content_of(operation: Operation) -> str:
    """The sentence that is stored and embedded: as given, else made of attribute and value; empty for an end."""
    if operation.action in {Action.END, Action.RETRACT}:
        return ""
    if operation.content:
        return operation.content.strip()
    label = known.label("en") if (known := BUILT_IN.find(operation.attribute)) else operation.attribute
    return f"{label}: {operation.value}".strip()


def slot_of(scope: Scope, subject: str, attribute: str, cardinality: Cardinality, value: str) -> UUID:
    """The slot's id. A slot of a many-valued attribute, and of a note (no attribute), is one value's own."""
    own_value = normalise(value) if cardinality is Cardinality.MANY else ""
    return _name_uuid(scope.tenant, scope.user, scope.agent, normalise(subject), attribute, own_value)


def statement_id(scope: Scope, source: Source, operation: Operation, part: str = "") -> UUID:
    """Deterministic: the same operation of the same message has the same id, so that a retry changes nothing."""
    content = operation.model_dump(mode="json", exclude=_NOT_CONTENT) | {"cardinality": None}  # the attribute's
    return _name_uuid(scope.tenant, scope.user, scope.agent, source.thread, source.message, content, part)


def taking_back_id(scope: Scope, source: Source, statement: UUID) -> UUID:
    """The id of the statement by which a source takes another back."""
    return _name_uuid(scope.tenant, scope.user, source.thread, source.message, "take back", str(statement))


def exchange_id(scope: Scope, source: Source) -> UUID:
    """The id of the episode that keeps the exchange of a message, for the same reason deterministic."""
    return _name_uuid(scope.tenant, scope.user, scope.agent, source.thread, source.message, "exchange")


def _name_uuid(*parts: Any) -> UUID:
    return uuid.uuid5(PERDURE_NAMESPACE, json.dumps(parts, ensure_ascii=False, sort_keys=True))

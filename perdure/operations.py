"""An operation made ready to be written: checked, and placed in the slot that it is about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from uuid import UUID

from perdure.attributes import BUILT_IN, Cardinality, Vocabulary
from perdure.credentials import check_no_credential
from perdure.facts import CORE_EDITS, Action, Operation, slot_of
from perdure.scope import Scope
from perdure.text import CONTENT_LIMIT, LABEL_LIMIT, MESSAGE_LIMIT, VALUE_LIMIT, check_text
from perdure.time import check_instant, check_term


def checked(operation: Operation, vocabulary: Vocabulary = BUILT_IN) -> Operation:
    """The operation with a canonical attribute, its cardinality and clean text; doing it again changes nothing.

    The vocabulary decides how many values an attribute has; for one outside it the operation, and single if that says
    nothing. Raises `InvalidInput` for an operation that cannot be stored.
    """
    if operation.action in CORE_EDITS:
        return _checked_edit(operation)
    attribute = vocabulary.canonical(operation.attribute) if operation.attribute.strip() else ""
    told = operation.cardinality or Cardinality.SINGLE
    valid_from = operation.valid_from and check_instant(operation.valid_from, "valid_from")
    valid_to = operation.valid_to and check_instant(operation.valid_to, "valid_to")
    expires_at = operation.expires_at and check_instant(operation.expires_at, "expires_at")
    if valid_from:
        check_term(valid_from, valid_to)
    check_no_credential(operation)
    return operation.model_copy(
        update={
            "attribute": attribute,
            "cardinality": vocabulary.cardinality(attribute, told) if attribute else Cardinality.MANY,
            "value": _clean(operation.value, "the value", VALUE_LIMIT),
            "content": _clean(operation.content, "the content", CONTENT_LIMIT),
            "subject": check_text(operation.subject, "the subject", limit=VALUE_LIMIT),
            "evidence": _clean(operation.evidence, "the evidence", MESSAGE_LIMIT),
            "valid_from": valid_from,
            "valid_to": valid_to,
            "expires_at": expires_at,
        }
    )


def _checked_edit(operation: Operation) -> Operation:
    """An edit of a block of core memory: line breaks and the like are the writer's, and what it replaces may be long."""
    check_no_credential(operation)
    return operation.model_copy(
        update={
            "attribute": check_text(operation.attribute, "the label of the block", limit=LABEL_LIMIT).lower(),
            "value": _clean(operation.value, "the text to replace", CONTENT_LIMIT),
            "content": _clean(operation.content, "the new text", CONTENT_LIMIT),
            "evidence": _clean(operation.evidence, "the evidence", MESSAGE_LIMIT),
        }
    )


def touched_slots(scope: Scope, operations: Iterable[Operation]) -> list[UUID]:
    """The slots that checked operations name by attribute; those named by a fact's id must be looked up.

    An operation with a target is written where that lives, which may be the memory that all agents share.
    """
    named = [operation for operation in operations if operation.attribute or operation.content]
    shared = replace(scope, agent="")
    return [slot_in(scope, o) for o in named] + [slot_in(shared, o) for o in named if o.target and scope.agent]


def slot_in(scope: Scope, operation: Operation) -> UUID:
    """The slot of a checked operation within this scope."""
    return slot_of(scope, operation.subject, operation.attribute, cardinality_in(operation), value_in(operation))


def cardinality_in(operation: Operation) -> Cardinality:
    """How many values the attribute of a checked operation may hold at a time; every note is a value of its own."""
    return operation.cardinality or Cardinality.MANY


def value_in(operation: Operation) -> str:
    """A sentence about an attribute that names no value is the value: two sentences must not pass for one."""
    return (operation.attribute and operation.value) or operation.content


def is_ambiguous(operation: Operation) -> bool:
    """Whether it would end or retract one of several values, and does not say which."""
    ends = operation.action in {Action.END, Action.RETRACT}
    return ends and not operation.value and cardinality_in(operation) is Cardinality.MANY


def _clean(text: str, what: str, limit: int) -> str:
    return check_text(text, what, limit=limit) if text.strip() or "\x00" in text else ""

"""From what a model extracted to operations that may be written: only what the user's own words say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from perdure.attributes import Cardinality, canonical_name, cardinality_of
from perdure.errors import InvalidInput
from perdure.facts import USER, Action, Operation
from perdure.prompts.extract import ExtractedOperation
from perdure.text import CONTENT_LIMIT, VALUE_LIMIT, check_text, normalise
from perdure.turn import Turn
from perdure.when import parse_when

Memory = Mapping[str, Any]
"""A recalled fact, as `Hit.to_json` gives it."""

_NEEDS_TARGET = {Action.CORRECT, Action.END, Action.RETRACT, Action.CONFIRM}


def short_ids(recalled: Iterable[Memory]) -> dict[str, Memory]:
    """The recalled facts under the ids that the model sees: f1, f2, … It could only mistype a UUID."""
    facts = [memory for memory in recalled if memory["source"] == "fact"]
    return {f"f{number}": fact for number, fact in enumerate(facts, start=1)}


def ground(
    extracted: Sequence[ExtractedOperation], turn: Turn, memories: Mapping[str, Memory]
) -> tuple[tuple[Operation, ...], str]:
    """The operations that the user's message bears out, each once, and in words how many they are and why not all."""
    operations: dict[Operation, None] = {}
    dropped: Counter[str] = Counter()
    for candidate in extracted:
        try:
            operations[_grounded(candidate, turn, memories)] = None
        except ValidationError:
            dropped["incomplete"] += 1
        except InvalidInput as reason:
            dropped[str(reason)] += 1
    reasons = ", ".join(f"{reason} ({count})" for reason, count in dropped.items())
    why = f"the model asked for {len(operations)} changes" if operations else "the model found nothing to remember"
    return tuple(operations), f"{why}; dropped: {reasons}" if reasons else why


def _grounded(candidate: ExtractedOperation, turn: Turn, memories: Mapping[str, Memory]) -> Operation:
    """Raises `InvalidInput` or `ValidationError` for an operation that must not be written."""
    evidence = normalise(candidate.evidence)
    if not evidence or evidence not in normalise(turn.user_text):
        raise InvalidInput("evidence that the user did not say")
    action = Action(candidate.action)
    target = memories.get(candidate.target.strip())
    if target is None and candidate.target.strip() and action in _NEEDS_TARGET:
        raise InvalidInput("an unknown memory")
    if action is Action.CONFIRM and target:
        return _confirmation(candidate, target)
    attribute = _attribute(candidate, target)
    valid_from, valid_to = _term(candidate, action, target, turn)
    return Operation(
        action=action,
        attribute=attribute,
        value=_clean(candidate.value, "the value", VALUE_LIMIT),
        content=_clean(candidate.content, "the content", CONTENT_LIMIT),
        subject=target["subject"] if target and action is not Action.ASSERT else candidate.subject.strip() or USER,
        kind=candidate.kind,
        importance=min(max(candidate.importance, 1), 10),
        confidence=min(max(candidate.confidence, 0.0), 1.0),
        valid_from=valid_from,
        valid_to=valid_to,
        target=UUID(target["id"]) if target and _may_target(action, attribute, target) else None,
        evidence=candidate.evidence.strip(),
    )


def _may_target(action: Action, attribute: str, target: Memory) -> bool:
    """A new value supersedes only the old one of the same single attribute, and a note only another memory by id."""
    if action is not Action.ASSERT or not attribute:
        return True
    return bool(target["attribute"] == attribute and cardinality_of(attribute) is Cardinality.SINGLE)


def _confirmation(candidate: ExtractedOperation, target: Memory) -> Operation:
    """The memory's own words again: a confirmation changes nothing but how often it was said."""
    if target["past"]:
        raise InvalidInput("a confirmation of what is past")
    return Operation(
        action=Action.CONFIRM,
        attribute=target["attribute"],
        value=target["value"],
        content=target["content"],
        subject=target["subject"],
        kind=candidate.kind,
        importance=min(max(candidate.importance, 1), 10),
        confidence=min(max(candidate.confidence, 0.0), 1.0),
        evidence=candidate.evidence.strip(),
    )


def _attribute(candidate: ExtractedOperation, target: Memory | None) -> str:
    if not candidate.attribute.strip():
        return str(target["attribute"]) if target and candidate.action != "assert" else ""
    try:
        return canonical_name(candidate.attribute)
    except InvalidInput:
        raise InvalidInput("an attribute that is not a name") from None


def _term(
    candidate: ExtractedOperation, action: Action, target: Memory | None, turn: Turn
) -> tuple[datetime | None, datetime | None]:
    start, end = _instant(candidate.valid_from, turn), _instant(candidate.valid_to, turn)
    if action is Action.END:
        return start or end, None
    if action is Action.RETRACT:
        return None, None
    begins = start or (datetime.fromisoformat(target["valid_from"]) if target and action is Action.CORRECT else turn.at)
    if end and end <= begins:
        raise InvalidInput("a term that ends before it begins")
    return start, end


def _instant(text: str, turn: Turn) -> datetime | None:
    if not text.strip():
        return None
    try:
        return parse_when(text, turn.at)
    except InvalidInput:
        raise InvalidInput("a date that cannot be read") from None


def _clean(text: str, what: str, limit: int) -> str:
    return check_text(text, what, limit=limit) if text.strip() else ""

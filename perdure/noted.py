"""What a model asked for by tools while it replied, and what is extracted from the same turn: nothing is said twice."""

from __future__ import annotations

from collections.abc import Sequence

from perdure.coverage import Source
from perdure.facts import CORE_EDITS, Action, Operation
from perdure.text import normalise

_TAKES_BACK = {Action.END, Action.RETRACT}


def with_noted(extracted: Sequence[Operation], noted: Sequence[Operation]) -> list[Operation]:
    """All that the turn asks for: what was noted, then what was extracted.

    Where both say the same, what was noted is kept, for the model has been told so, with what only the extraction knows of
    it. But a note of something of which the extraction knows the attribute gives way: as a note it would never be superseded.
    """
    kept = [note for note in noted if not any(_knows_more(operation, note) for operation in extracted)]
    others: list[Operation] = []
    for operation in extracted:
        place = next((place for place, note in enumerate(kept) if _is_same(operation, note)), None)
        if place is None:
            others.append(operation)
        else:
            kept[place] = _completed(kept[place], operation)
    return kept + others


def _knows_more(operation: Operation, note: Operation) -> bool:
    if note.action is not Action.ASSERT or note.attribute or not operation.attribute:
        return False
    said = f"{operation.content} {operation.value} {operation.evidence}"
    return _from_same_words(operation, note) and Source(said).bears_out(note.content)


def _is_same(operation: Operation, note: Operation) -> bool:
    if note.action in CORE_EDITS:  # a block is no fact, though both may have the same name
        return False
    if {operation.action, note.action} <= _TAKES_BACK and operation.target:
        return operation.target == note.target
    if _about(operation) != _about(note) or operation.action in _TAKES_BACK or note.action in _TAKES_BACK:
        return False
    if _value(operation) == _value(note):
        return True
    return (
        not note.attribute and _from_same_words(operation, note) and Source(note.content).bears_out(operation.content)
    )


def _completed(note: Operation, operation: Operation) -> Operation:
    """What was noted, with the term and the sort that only the extraction tells."""
    if note.action is not Action.ASSERT or operation.action not in {Action.ASSERT, Action.CONFIRM}:
        return note
    told = {} if note.valid_from else {"valid_from": operation.valid_from, "valid_to": operation.valid_to}
    more = {"kind": operation.kind, "importance": operation.importance}
    return note.model_copy(update={**told, **more, "sensitivity": note.sensitivity | operation.sensitivity})


def _about(operation: Operation) -> tuple[str, str]:
    return normalise(operation.subject), operation.attribute


def _from_same_words(operation: Operation, note: Operation) -> bool:
    told, other = normalise(operation.evidence), normalise(note.evidence)
    return bool(told and other) and (told in other or other in told)


def _value(operation: Operation) -> str:
    return normalise(operation.value or operation.content)

"""What a model asked for by tools while it replied, and what is extracted from the same turn: nothing is said twice."""

from __future__ import annotations

from collections.abc import Sequence

from perdure.coverage import Source
from perdure.facts import Action, Operation
from perdure.text import normalise

_TAKES_BACK = {Action.END, Action.RETRACT}


def with_noted(extracted: Sequence[Operation], noted: Sequence[Operation]) -> list[Operation]:
    """All that the turn asks for: what was noted, then what was extracted.

    Where both say the same, what was noted is kept, for the model has been told so; but a note of something of which the
    extraction knows the attribute gives way: as a note it would never be superseded.
    """
    kept = [note for note in noted if not any(_knows_more(operation, note) for operation in extracted)]
    return kept + [operation for operation in extracted if not any(_is_same(operation, note) for note in kept)]


def _knows_more(operation: Operation, note: Operation) -> bool:
    if note.action is not Action.ASSERT or note.attribute or not operation.attribute:
        return False
    said = f"{operation.content} {operation.value} {operation.evidence}"
    return _from_same_words(operation, note) and Source(said).bears_out(note.content)


def _is_same(operation: Operation, note: Operation) -> bool:
    if {operation.action, note.action} <= _TAKES_BACK and operation.target:
        return operation.target == note.target
    if operation.attribute != note.attribute or operation.action in _TAKES_BACK or note.action in _TAKES_BACK:
        return False
    return _value(operation) == _value(note) or (not note.attribute and _from_same_words(operation, note))


def _from_same_words(operation: Operation, note: Operation) -> bool:
    told, other = normalise(operation.evidence), normalise(note.evidence)
    return bool(told and other) and (told in other or other in told)


def _value(operation: Operation) -> str:
    return normalise(operation.value or operation.content)

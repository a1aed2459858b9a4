"""A taste that has turned: who cannot stand what they liked does not like it any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from perdure.facts import Action, Operation
from perdure.offline.remembered import Remembered
from perdure.text import normalise

_OPPOSITE: Final = {"likes": "dislikes", "dislikes": "likes"}


def turned(taste: Operation, facts: Sequence[Remembered]) -> Operation | None:
    """The end of the opposite taste for the very same thing, if memory holds one."""
    opposite = _OPPOSITE.get(taste.attribute)
    if taste.action is not Action.ASSERT or taste.valid_to or not opposite:
        return None
    key = normalise(taste.value)
    old = next((fact for fact in facts if fact.attribute == opposite and normalise(fact.value) == key), None)
    if old is None:
        return None
    return taste.model_copy(update={"action": Action.END, "attribute": opposite, "value": old.value, "target": old.id})

"""The recalled facts as the rules need them: which one does the user mean by a value?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from perdure.facts import USER
from perdure.sameness import difference
from perdure.text import normalise


@dataclass(frozen=True, slots=True)
class Remembered:
    """A fact about the user that holds now."""

    id: UUID | None
    attribute: str
    value: str
    content: str
    importance: int


def remembered(recalled: Sequence[Mapping[str, Any]]) -> list[Remembered]:
    """Those of the hits (`Hit.to_json`) that are facts about the user and hold now, best first."""
    return [
        Remembered(
            id=_uuid(hit.get("id")),
            attribute=str(hit.get("attribute") or ""),
            value=str(hit.get("value") or ""),
            content=str(hit.get("content") or ""),
            importance=min(max(int(hit.get("importance") or 5), 1), 10),
        )
        for hit in recalled
        if hit.get("source", "fact") == "fact" and hit.get("subject", USER) == USER and not hit.get("past")
    ]


def naming(facts: Sequence[Remembered], value: str, attribute: str = "") -> Remembered | None:
    """The fact of this value, in these or other words, and of the attribute if it is given.

    Without one it is a fact that has the value among its words.
    """
    key = normalise(value)
    candidates = [fact for fact in facts if fact.attribute and attribute in ("", fact.attribute)]
    if not key:
        return next((fact for fact in candidates if not normalise(fact.value)), None)
    if same := next((fact for fact in candidates if difference(fact.value, value) is None), None):
        return same
    return next(
        (fact for fact in candidates if _says(fact.value, key) or (attribute and _says(fact.content, key))), None
    )


def of_attribute(facts: Sequence[Remembered], attribute: str) -> Remembered | None:
    return next((fact for fact in facts if fact.attribute == attribute), None)


def _says(text: str, key: str) -> bool:
    """Whether the text holds the key from the beginning of a word on: Korean words carry particles at their end."""
    return bool(re.search(rf"(?<!\w){re.escape(key)}", normalise(text)))


def _uuid(text: object) -> UUID | None:
    return UUID(text) if isinstance(text, str) and text else None

"""What a rule is: a pattern for one kind of statement, and how the words that it finds become a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from perdure.attributes import BUILT_IN, Cardinality
from perdure.facts import Action, Kind

_WHOLE = {"goal", "project", "reply.style"}
"""Attributes whose value is a phrase: "and" inside it joins no list."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`pattern` has a group `value`, or none if there is no value to name, or `relation` for one of the family's names.

    `attribute` is empty where `relation` tells it, or where only what is remembered can (an END of something).
    """

    attribute: str
    importance: int
    pattern: re.Pattern[str]
    action: Action = Action.ASSERT
    past: bool = False
    """It tells what was so and is over."""
    timeless: bool = False
    """A date in it belongs to the value, such as a birthday or the deadline of a goal."""


def rule(
    attribute: str,
    importance: int,
    *patterns: str,
    action: Action = Action.ASSERT,
    past: bool = False,
    timeless: bool = False,
) -> Rule:
    """A rule whose patterns are alternatives; each may have its own group `value`, named once per alternative."""
    pattern = re.compile("|".join(f"(?:{p})" for p in _numbered(patterns)), re.IGNORECASE)
    return Rule(attribute, importance, pattern, action, past, timeless)


def group(found: re.Match[str], name: str) -> tuple[str, int]:
    """The text and place of the group `name` in whichever alternative matched; ("", start of match) if in none."""
    for key, text in found.groupdict().items():
        if text is not None and key.rstrip("0123456789") == name:
            return text, found.start(key)
    return "", found.start()


def relation_attribute(relation: str) -> str:
    """The attribute under which a relative, a friend or a pet is remembered; "" if the word names none."""
    known = BUILT_IN.find(relation)
    return known.name if known and known.name.startswith(("family.", "social.", "pet")) else ""


def kind_of(attribute: str) -> Kind:
    known = BUILT_IN.find(attribute) if attribute else None
    return cast(Kind, known.kind) if known else "fact"


def is_listed(attribute: str) -> bool:
    """Whether "A and B" are two values of this attribute."""
    return attribute not in _WHOLE and BUILT_IN.cardinality(attribute) is Cardinality.MANY


def _numbered(patterns: tuple[str, ...]) -> list[str]:
    """Group names are unique in a pattern: number those of each alternative."""
    return [re.sub(r"\(\?P<([a-z]+)>", rf"(?P<\g<1>{index}>", p) for index, p in enumerate(patterns)]

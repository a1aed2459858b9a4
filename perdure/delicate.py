"""What is delicate about an operation, seen from its words. Precision first: a false alarm asks a person for nothing.

A city is not a location, having children is not about minors: a street address is, and so is a child's name, age or
school. What the extractor says is delicate counts as well.
"""

from __future__ import annotations

import re

from perdure.delicate_words import ABOUT_A_CHILD, ATTRIBUTES, CHILD, CHILD_AGE, NOT_A_NAME, PATTERNS
from perdure.facts import Operation
from perdure.sensitivity import Sensitivity

GROWN_UP = 19
"""Years. Whoever is so old is nobody's minor, in any of the conventions by which Koreans count."""
_SEGMENTS = re.compile(r"[._\s-]+")
_SENTENCES = re.compile(r"[.!?…\n]+(?=\s|$)|\n")
_KOREAN_AGES = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10}


def delicate(operation: Operation) -> frozenset[Sensitivity]:
    """What the extractor says is delicate about a checked operation, and what its attribute and words say."""
    words = f"{operation.value}\n{operation.content}\n{operation.evidence}"
    found = delicate_words(words) | _of_attribute(operation.attribute)
    if _names_a_child(operation):
        found |= {Sensitivity.MINORS}
    return operation.sensitivity | found


def delicate_words(text: str) -> frozenset[Sensitivity]:
    """What is delicate about a text, in Korean or English."""
    found = {sensitivity for sensitivity, pattern in PATTERNS.items() if pattern.search(text)}
    if any(_tells_of_a_child(sentence) for sentence in _SENTENCES.split(text)):
        found.add(Sensitivity.MINORS)
    return frozenset(found)


def _of_attribute(attribute: str) -> frozenset[Sensitivity]:
    segments = frozenset(_SEGMENTS.split(attribute))
    return frozenset(
        sensitivity for sensitivity, (words, unless) in ATTRIBUTES.items() if segments & words and not segments & unless
    )


def _tells_of_a_child(sentence: str) -> bool:
    """Whether it tells a child's name, age or school, and not that the child has grown up."""
    if not CHILD.search(sentence):
        return False
    ages = [_age(match[match.lastgroup or 0]) for match in CHILD_AGE.finditer(sentence)]
    return all(age < GROWN_UP for age in ages) if ages else ABOUT_A_CHILD.search(sentence) is not None


def _age(told: str) -> int:
    return int(told) if told.isdecimal() else _KOREAN_AGES.get(told, GROWN_UP)


def _names_a_child(operation: Operation) -> bool:
    words = operation.value.split() if operation.attribute == "family.child" else []
    return any(word[0].isupper() or "가" <= word[0] <= "힣" for word in words if not NOT_A_NAME.fullmatch(word))

"""The names outside the vocabulary that are in use, and which of them seem to be another's. Nothing here merges them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from perdure.attributes import Cardinality, Vocabulary
from perdure.plain import Record
from perdure.terms import stem
from perdure.text import normalise

_FILLERS = frozenset({"a", "an", "the", "of", "my", "user", "s"})
_SPELLINGS = (("our", "or"), ("ise", "ize"), ("isation", "ization"), ("tre", "ter"), ("grey", "gray"))
"""British and American: `favourite.colour` is `favorite.color`."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LearnedName(Record):
    """A name that the tenant's users have facts of, past ones included, and that no attribute has."""

    name: str
    cardinality: Cardinality
    """How many values most of its facts say that it may hold at a time."""
    facts: int
    users: int
    merged_into: str = ""
    """Set where it was merged, and these facts were written since by a process that did not know it yet."""


@dataclass(frozen=True, slots=True)
class Suggestion(Record):
    """`old` has the words of another name or alias of `new`: a person may want to merge it."""

    old: str
    new: str
    alias: str
    """Which name or alias of `new` it is like."""
    facts: int
    users: int


def suggestions(learned: Sequence[LearnedName], vocabulary: Vocabulary) -> list[Suggestion]:
    """The learned names whose words are those of a known attribute, or else of a learned name that more facts use.

    Words are compared without order, endings, separators, articles and the spelling of one side of the Atlantic.
    """
    named: dict[Words, tuple[str, str]] = {}
    for attribute in vocabulary:
        for alias in (attribute.name, *attribute.english, *attribute.korean):
            named.setdefault(_words(alias), (attribute.name, alias))
    unmerged = [one for one in learned if not one.merged_into]
    for one in sorted(unmerged, key=lambda one: (-one.facts, one.name)):
        named.setdefault(_words(one.name), (one.name, one.name))
    like = [(one, *named[_words(one.name)]) for one in unmerged]
    return [Suggestion(one.name, new, alias, one.facts, one.users) for one, new, alias in like if new != one.name]


def _words(name: str) -> Words:
    return tuple(sorted(_stems(re.split(r"[\W_]+", normalise(name)))))


def _stems(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        if word and word not in _FILLERS:
            for british, american in _SPELLINGS:
                word = word.replace(british, american)
            yield stem(word)

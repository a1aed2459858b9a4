"""Facts that say the same in other words, found by their vectors and admitted by their words."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from perdure.facts import Fact
from perdure.plain import Record
from perdure.rewording import rewording
from perdure.sameness import Difference
from perdure.text import normalise
from perdure.words import saying

SIMILARITY = 0.92
"""Cosine of two vectors from which on what they stand for is looked at. Vectors do not decide (see `perdure.sameness`)."""
MERGE = "consolidation-"
"""How the id of a merge begins, which is the `message` of its statements."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two live facts of one subject and attribute whose vectors are alike."""

    one: UUID
    other: UUID
    similarity: float


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A batch of facts, in the order of their ids, and what is like them."""

    facts: int
    """How many there were in the batch; none when all have been looked at."""
    last: UUID | None
    pairs: tuple[Pair, ...]
    members: tuple[Fact, ...]
    """Every fact of a pair."""


@dataclass(frozen=True, slots=True)
class Group(Record):
    """Facts, each another saying of every other; ``similarity`` is the lowest with the first of them."""

    facts: tuple[Fact, ...]
    similarity: float

    @property
    def merge(self) -> str:
        """The id of the merge that makes one of them: the same for the same facts, whoever finds them."""
        ids = ",".join(sorted(str(fact.id) for fact in self.facts))
        return f"{MERGE}{hashlib.sha256(ids.encode()).hexdigest()[:16]}"

    @property
    def notes(self) -> bool:
        return not self.facts[0].attribute

    def canonical(self) -> Fact:
        """The one that stands for all by rule: said most often, then told at most length, then first."""

        def place(fact: Fact) -> tuple[int, int, datetime, datetime, UUID]:
            return -fact.corroboration, -len(fact.content), fact.valid_from, fact.recorded_at, fact.id

        return min(self.facts, key=place)


def groups_of(
    pairs: Iterable[Pair], facts: Iterable[Fact], apart: Sequence[Collection[UUID]], taken: Collection[UUID] = ()
) -> list[Group]:
    """The groups among the pairs; a fact is in one at most.

    ``apart`` are the slots of merges that were undone: whoever undid one wants these facts kept apart.
    """
    by_id, done, groups = {fact.id: fact for fact in facts}, set(taken), list[Group]()
    near: defaultdict[UUID, list[Pair]] = defaultdict(list)
    for pair in pairs:
        near[pair.one].append(pair)
    for first, others in near.items():
        if first in done or first not in by_id:
            continue
        members, lowest = [by_id[first]], 1.0
        for pair in sorted(others, key=lambda pair: (-pair.similarity, pair.other)):
            found = by_id.get(pair.other)
            if found and found.id not in done and all(_mergeable(found, member, apart) for member in members):
                members.append(found)
                lowest = min(lowest, pair.similarity)
        if len(members) > 1:
            groups.append(Group(tuple(members), round(lowest, 4)))
            done.update(member.id for member in members)
    return groups


def _mergeable(one: Fact, other: Fact, apart: Sequence[Collection[UUID]]) -> bool:
    undone = any(one.slot in slots and other.slot in slots for slots in apart)
    return not undone and one.valid_to == other.valid_to and fact_difference(one, other) is None


def fact_difference(one: Fact, other: Fact) -> Difference | None:
    """What keeps two facts from being merged. Of an attribute the values must say the same, and the sentences about them
    agree in their numbers and in what they deny."""
    if normalise(one.subject) != normalise(other.subject) or one.attribute != other.attribute:
        return "words"
    if one.attribute:
        told, again = saying(one.content), saying(other.content)
        if sorted(told.numbers) != sorted(again.numbers):
            return "digits"
        if told.denied != again.denied:
            return "negation"
    return rewording(one.value, other.value)

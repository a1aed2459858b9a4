"""A learned name becomes another attribute's: the statements that move a user's facts.

A move strikes what was said in the old slot. What of it counts is stated again in the new one, with its dates, source
and evidence. Each restatement strikes the one that it repeats: so it is known of which it is. Taking back a move's
statements undoes it. Pure: no clock, no database.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self
from uuid import UUID

from perdure.attributes import Cardinality
from perdure.facts import Action, Fact, Statement, Trust, slot_of
from perdure.plain import Record
from perdure.scope import Scope
from perdure.text import normalise
from perdure.timeline import counting, recorded_order, standing, timeline


@dataclass(frozen=True, slots=True)
class Renaming:
    """Facts of `old` become facts of `new`, because `author` says so."""

    old: str
    new: str
    cardinality: Cardinality
    """How many values `new` may hold at a time."""
    author: str

    @property
    def message(self) -> str:
        """What the statements that strike the old say of where they come from."""
        return f"{merges_of(self.old)}{self.new}"


@dataclass(frozen=True, slots=True)
class UserMoved:
    """What moving the facts of one user, to another name or back, has changed."""

    facts: int
    """Believed facts that are under another name now, past ones included."""
    shortened: int = 0
    """Facts that no longer hold for all their term, because values met in an attribute that holds one at a time."""


@dataclass(frozen=True, slots=True)
class RenamingReport(Record):
    """What a merge or split has done for all users; if it was cut short before, only what was left to do."""

    old: str
    new: str
    """Empty for a split of which only moves were left to be taken back."""
    users: int
    facts: int
    shortened: int

    @classmethod
    def of(cls, old: str, new: str, moves: Sequence[UserMoved]) -> Self:
        changed = [move for move in moves if move.facts]
        facts, cut = (sum(move.facts for move in changed), sum(move.shortened for move in changed))
        return cls(old, new, len(changed), facts, cut)


def merges_of(old: str) -> str:
    """How the messages begin that merge `old` into whatever other attribute."""
    return f"merge:{old}->"


def moved(scope: Scope, told: Iterable[Statement], renaming: Renaming, recorded_at: datetime) -> list[Statement]:
    """What moves a user's slots, given all statements about the old name. A slot without a belief stays as it is.

    Between attributes that hold the same number of values, every statement that counts is restated. Otherwise a value
    must be told to end where another one or an end has closed it, since in the new slot nothing may do so.
    """
    retractions: list[Statement] = []
    restated: list[tuple[Statement, Statement]] = []
    for statements in _by_slot(told):
        if not (intervals := timeline(statements)):
            continue
        value = intervals[0].opening.value
        if statements[0].cardinality is renaming.cardinality:
            terms = [(statement, statement.stated_to) for statement in counting(statements)]
        else:
            terms = [(statement, interval.valid_to) for interval in intervals for statement in interval.statements]
        # All of them, since what a correction has struck would count again without the correction.
        struck = [statement.id for statement in statements if statement.action is not Action.RETRACT]
        retraction = _retraction(statements[0], struck, renaming.message, renaming.author, recorded_at)
        retractions.append(retraction)
        for statement, end in terms:
            slot = _slot(scope, statement, renaming, value)
            restated.append((statement, _restatement(statement, end, slot, renaming, retraction)))
    restated.sort(key=lambda pair: recorded_order(pair[0]))
    return [*retractions, *(statement for _, statement in restated)]


def merges_in_force(told: Iterable[Statement], old: str) -> list[Statement]:
    """The retractions, among a user's statements about `old`, by which it was merged and has not been split since."""
    return [
        statement
        for statements in _by_slot(told)
        for statement in standing(statements)
        if statement.action is Action.RETRACT and statement.message.startswith(merges_of(old))
    ]


def restatements_of(merge: Statement) -> list[UUID]:
    """The ids that statements have which were made in the new slot instead of these; not all of them were."""
    return [_restatement_id(merge, target) for target in merge.targets]


def struck_since(restated: Iterable[Statement], told: Iterable[Statement]) -> set[UUID]:
    """The ids of what these restatements repeat, where they do not stand any more among all that is told."""
    stand = {statement.id for statements in _by_slot(told) for statement in standing(statements)}
    return {target for statement in restated if statement.id not in stand for target in statement.targets}


def shortened(closed: Sequence[Fact], opened: Sequence[Fact]) -> int:
    """How many of the facts that are no longer believed have not been replaced by the same value for all their term.

    Where two values now meet in an attribute that holds one at a time, the timeline has decided between them.
    """
    return sum(not any(_covers(fact, other) for other in opened) for fact in closed)


def _covers(fact: Fact, other: Fact) -> bool:
    same = (fact.agent, fact.subject) == (other.agent, other.subject) and normalise(fact.value) == normalise(
        other.value
    )
    ends = other.valid_to is None or (fact.valid_to is not None and fact.valid_to <= other.valid_to)
    return same and other.valid_from <= fact.valid_from and ends


def _slot(scope: Scope, statement: Statement, renaming: Renaming, value: str) -> UUID:
    """An end says no value: in a slot that is one value's own, it is that value's."""
    return slot_of(
        replace(scope, agent=statement.agent),
        statement.subject,
        renaming.new,
        renaming.cardinality,
        statement.value or value,
    )


def _restatement(
    statement: Statement, end: datetime | None, slot: UUID, renaming: Renaming, retraction: Statement
) -> Statement:
    return replace(
        statement,
        id=_restatement_id(retraction, statement.id),
        slot=slot,
        attribute=renaming.new,
        cardinality=renaming.cardinality,
        stated_to=end,
        recorded_at=retraction.recorded_at,
        targets=(statement.id,),
    )


def _restatement_id(retraction: Statement, target: UUID) -> UUID:
    return uuid.uuid5(retraction.id, target.hex)


def _retraction(like: Statement, struck: Sequence[UUID], message: str, author: str, recorded_at: datetime) -> Statement:
    """No two writes of a user are recorded at one moment: the id is new with every merge and split."""
    return replace(
        like,
        id=uuid.uuid5(like.slot, f"{message} {recorded_at.isoformat()}"),
        action=Action.RETRACT,
        value="",
        content="",
        trust=Trust.USER,
        stated_to=None,
        expires_at=None,
        recorded_at=recorded_at,
        targets=tuple(struck),
        thread="",
        message=message,
        author=author,
        evidence="",
        said="",
    )


def _by_slot(told: Iterable[Statement]) -> Iterator[list[Statement]]:
    slots: defaultdict[UUID, list[Statement]] = defaultdict(list)
    for statement in sorted(told, key=recorded_order):
        slots[statement.slot].append(statement)
    yield from slots.values()

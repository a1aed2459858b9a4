"""Facts as the projection of statements: what a slot's intervals look like to a reader, and what a write changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from uuid import UUID

from perdure.facts import Fact, Statement, Trust
from perdure.timeline import Interval, recorded_order, timeline

_TRUST = {trust: rank for rank, trust in enumerate((Trust.DOCUMENT, Trust.TOOL, Trust.ASSISTANT, Trust.USER))}


@dataclass(frozen=True, slots=True)
class Changes:
    """What a write does to the facts of one slot: those no longer believed, and those believed from now on."""

    closed: tuple[Fact, ...]
    opened: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Belief:
    """A fact as it was believed during [fact.recorded_at, known_to); None: still."""

    fact: Fact
    known_to: datetime | None


def fact_of(interval: Interval, *, version: int, recorded_at: datetime) -> Fact:
    """The interval as a reader sees it: opened by its first statement, corroborated by the others."""
    opening, statements = interval.opening, interval.statements
    return Fact(
        id=opening.id,
        slot=opening.slot,
        agent=opening.agent,
        subject=opening.subject,
        attribute=opening.attribute,
        cardinality=opening.cardinality,
        value=opening.value,
        content=opening.content,
        kind=opening.kind,
        importance=max(statement.importance for statement in statements),
        confidence=max(statement.confidence for statement in statements),
        trust=max((statement.trust for statement in statements), key=_TRUST.__getitem__),
        valid_from=interval.valid_from,
        dated=opening.dated,
        valid_to=interval.valid_to,
        recorded_at=recorded_at,
        corroboration=len(statements),
        version=version,
        thread=opening.thread,
        message=opening.message,
        expires_at=expiry_of(statements),
    )


def expiry_of(statements: Sequence[Statement]) -> datetime | None:
    """When an interval expires: with the last of its statements, and never if one of them stays."""
    moments = [statement.expires_at for statement in statements if statement.expires_at]
    return max(moments) if len(moments) == len(statements) else None


def changes(believed: Iterable[Fact], statements: Sequence[Statement], recorded_at: datetime) -> Changes:
    """What must change so that the facts of a slot follow from all its statements.

    A fact's version is the number of statements that its slot had when it was last changed.
    """
    before = {fact.id: fact for fact in believed}
    after = [fact_of(i, version=len(statements), recorded_at=recorded_at) for i in timeline(statements)]
    opened = [fact for fact in after if (old := before.get(fact.id)) is None or not _same(old, fact)]
    kept = {fact.id for fact in after} - {fact.id for fact in opened}
    return Changes(tuple(fact for fact in before.values() if fact.id not in kept), tuple(opened))


def replay(statements: Iterable[Statement]) -> list[Belief]:
    """All that was ever believed of one slot, made anew from its statements, one write after another."""
    ordered = sorted(statements, key=recorded_order)
    beliefs: list[Belief] = []
    believed: dict[UUID, Fact] = {}
    told: list[Statement] = []
    for recorded_at, write in groupby(ordered, key=lambda statement: statement.recorded_at):
        told.extend(write)
        change = changes(believed.values(), told, recorded_at)
        for fact in change.closed:
            beliefs.append(Belief(believed.pop(fact.id), recorded_at))
        believed.update((fact.id, fact) for fact in change.opened)
    return beliefs + [Belief(fact, None) for fact in believed.values()]


def _same(old: Fact, new: Fact) -> bool:
    return replace(new, version=old.version, recorded_at=old.recorded_at) == old

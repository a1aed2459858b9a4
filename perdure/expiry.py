"""What of a slot has expired, and how it is taken out so that nothing else of the slot changes. Pure: no clock, no database.

An interval expires with the last of its statements; one that was said again without an expiry stays. Deleting a statement
would let what it superseded hold again. So where something came before, an end is left in its place, which says nothing
but that; and where it struck an earlier statement, a retraction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from perdure.facts import Action, Statement
from perdure.projection import expiry_of
from perdure.timeline import counting, timeline


@dataclass(frozen=True, slots=True)
class Expired:
    """What becomes of a slot's statements. ``remaining`` are all that there will be, as they will be."""

    deleted: tuple[Statement, ...]
    hollowed: tuple[Statement, ...]
    """As they will be: an end or a retraction, without a word of what was said."""
    renewed: tuple[Statement, ...]
    """As they will be: they last as long as the interval that they are part of."""
    remaining: tuple[Statement, ...]


def expired_of(statements: Sequence[Statement], now: datetime) -> Expired:
    """What has expired of one slot by `now`."""
    due = {one.id: one for one in statements if one.expires_at and one.expires_at <= now}
    living: dict[UUID, datetime | None] = {}
    openings = set()
    for interval in timeline(statements):
        lasts = expiry_of(interval.statements)
        openings.add(interval.opening.id)
        if lasts is None or lasts > now:
            living |= {one.id: lasts for one in interval.statements}
    renewed = [replace(one, expires_at=living[one.id]) for one in due.values() if one.id in living]
    erased = [one for one in due.values() if one.id not in living]
    gone = {one.id for one in erased}
    begun = [one.valid_from for one in counting(statements) if one.id not in gone]
    hollowed = []
    for one in erased:
        strikes = any(target not in gone for target in one.targets)
        if one.id in openings and any(start <= one.valid_from for start in begun):
            hollowed.append(_hollow(one, Action.END))
        elif strikes:
            hollowed.append(_hollow(one, Action.RETRACT))
    kept = {one.id: one for one in (*renewed, *hollowed)}
    deleted = tuple(one for one in erased if one.id not in kept)
    struck = {one.id for one in deleted}
    remaining = tuple(_without(kept.get(one.id, one), struck) for one in statements if one.id not in struck)
    return Expired(deleted, tuple(hollowed), tuple(renewed), remaining)


def _hollow(statement: Statement, action: Action) -> Statement:
    return replace(
        statement, action=action, value="", content="", evidence="", said="", stated_to=None, expires_at=None
    )


def _without(statement: Statement, deleted: set[UUID]) -> Statement:
    return replace(statement, targets=tuple(target for target in statement.targets if target not in deleted))

"""What of a user's statements goes with a thread that is erased. Pure: no clock, no database."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from perdure.facts import Statement
from perdure.merging import changed_since, merges_made


def statements_of_thread(told: Iterable[Statement], thread: str) -> list[Statement]:
    """Of all that the user was told, what was said in the thread, and what consolidations made of it.

    A merge that this takes part in is not made any more: its other sources stand again, in their own words. Where the
    merged fact was changed since, they would hold again what has ended: of such a merge only what repeats the thread goes.
    """
    left = {statement.id: statement for statement in told}
    gone: dict[UUID, Statement] = {}
    more = [statement for statement in left.values() if statement.thread == thread]
    while more:
        for statement in more:
            gone[statement.id] = left.pop(statement.id)
        more = _following(list(left.values()), gone)
    return list(gone.values())


def _following(left: list[Statement], gone: dict[UUID, Statement]) -> list[Statement]:
    slots = {statement.slot for statement in gone.values()}
    found: list[Statement] = []
    for merge in merges_made(left):
        if slots.isdisjoint(one.slot for one in merge):
            continue
        changed = changed_since(merge[0].message, left)
        found += [one for one in merge if not changed or (one.targets and set(one.targets) <= gone.keys())]
    return found

"""Which memories fade next: their strength, and when the upkeep will move them to the archive."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from perdure.graph.context import Context, run_context
from perdure.plain import Record
from perdure.retention import Retention
from perdure.stores.fading import PostgresFading
from perdure.strength import Weighed, strength
from perdure.time import Clock


@dataclass(frozen=True, slots=True)
class Fading(Record):
    id: UUID
    source: Literal["fact", "episode"]
    kind: str
    content: str
    uses: int
    strength: float
    """0 to 1."""
    fades_at: datetime
    """From then on `perdure maintain` moves it to the archive, unless it is of use before."""


@dataclass(frozen=True, slots=True)
class FadingMemories:
    """The part of `Memory` that tells what will fade."""

    store: PostgresFading
    retention: Retention
    clock: Clock

    async def next(self, *, k: int = 10, user: str | None = None, context: Context | None = None) -> list[Fading]:
        """The memories of the user, of whatever agent, that fade first; at most `k`."""
        scope, now = run_context(user, context).scope, self.clock.now()
        weighed = await self.store.weigh(scope, self.retention.fading_kinds)
        dated = [
            (fades_at, one)
            for group in _groups(weighed)
            if (fades_at := _group_fades_at(group, self.retention)) is not None
            for one in group
        ]
        first = sorted(dated, key=lambda pair: (pair[0], pair[1].id))[:k]
        contents = await self.store.contents(scope, [one.id for _, one in first])
        return [
            Fading(
                one.id,
                one.source,
                one.traits.kind,
                contents[one.id],
                one.traits.uses,
                strength(one.traits, now),
                fades_at,
            )
            for fades_at, one in first
            if one.id in contents
        ]


def faded(weighed: Iterable[Weighed], retention: Retention, now: datetime) -> list[list[Weighed]]:
    """What has faded by `now`; a slot of facts as a whole, when the last of them has."""
    return [
        group
        for group in _groups(weighed)
        if (fades_at := _group_fades_at(group, retention)) is not None and fades_at <= now
    ]


def _groups(weighed: Iterable[Weighed]) -> list[list[Weighed]]:
    slots: defaultdict[UUID, list[Weighed]] = defaultdict(list)
    for one in weighed:
        slots[one.slot].append(one)
    return list(slots.values())


def _group_fades_at(group: list[Weighed], retention: Retention) -> datetime | None:
    moments = [retention.fades_at(one.traits) for one in group]
    told = [moment for moment in moments if moment is not None]
    return max(told) if len(told) == len(moments) else None

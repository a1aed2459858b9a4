"""The slots that a write touches, while operations are applied to them one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from perdure.facts import Fact, Statement
from perdure.projection import Changes, changes, fact_of
from perdure.timeline import Interval, timeline


@dataclass(frozen=True, slots=True)
class Stored:
    """What the store holds of the slots that a write touches."""

    statements: tuple[Statement, ...]
    believed: tuple[Fact, ...]
    slot_of_fact: dict[UUID, UUID]
    """The slots of the facts that operations name, current or not."""


@dataclass(slots=True)
class Slots:
    """What is stored and what is new. All new statements are recorded at one moment."""

    stored: Stored
    recorded_at: datetime
    new: list[Statement] = field(default_factory=list)

    def add(self, statement: Statement) -> None:
        self.new.append(replace(statement, ordinal=len(self.new)))

    def has(self, identity: UUID) -> bool:
        """Whether the statement with this id is recorded already."""
        return any(statement.id == identity for statement in (*self.stored.statements, *self.new))

    def statements(self, slot: UUID) -> Sequence[Statement]:
        return [statement for statement in (*self.stored.statements, *self.new) if statement.slot == slot]

    def interval(self, fact: Fact) -> Interval:
        return next(interval for interval in self._intervals(fact.slot) if interval.opening.id == fact.id)

    def at(self, slot: UUID, instant: datetime) -> Fact | None:
        """The fact that holds at `instant`."""
        return next((self._fact(i) for i in self._intervals(slot) if i.holds_at(instant)), None)

    def latest(self, slot: UUID) -> Fact | None:
        intervals = self._intervals(slot)
        return self._fact(intervals[-1]) if intervals else None

    def believed(self, identity: UUID) -> Fact | None:
        """The fact with this id, or the one that it was merged into since the id was read."""
        slot = self.stored.slot_of_fact.get(identity)
        intervals = self._intervals(slot) if slot else ()
        return next((self._fact(i) for i in intervals if any(s.id == identity for s in i.statements)), None)

    def changes(self) -> tuple[Changes, ...]:
        """The changes of every slot that got a statement."""
        touched = dict.fromkeys(statement.slot for statement in self.new)
        return tuple(changes(self._stored(slot), self.statements(slot), self.recorded_at) for slot in touched)

    def _stored(self, slot: UUID) -> list[Fact]:
        return [fact for fact in self.stored.believed if fact.slot == slot]

    def _intervals(self, slot: UUID) -> tuple[Interval, ...]:
        return timeline(self.statements(slot))

    def _fact(self, interval: Interval) -> Fact:
        """As stored where nothing changed, so that a receipt shows the version that the caller has read."""
        slot = interval.opening.slot
        made = fact_of(interval, version=len(self.statements(slot)), recorded_at=self.recorded_at)
        stored = next((fact for fact in self._stored(slot) if fact.id == made.id), None)
        same = stored and replace(made, version=stored.version, recorded_at=stored.recorded_at) == stored
        return stored if stored and same else made

"""The slots that a write touches, while operations are applied to them one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from perdure.facts import Fact, Statement
from perdure.projection import Changes, changes, fact_of
from perdure.sameness import likeness
from perdure.timeline import Interval, timeline


@dataclass(frozen=True, slots=True)
class Stored:
    """What the store holds of the slots that a write touches."""

    statements: tuple[Statement, ...]
    believed: tuple[Fact, ...]
    slot_of_fact: dict[UUID, UUID]
    """The slots of the facts that operations name, current or not."""
    recorded: frozenset[UUID] = frozenset()
    """Those ids of the operations' statements that are recorded already, wherever."""


@dataclass(slots=True)
class Slots:
    """What is stored and what is new. All new statements are recorded at one moment."""

    stored: Stored
    recorded_at: datetime
    new: list[Statement] = field(default_factory=list)
    _told: dict[UUID, list[Statement]] = field(init=False, default_factory=dict)
    _believed: dict[UUID, list[Fact]] = field(init=False, default_factory=dict)
    _alike: dict[tuple[str, UUID], dict[UUID, None]] = field(init=False, default_factory=dict)
    _recorded: set[UUID] = field(init=False)
    _timelines: dict[UUID, tuple[Interval, ...]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._recorded = set(self.stored.recorded)
        for fact in self.stored.believed:
            self._believed.setdefault(fact.slot, []).append(fact)
        for statement in self.stored.statements:
            self._hold(statement)

    def add(self, statement: Statement) -> None:
        statement = replace(statement, ordinal=len(self.new))
        self.new.append(statement)
        self._hold(statement)

    def has(self, identity: UUID) -> bool:
        """Whether the statement with this id is recorded already."""
        return identity in self._recorded

    def statements(self, slot: UUID) -> Sequence[Statement]:
        return self._told.get(slot, [])

    def alike(self, agent: str, likeness: UUID) -> Iterator[Fact]:
        """All intervals of the loaded slots in which something of this likeness was told, the latest of each first."""
        for slot in self._alike.get((agent, likeness), {}):
            yield from map(self._fact, reversed(self._intervals(slot)))

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
        return tuple(changes(self._believed.get(slot, []), self.statements(slot), self.recorded_at) for slot in touched)

    def _hold(self, statement: Statement) -> None:
        self._recorded.add(statement.id)
        self._told.setdefault(statement.slot, []).append(statement)
        if statement.value:
            alike = statement.agent, likeness(statement.subject, statement.attribute, statement.value)
            self._alike.setdefault(alike, {})[statement.slot] = None
        self._timelines.pop(statement.slot, None)

    def _intervals(self, slot: UUID) -> tuple[Interval, ...]:
        if slot not in self._timelines:
            self._timelines[slot] = timeline(self.statements(slot))
        return self._timelines[slot]

    def _fact(self, interval: Interval) -> Fact:
        """As stored where nothing changed, so that a receipt shows the version that the caller has read."""
        slot = interval.opening.slot
        made = fact_of(interval, version=len(self.statements(slot)), recorded_at=self.recorded_at)
        stored = next((fact for fact in self._believed.get(slot, []) if fact.id == made.id), None)
        same = stored and replace(made, version=stored.version, recorded_at=stored.recorded_at) == stored
        return stored if stored and same else made

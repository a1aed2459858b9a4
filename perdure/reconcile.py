"""Operations and what is stored, in; statements, changed facts and receipts, out. Pure: no clock, no database.

An operation becomes one statement, or two where it crosses slots: a note that supersedes another ends the other, a
correction that changes the attribute (or a value of a many-valued one) retracts the old and states the new.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from perdure.attributes import Cardinality, canonical_name, cardinality_of
from perdure.errors import StaleFact
from perdure.facts import (
    Action,
    Fact,
    Operation,
    Receipt,
    Source,
    Statement,
    content_of,
    slot_of,
    statement_id,
)
from perdure.projection import Changes, changes, fact_of
from perdure.scope import Scope
from perdure.text import CONTENT_LIMIT, MESSAGE_LIMIT, VALUE_LIMIT, check_text, normalise
from perdure.time import UNKNOWN_START, check_instant, check_term
from perdure.timeline import Interval, timeline


@dataclass(frozen=True, slots=True)
class Stored:
    """What the store holds of the slots that a write touches."""

    statements: tuple[Statement, ...]
    believed: tuple[Fact, ...]
    slot_of_fact: dict[UUID, UUID]
    """The slots of the facts that operations name, current or not."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a write will save, and the receipts, in the order of the operations."""

    statements: tuple[Statement, ...]
    changes: tuple[Changes, ...]
    receipts: tuple[Receipt, ...]


def checked(operation: Operation) -> Operation:
    """The operation with a canonical attribute and clean text; raises `InvalidInput` if it cannot be stored."""
    attribute = canonical_name(operation.attribute) if operation.attribute.strip() else ""
    valid_from = operation.valid_from and check_instant(operation.valid_from, "valid_from")
    valid_to = operation.valid_to and check_instant(operation.valid_to, "valid_to")
    if valid_from:
        check_term(valid_from, valid_to)
    return operation.model_copy(
        update={
            "attribute": attribute,
            "value": _clean(operation.value, "the value", VALUE_LIMIT),
            "content": _clean(operation.content, "the content", CONTENT_LIMIT),
            "subject": check_text(operation.subject, "the subject", limit=VALUE_LIMIT),
            "evidence": _clean(operation.evidence, "the evidence", MESSAGE_LIMIT),
            "valid_from": valid_from,
            "valid_to": valid_to,
        }
    )


def touched_slots(scope: Scope, operations: Iterable[Operation]) -> list[UUID]:
    """The slots that checked operations name by attribute; those named by a fact's id must be looked up."""
    return [_slot(scope, operation) for operation in operations if operation.attribute or operation.content]


def reconcile(
    scope: Scope, operations: Sequence[Operation], source: Source, stored: Stored, recorded_at: datetime
) -> Plan:
    """The plan that applies checked operations one after the other. All of it is recorded at one moment.

    Raises `StaleFact` if an operation expects a version that the fact no longer has.
    """
    writing = _Writing(scope, source, stored, recorded_at)
    receipts = tuple(writing.apply(operation) for operation in operations)
    return Plan(tuple(writing.new), writing.changes(), receipts)


def _clean(text: str, what: str, limit: int) -> str:
    return check_text(text, what, limit=limit) if text.strip() or "\x00" in text else ""


def _slot(scope: Scope, operation: Operation) -> UUID:
    return slot_of(scope, operation.subject, operation.attribute, _cardinality(operation), _value(operation))


def _cardinality(operation: Operation) -> Cardinality:
    if not operation.attribute:
        return Cardinality.MANY
    return cardinality_of(operation.attribute, operation.cardinality or Cardinality.SINGLE)


def _value(operation: Operation) -> str:
    return operation.value if operation.attribute else operation.content


def _ambiguous(operation: Operation) -> bool:
    return not operation.value and not operation.content and _cardinality(operation) is Cardinality.MANY


@dataclass(slots=True)
class _Writing:
    """The slots while operations are applied to them, one after the other."""

    scope: Scope
    source: Source
    stored: Stored
    recorded_at: datetime
    new: list[Statement] = field(default_factory=list)

    def apply(self, operation: Operation) -> Receipt:
        identity = statement_id(self.scope, self.source, operation)
        if any(statement.id == identity for statement in (*self.stored.statements, *self.new)):
            return Receipt(
                operation.action, "unchanged", "this statement of this message is recorded already", identity
            )
        target = self._believed(operation.target) if operation.target else None
        if operation.target and target is None:
            return Receipt(operation.action, "dropped", f"no current fact has the id {operation.target}")
        if target is None and _ambiguous(operation):
            why = f"{operation.attribute} may have several values: name the value or the fact's id"
            return Receipt(operation.action, "dropped", why)
        self._check_version(operation, target)
        match operation.action:
            case Action.ASSERT | Action.CONFIRM:
                return self._assert(operation, identity, target)
            case Action.CORRECT:
                return self._correct(operation, identity, target)
            case Action.END:
                return self._end(operation, identity, target)
            case Action.RETRACT:
                return self._retract(operation, identity, target)

    def changes(self) -> tuple[Changes, ...]:
        """The changes of every slot that got a statement."""
        return tuple(
            changes(
                (fact for fact in self.stored.believed if fact.slot == slot), self._statements(slot), self.recorded_at
            )
            for slot in dict.fromkeys(statement.slot for statement in self.new)
        )

    def _assert(self, operation: Operation, identity: UUID, target: Fact | None) -> Receipt:
        slot, start = _slot(self.scope, operation), operation.valid_from or self.source.at
        check_term(start, operation.valid_to)
        before = self._at(slot, start)
        statement = self._statement(operation, identity, slot, start)
        if before and normalise(before.value) == normalise(statement.value):
            statement = replace(statement, action=Action.CONFIRM)
        replaces = target and target.slot == slot and normalise(target.value) != normalise(statement.value)
        if target and replaces and self._give_way(operation, target, start):
            before = target
        if target and target.slot != slot:
            ended = operation.model_copy(update={"action": Action.END, "value": "", "content": ""})
            self._add(self._statement(ended, self._part(operation), target.slot, start, like=target))
            before = target
        self._add(statement)
        why = "said again" if statement.action is Action.CONFIRM else "supersedes what held" if before else "new"
        return Receipt(statement.action, "applied", why, identity, before, self._at(slot, start))

    def _give_way(self, operation: Operation, target: Fact, at: datetime) -> bool:
        """Let what was told of the target without a date not count from `at` on; whether there was such.

        Whoever says now that it was over at `at` knows better than an undated "it holds" that came between. If nothing
        else was told of the target, it held before, since nobody knows when.
        """
        told = self._interval(target).statements
        late = tuple(statement.id for statement in told if not statement.dated and statement.valid_from >= at)
        if late and len(late) == len(told):
            self._add(replace(self._held_before(operation, target), targets=late))
        elif late:
            self._add(self._retraction(operation, self._part(operation), target, late))
        return bool(late)

    def _held_before(self, operation: Operation, target: Fact) -> Statement:
        again = Operation(
            action=Action.CORRECT,
            attribute=target.attribute,
            value=target.value,
            content=target.content,
            subject=target.subject,
            cardinality=target.cardinality,
            kind=target.kind,
            importance=target.importance,
            confidence=target.confidence,
            trust=target.trust,
            evidence=operation.evidence,
        )
        return replace(self._statement(again, self._part(operation), target.slot, UNKNOWN_START), agent=target.agent)

    def _correct(self, operation: Operation, identity: UUID, target: Fact | None) -> Receipt:
        slot = _slot(self.scope, operation)
        old = target or self._at(slot, operation.valid_from or self.source.at) or self._latest(slot)
        if old is None:
            return self._assert(operation.model_copy(update={"action": Action.ASSERT}), identity, None)
        interval = self._interval(old)
        start = operation.valid_from or old.valid_from
        stated_to = operation.valid_to or (None if operation.valid_from else interval.opening.stated_to)
        check_term(start, stated_to)
        struck = tuple(statement.id for statement in interval.statements)
        dated = old.dated or operation.valid_from is not None
        statement = replace(self._statement(operation, identity, slot, start), stated_to=stated_to, dated=dated)
        if old.slot == slot:
            self._add(replace(statement, targets=struck))
        else:
            self._add(self._retraction(operation, self._part(operation), old, struck))
            self._add(statement)
        return Receipt(Action.CORRECT, "applied", "the old was never true", identity, old, self._at(slot, start))

    def _end(self, operation: Operation, identity: UUID, target: Fact | None) -> Receipt:
        slot, at = target.slot if target else _slot(self.scope, operation), operation.valid_from or self.source.at
        if target and target.dated and target.valid_from >= at:
            why = f"it only began at {target.valid_from.isoformat()}"
            return Receipt(Action.END, "dropped", why, before=target)
        if target and target.valid_to and target.valid_to <= at:
            return Receipt(Action.END, "unchanged", f"it ended at {target.valid_to.isoformat()} already", before=target)
        if target:
            self._give_way(operation, target, at)
        before = self._at(slot, at)
        like = target or before or self._latest(slot)
        self._add(self._statement(operation, identity, slot, at, like=like))
        why = "it holds until then" if before else "nothing held then; kept for what may be told later"
        return Receipt(Action.END, "applied", why, identity, before, self._at(slot, at))

    def _retract(self, operation: Operation, identity: UUID, target: Fact | None) -> Receipt:
        slot, at = target.slot if target else _slot(self.scope, operation), operation.valid_from or self.source.at
        old = target or self._at(slot, at) or self._latest(slot)
        if old is None:
            # Kept although it strikes nothing: the same turn written again must not strike what came since.
            self._add(self._statement(operation, identity, slot, at))
            return Receipt(
                Action.RETRACT, "unchanged", f"nothing is known of {operation.attribute or 'this'}", identity
            )
        struck = tuple(statement.id for statement in self._interval(old).statements)
        self._add(self._retraction(operation, identity, old, struck))
        why = "it was never true"
        return Receipt(Action.RETRACT, "applied", why, identity, old, self._at(old.slot, old.valid_from))

    def _statement(
        self, operation: Operation, identity: UUID, slot: UUID, start: datetime, like: Fact | None = None
    ) -> Statement:
        """The statement of `operation`; `like` gives the slot's names where the operation names only a fact."""
        return Statement(
            id=identity,
            slot=slot,
            agent=like.agent if like else self.scope.agent,
            action=operation.action,
            subject=like.subject if like else operation.subject,
            attribute=like.attribute if like else operation.attribute,
            cardinality=like.cardinality if like else _cardinality(operation),
            value="" if like else _value(operation),
            content="" if like else content_of(operation),
            kind=like.kind if like else operation.kind,
            importance=operation.importance,
            confidence=operation.confidence,
            trust=operation.trust,
            valid_from=start,
            dated=operation.valid_from is not None,
            stated_to=None if like else operation.valid_to,
            recorded_at=self.recorded_at,
            ordinal=len(self.new),
            targets=(),
            thread=self.source.thread,
            message=self.source.message,
            author=self.source.author,
            evidence=operation.evidence,
        )

    def _retraction(self, operation: Operation, identity: UUID, old: Fact, struck: tuple[UUID, ...]) -> Statement:
        retracting = operation.model_copy(update={"action": Action.RETRACT})
        statement = self._statement(retracting, identity, old.slot, old.valid_from, like=old)
        return replace(statement, targets=struck)

    def _add(self, statement: Statement) -> None:
        self.new.append(replace(statement, ordinal=len(self.new)))

    def _part(self, operation: Operation) -> UUID:
        """Id of the statement that an operation makes in the other slot."""
        return statement_id(self.scope, self.source, operation, "other slot")

    def _statements(self, slot: UUID) -> list[Statement]:
        return [statement for statement in (*self.stored.statements, *self.new) if statement.slot == slot]

    def _intervals(self, slot: UUID) -> tuple[Interval, ...]:
        return timeline(self._statements(slot))

    def _interval(self, fact: Fact) -> Interval:
        return next(interval for interval in self._intervals(fact.slot) if interval.opening.id == fact.id)

    def _at(self, slot: UUID, instant: datetime) -> Fact | None:
        return next((self._fact(i) for i in self._intervals(slot) if i.holds_at(instant)), None)

    def _latest(self, slot: UUID) -> Fact | None:
        intervals = self._intervals(slot)
        return self._fact(intervals[-1]) if intervals else None

    def _believed(self, identity: UUID) -> Fact | None:
        slot = self.stored.slot_of_fact.get(identity)
        intervals = self._intervals(slot) if slot else ()
        return next((self._fact(interval) for interval in intervals if interval.opening.id == identity), None)

    def _fact(self, interval: Interval) -> Fact:
        """As stored where nothing changed, so that a receipt shows the version that the caller has read."""
        made = fact_of(interval, version=len(self._statements(interval.opening.slot)), recorded_at=self.recorded_at)
        stored = next((fact for fact in self.stored.believed if fact.id == made.id), None)
        same = stored and replace(made, version=stored.version, recorded_at=stored.recorded_at) == stored
        return stored if stored and same else made

    def _check_version(self, operation: Operation, target: Fact | None) -> None:
        expected = operation.expected_version
        if expected is not None and target is not None and target.version != expected:
            raise StaleFact(
                f"fact {target.id} has version {target.version}, not {expected}: it has changed since it was read;"
                " read it again and decide anew"
            )

"""Operations and what is stored, in; statements, changed facts and receipts, out. Pure: no clock, no database.

An operation becomes one statement, or two where it crosses slots: a note that supersedes another ends the other, a
correction that changes the attribute (or a value of a many-valued one) retracts the old and states the new. A value
that is another saying of a known one (`perdure.sameness`) is written as that one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from perdure.errors import InvalidInput, InvalidTime, StaleFact
from perdure.facts import CORE_EDITS, Action, Fact, Operation, Receipt, Source, Statement, content_of, statement_id
from perdure.operations import cardinality_in, is_ambiguous, value_in
from perdure.placing import Place, contradiction, may_supersede, place
from perdure.projection import Changes
from perdure.scope import Scope
from perdure.slots import Slots, Stored
from perdure.text import normalise
from perdure.time import UNKNOWN_START, check_term
from perdure.timeline import recorded_order


@dataclass(frozen=True, slots=True)
class Plan:
    """What a write will save, and the receipts, in the order of the operations."""

    statements: tuple[Statement, ...]
    changes: tuple[Changes, ...]
    receipts: tuple[Receipt, ...]


def reconcile(
    scope: Scope, operations: Sequence[Operation], source: Source, stored: Stored, recorded_at: datetime
) -> Plan:
    """The plan that applies checked operations one after the other. All of it is recorded at one moment.

    Raises `StaleFact` if an operation expects a version that the fact no longer has.
    """
    slots = Slots(stored, recorded_at)
    writing = Writing(scope, source, slots)
    receipts = tuple(writing.apply(operation) for operation in operations)
    return Plan(tuple(slots.new), slots.changes(), receipts)


def _reaches(target: Fact, at: datetime) -> bool:
    """Whether an end at `at` falls into the target's own term, not into another of its slot."""
    begun = target.valid_from <= at or not target.dated
    return begun and (target.valid_to is None or at < target.valid_to)


def _why(statement: Statement, before: Fact | None) -> str:
    if statement.action is Action.CONFIRM:
        return "said again in other words" if statement.said else "said again"
    why = "supersedes what held" if before else "new"
    return why if statement.dated else f"{why}; no date was told, so since the message"


@dataclass(frozen=True, slots=True)
class Writing:
    """Applies operations of one source to the slots, one after the other."""

    scope: Scope
    source: Source
    slots: Slots

    def apply(self, operation: Operation) -> Receipt:
        if operation.action is Action.EPISODE or operation.action in CORE_EDITS:
            raise InvalidInput(f"{operation.action} is not about a fact: save it through the memory layer")
        identity = statement_id(self.scope, self.source, operation)
        if self.slots.has(identity):
            return Receipt(
                operation.action, "unchanged", "this statement of this message is recorded already", identity
            )
        target = self.slots.believed(operation.target) if operation.target else None
        if operation.target and target is None and operation.action is not Action.ASSERT:
            return Receipt(operation.action, "dropped", f"no current fact has the id {operation.target}")
        if target is None and is_ambiguous(operation):
            why = f"{operation.attribute} may have several values: name the value or the fact's id"
            return Receipt(operation.action, "dropped", why)
        if target and (why := contradiction(operation, target)):
            return Receipt(operation.action, "dropped", why, before=target)
        self._check_version(operation, target)
        try:
            return self._apply(operation, identity, target)
        except InvalidTime as error:
            # The term depends on what is stored: a turn that is written later must not fail for ever because of it.
            return Receipt(operation.action, "dropped", str(error), before=target)

    def _apply(self, operation: Operation, identity: UUID, target: Fact | None) -> Receipt:
        match operation.action:
            case Action.ASSERT | Action.CONFIRM:
                return self._assert(operation, identity, target)
            case Action.CORRECT:
                return self._correct(operation, identity, target)
            case Action.END:
                return self._end(operation, identity, target)
            case _:
                return self._retract(operation, identity, target)

    def _assert(self, operation: Operation, identity: UUID, target: Fact | None) -> Receipt:
        if target and not may_supersede(operation, target):
            target = None  # what is said is kept; a fact about something else is none of its business
        where, start = self._place(operation, target), operation.valid_from or self.source.at
        check_term(start, operation.valid_to)
        slot, before = where.slot, self.slots.at(where.slot, start)
        statement = self._told(operation, identity, where, start, target)
        if before and normalise(before.value) == normalise(statement.value):
            statement = self._confirming(statement, before)
        replaces = target and target.slot == slot and normalise(target.value) != normalise(statement.value)
        if target and replaces and self._give_way(operation, target, start):
            before = target
        if target and target.slot != slot and _reaches(target, start):
            self._give_way(operation, target, start)
            ended = operation.model_copy(update={"action": Action.END, "value": "", "content": ""})
            self.slots.add(self._statement(ended, self._part(operation), target.slot, start, like=target))
            before = target
        self.slots.add(statement)
        return Receipt(
            statement.action, "applied", _why(statement, before), identity, before, self.slots.at(slot, start)
        )

    def _confirming(self, statement: Statement, before: Fact) -> Statement:
        """The same value said again. Without a date it says nothing of the end that was stated for the value."""
        if statement.dated or statement.stated_to:
            return replace(statement, action=Action.CONFIRM)
        last = max(self.slots.interval(before).statements, key=lambda told: (told.valid_from, *recorded_order(told)))
        return replace(statement, action=Action.CONFIRM, stated_to=last.stated_to)

    def _give_way(self, operation: Operation, target: Fact, at: datetime) -> bool:
        """Let what was told of the target without a date not count from `at` on; whether there was such.

        Whoever says now that it was over at `at` knows better than an undated "it holds" that came between. If nothing
        else was told of the target, it held before, since nobody knows when.
        """
        told = self.slots.interval(target).statements
        late = tuple(statement.id for statement in told if not statement.dated and statement.valid_from >= at)
        if late and len(late) == len(told):
            self.slots.add(replace(self._held_before(operation, target), targets=late))
        elif late:
            self.slots.add(self._retraction(operation, self._part(operation, "gives way"), target, late))
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
            expires_at=target.expires_at,
        )
        part = self._part(operation, "gives way")
        return replace(self._statement(again, part, target.slot, UNKNOWN_START), agent=target.agent)

    def _correct(self, operation: Operation, identity: UUID, target: Fact | None) -> Receipt:
        if target and not (may_supersede(operation, target) or operation.approved_by):
            asserted = operation.model_copy(update={"action": Action.ASSERT})
            return self._assert(asserted, identity, None)  # what it names is another matter, and stays
        where = self._place(operation, target)
        slot = where.slot
        old = target or self.slots.at(slot, operation.valid_from or self.source.at) or self.slots.latest(slot)
        if old is None:
            return self._assert(operation.model_copy(update={"action": Action.ASSERT}), identity, None)
        interval = self.slots.interval(old)
        start = operation.valid_from or old.valid_from
        stated_to = operation.valid_to or (None if operation.valid_from else interval.opening.stated_to)
        check_term(start, stated_to)
        struck = tuple(statement.id for statement in interval.statements)
        dated = old.dated or operation.valid_from is not None
        told = self._told(operation, identity, where, start, target)
        expires_at = operation.expires_at or old.expires_at
        statement = replace(told, stated_to=stated_to, dated=dated, expires_at=expires_at)
        if old.slot == slot:
            self.slots.add(replace(statement, targets=struck))
        else:
            self.slots.add(self._retraction(operation, self._part(operation), old, struck))
            self.slots.add(statement)
        return Receipt(Action.CORRECT, "applied", "the old was never true", identity, old, self.slots.at(slot, start))

    def _end(self, operation: Operation, identity: UUID, target: Fact | None) -> Receipt:
        slot, at = target.slot if target else self._place(operation).slot, operation.valid_from or self.source.at
        if target and target.dated and target.valid_from >= at:
            why = f"it only began at {target.valid_from.isoformat()}"
            return Receipt(Action.END, "dropped", why, before=target)
        if target and target.valid_to and target.valid_to <= at:
            return Receipt(Action.END, "unchanged", f"it ended at {target.valid_to.isoformat()} already", before=target)
        if target:
            self._give_way(operation, target, at)
        before = self.slots.at(slot, at)
        like = target or before or self.slots.latest(slot)
        self.slots.add(self._statement(operation, identity, slot, at, like=like))
        why = "it holds until then" if before else "nothing held then; kept for what may be told later"
        return Receipt(Action.END, "applied", why, identity, before, self.slots.at(slot, at))

    def _retract(self, operation: Operation, identity: UUID, target: Fact | None) -> Receipt:
        slot, at = target.slot if target else self._place(operation).slot, operation.valid_from or self.source.at
        old = target or self.slots.at(slot, at) or self.slots.latest(slot)
        if old is None:
            # Kept although it strikes nothing: the same turn written again must not strike what came since.
            self.slots.add(self._statement(operation, identity, slot, at))
            return Receipt(
                Action.RETRACT, "unchanged", f"nothing is known of {operation.attribute or 'this'}", identity
            )
        struck = tuple(statement.id for statement in self.slots.interval(old).statements)
        self.slots.add(self._retraction(operation, identity, old, struck))
        why = "it was never true"
        return Receipt(Action.RETRACT, "applied", why, identity, old, self.slots.at(old.slot, old.valid_from))

    def _agent(self, target: Fact | None) -> str:
        """Whose memory is written: what replaces a fact is for all who had it, be it the shared memory."""
        return target.agent if target else self.scope.agent

    def _place(self, operation: Operation, target: Fact | None = None) -> Place:
        return place(replace(self.scope, agent=self._agent(target)), operation, self.slots)

    def _told(
        self, operation: Operation, identity: UUID, where: Place, start: datetime, target: Fact | None
    ) -> Statement:
        statement = self._statement(operation, identity, where.slot, start)
        return replace(statement, agent=self._agent(target), value=where.value, said=where.said)

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
            cardinality=like.cardinality if like else cardinality_in(operation),
            value="" if like else value_in(operation),
            content="" if like else content_of(operation),
            kind=like.kind if like else operation.kind,
            importance=operation.importance,
            confidence=operation.confidence,
            trust=operation.trust,
            valid_from=start,
            dated=operation.valid_from is not None,
            stated_to=None if operation.action in {Action.END, Action.RETRACT} else operation.valid_to,
            recorded_at=self.slots.recorded_at,
            ordinal=0,
            targets=(),
            thread=self.source.thread,
            message=self.source.message,
            author=operation.approved_by or self.source.author,
            evidence=operation.evidence,
            expires_at=None if operation.action in {Action.END, Action.RETRACT} else operation.expires_at,
        )

    def _retraction(self, operation: Operation, identity: UUID, old: Fact, struck: tuple[UUID, ...]) -> Statement:
        retracting = operation.model_copy(update={"action": Action.RETRACT})
        statement = self._statement(retracting, identity, old.slot, old.valid_from, like=old)
        return replace(statement, targets=struck)

    def _part(self, operation: Operation, part: str = "other slot") -> UUID:
        """Id of a statement that an operation makes besides its own."""
        return statement_id(self.scope, self.source, operation, part)

    def _check_version(self, operation: Operation, target: Fact | None) -> None:
        expected = operation.expected_version
        if expected is not None and target is not None and target.version != expected:
            raise StaleFact(
                f"fact {target.id} has version {target.version}, not {expected}: it has changed since it was read;"
                " read it again and decide anew"
            )

"""What memory made of a case, judged by its label: from the statements that are stored alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from bench.writes_cases import Case, Label, Labelled, Told
from perdure.attributes import BUILT_IN
from perdure.facts import USER, Action, Operation, Statement
from perdure.text import normalise
from perdure.timeline import Interval, recorded_order, timeline

_SAYS = {Action.ASSERT, Action.CONFIRM, Action.CORRECT}
_KINDRED = ({"likes", "hobby"}, {"dislikes", "food.avoids"})
"""Attributes of which either may be given to one and the same sentence."""


class Metric(StrEnum):
    FALSE_SUPERSESSION = "false supersessions"
    """What still holds was closed. Of all that was known and that the last message does not end."""
    MISSED_SUPERSESSION = "missed supersessions"
    """What is over still holds. Of all that was known and that the last message ends."""
    MISSED_CORRECTION = "missed corrections"
    """What was never true still counts, now or as history. Of all that was known and is corrected."""
    FALSE_MERGE = "false merges"
    """Two things pass for one. Of all pairs of which both are stored."""
    MISSED_MERGE = "missed merges"
    """One thing is kept as two. Of all that is said again and stored again."""
    JUNK = "junk stored"
    """Messages of which something is stored that the label does not know. Of all messages."""
    EVIDENCE = "evidence violations"
    """Statements with words that the user has not said. Of all statements that say something."""
    WRONG_DATE = "wrong dates"
    """Of all labelled operations that are stored."""
    TWO_NAMES = "two names"
    """One attribute under two names. Of all pairs of which both are stored and named."""
    NOT_STORED = "not stored"
    """Of all labelled operations that may not be left out."""
    LOST = "lost by the guards"
    """What the model asked for was dropped, or made something else of. Of all labelled operations."""


@dataclass(frozen=True, slots=True)
class Judgement:
    metric: Metric
    case: Case
    failed: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What the guards left of a model's answer to a message, and why not all of it."""

    operations: tuple[Operation, ...]
    why: str


@dataclass(frozen=True)
class Outcome:
    """What is stored after a case: all statements, of which message n is the thread n."""

    case: Case
    statements: tuple[Statement, ...]
    asked: tuple[Asked, ...] = ()
    """By message, where a model was asked."""

    def of(self, turn: int) -> list[Statement]:
        return [statement for statement in self.statements if statement.thread == thread_of(turn)]

    def stored(self, told: Told) -> Statement | None:
        """The statement of a labelled operation, of the message that the operation is labelled for."""
        return min((one for one in self.of(told.turn) if _is(one, told.label)), key=recorded_order, default=None)

    @cached_property
    def known(self) -> tuple[Interval, ...]:
        """The intervals as they were before the last message."""
        last = thread_of(len(self.case.messages) - 1)
        return _intervals(one for one in self.statements if one.thread != last)

    @cached_property
    def intervals(self) -> tuple[Interval, ...]:
        return _intervals(self.statements)


def thread_of(turn: int) -> str:
    return f"message {turn}"


def judge(outcome: Outcome) -> Iterator[Judgement]:
    """Every opportunity of a failure that the case gives, and whether it was taken."""
    case = outcome.case
    for turn in range(len(case.messages)):
        yield from _of_message(outcome, turn)
    old, new = case.pair()
    for told in case.known:
        known = outcome.stored(told)
        if known and _holding(outcome.known, known, case.last.sent_at):
            yield _of_known(outcome, known, case.label if told == old else Label.SEPARATE)
    first, again = outcome.stored(old), outcome.stored(new) if new else None
    if new and first and again and again.action in _SAYS:
        yield from _of_pair(outcome, first, again, same=old.about == new.about)


def _of_known(outcome: Outcome, known: Statement, label: Label) -> Judgement:
    """Whether what was known holds as it must, where the last message does to it what the label says."""
    case, holds = outcome.case, _holding(outcome.intervals, known, outcome.case.last.sent_at)
    match label:
        case Label.SUPERSEDE | Label.END:
            return Judgement(Metric.MISSED_SUPERSESSION, case, holds, f"{_shown(known)} still holds")
        case Label.CORRECT:
            counts = _interval(outcome.intervals, known) is not None
            return Judgement(Metric.MISSED_CORRECTION, case, counts, f"{_shown(known)} still counts")
        case _:
            return Judgement(Metric.FALSE_SUPERSESSION, case, not holds, f"{_shown(known)} no longer holds")


def _of_pair(outcome: Outcome, first: Statement, again: Statement, *, same: bool) -> Iterator[Judgement]:
    """Whether two sayings became one where they are, and only there; `same` if they are about one attribute."""
    case, pair = outcome.case, f"{_shown(first)} and {_shown(again)}"
    interval = _interval(outcome.intervals, again)
    one = interval is not None and interval == _interval(outcome.intervals, first)
    if case.label is Label.MERGE:
        yield Judgement(Metric.MISSED_MERGE, case, not one, f"{pair} are two")
    else:
        yield Judgement(Metric.FALSE_MERGE, case, one, f"{pair} are one")
    if same and first.attribute and again.attribute:
        yield Judgement(Metric.TWO_NAMES, case, first.attribute != again.attribute, pair)


def _of_message(outcome: Outcome, turn: int) -> Iterator[Judgement]:
    """What was stored of one message: all that is labelled, nothing else, with its dates, in the user's words."""
    case = outcome.case
    labels = [told.label for told in case.told if told.turn <= turn]
    said = [statement for statement in outcome.of(turn) if statement.action in _SAYS]
    junk = [statement for statement in said if not any(_is(statement, label) for label in labels)]
    yield Judgement(Metric.JUNK, case, bool(junk), "; ".join(map(_shown, junk)))
    heard = normalise(" ".join(message.said for message in case.messages[: turn + 1]))
    for statement in said:
        unsaid = _unsaid(statement, heard)
        yield Judgement(Metric.EVIDENCE, case, bool(unsaid), f"{_shown(statement)}: {unsaid}")
    for told in case.told:
        if told.turn == turn:
            yield from _of_operation(outcome, told)


def _of_operation(outcome: Outcome, told: Told) -> Iterator[Judgement]:
    """Whether one labelled operation is stored, and under its date."""
    case, label, stored = outcome.case, told.label, outcome.stored(told)
    if outcome.asked:
        asked = outcome.asked[told.turn]
        lost = not any(_is(operation, label) for operation in asked.operations)
        yield Judgement(
            Metric.LOST, case, lost, f"{label.action} {label.attribute or 'note'}={label.value}: {asked.why}"
        )
    if not label.optional:
        missing = f"{label.action} {label.attribute or 'note'}={label.value}"
        yield Judgement(Metric.NOT_STORED, case, stored is None, missing)
    if stored and (label.starts or stored.action is not Action.CORRECT):
        right = label.starts or case.messages[told.turn].sent_at
        detail = f"{_shown(stored)} from {stored.valid_from:%Y-%m-%d}, not {right:%Y-%m-%d}"
        yield Judgement(Metric.WRONG_DATE, case, stored.valid_from != right, detail)


def _is(statement: Statement | Operation, label: Labelled) -> bool:
    """Whether this is the labelled operation, or the statement of it. An end names no value: the attribute tells."""
    if label.ends != (statement.action is Action.END):
        return False
    if not (label.ends or statement.action in _SAYS) or not _is_subject(statement, label):
        return False
    if not _is_attribute(statement.attribute, label.attribute):
        return False
    return label.ends or _is_value(statement, label)


def _is_subject(statement: Statement | Operation, label: Labelled) -> bool:
    if label.subject == USER:
        return statement.subject == USER
    return normalise(statement.subject) in {normalise(subject) for subject in (label.subject, *label.subjects)}


def _is_attribute(stored: str, labelled: str) -> bool:
    """The same, or a name outside the vocabulary, or a note, of which nobody can say that it is another."""
    if stored == labelled or BUILT_IN.find(stored) is None:
        return True
    if labelled and BUILT_IN.find(labelled) is None:
        return True
    return any({stored, labelled} <= kindred for kindred in _KINDRED)


def _is_value(statement: Statement | Operation, label: Labelled) -> bool:
    said = statement.said if isinstance(statement, Statement) else ""
    stored = normalise(said or statement.value or statement.content)
    return any(_holds(stored, wanted := normalise(value)) or _holds(wanted, stored) for value in label.values)


def _holds(text: str, part: str) -> bool:
    """Whether the text has the part in it, not as a part of a longer number."""
    return bool(part) and bool(re.search(rf"(?<!\d){re.escape(part)}(?!\d)", text))


def _unsaid(statement: Statement, heard: str) -> str:
    """The words that were never said. A Korean word may have changed its ending."""
    words = normalise(f"{statement.value} {statement.content}").split()
    bare = [word.strip(".,!?\"'“”‘’:;()") for word in words]
    return " ".join(word for word in bare if word not in heard and not (len(word) > 1 and word[:-1] in heard))


def _intervals(statements: Iterable[Statement]) -> tuple[Interval, ...]:
    slots: dict[object, list[Statement]] = {}
    for statement in statements:
        slots.setdefault(statement.slot, []).append(statement)
    return tuple(interval for told in slots.values() for interval in timeline(told))


def _interval(intervals: Sequence[Interval], statement: Statement) -> Interval | None:
    return next((one for one in intervals if any(told.id == statement.id for told in one.statements)), None)


def _holding(intervals: Sequence[Interval], statement: Statement, at: datetime) -> bool:
    """Whether what was stated holds. Told again for a time before, it may stand under another statement's id."""
    found = _interval(intervals, statement)
    if found is None:
        key = normalise(statement.value)
        return any(i.opening.slot == statement.slot and i.key == key and i.holds_at(at) for i in intervals)
    return found.holds_at(at)


def _shown(statement: Statement) -> str:
    value = f"{statement.said or statement.value}"
    return f"{statement.attribute or 'note'}={value}"

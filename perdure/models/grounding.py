"""From what a model extracted to operations that may be written: only what the user's own words say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from perdure.attributes import Cardinality
from perdure.context_block import flatten
from perdure.coverage import Source
from perdure.errors import InvalidInput
from perdure.facts import USER, Action, Operation, Trust
from perdure.models.changes import tells_change
from perdure.models.dating import Term, days_in, term_in
from perdure.models.denial import denies
from perdure.models.evidence import Passage, find_passage
from perdure.models.memories import NAMES, Memories, Memory
from perdure.models.subjects import is_self, subject_of
from perdure.models.topics import names_attribute, speaks_of
from perdure.models.wording import check_value, sentence_of
from perdure.offline.remembered import remembered
from perdure.offline.tastes import turned
from perdure.prompts.extract import ExtractedOperation
from perdure.sensitivity import Sensitivity
from perdure.text import CONTENT_LIMIT, VALUE_LIMIT, check_text, normalise
from perdure.turn import DECISION_SHOWN, Known, SaveDecision, Turn

_TAKES_BACK = {Action.END, Action.RETRACT}
_OF_A_MEMORY = _TAKES_BACK | {Action.CORRECT}
_LABELS = {label.value: label for label in Sensitivity}


@dataclass(frozen=True, slots=True)
class Grounded:
    operations: tuple[Operation, ...]
    decisions: tuple[SaveDecision, ...]
    why: str


def ground(extracted: Sequence[ExtractedOperation], turn: Turn, known: Known, memories: Memories) -> Grounded:
    """The operations that the turn bears out, each once, and what was decided about every candidate."""
    grounds, facts = Grounds(turn, known, memories), remembered(known.recalled)
    operations: dict[Operation, None] = {}
    dropped: Counter[str] = Counter()
    decisions: list[SaveDecision] = []
    for candidate in extracted:
        reason = ""
        if candidate.should_save:
            try:
                operation = grounds.operation(candidate)
                operations[operation] = None
                if ended := turned(operation, facts):
                    operations[ended] = None
            except ValidationError:
                reason = "incomplete"
            except InvalidInput as objection:
                reason = str(objection)
            dropped.update([reason] if reason else [])
        decisions.append(_decision(candidate, candidate.should_save and not reason, reason))
    reasons = ", ".join(f"{reason} ({count})" for reason, count in dropped.items())
    why = f"the model asked for {len(operations)} changes" if operations else "the model found nothing to remember"
    return Grounded(tuple(operations), tuple(decisions), f"{why}; dropped: {reasons}" if reasons else why)


def _decision(candidate: ExtractedOperation, saved: bool, reason: str) -> SaveDecision:
    what, why = (flatten(text)[:DECISION_SHOWN] for text in (candidate.evidence.quote, reason or candidate.reason))
    return SaveDecision(what, saved, why or ("worth keeping" if saved else "not worth keeping"))


@dataclass(frozen=True, slots=True)
class Grounds:
    """What the operations of one turn may rest on."""

    turn: Turn
    known: Known
    memories: Memories
    _sources: dict[object, Source] = field(default_factory=dict)

    def operation(self, candidate: ExtractedOperation) -> Operation:
        """Raises `InvalidInput` or `ValidationError` for an operation that must not be written."""
        passage = find_passage(candidate.evidence.quote, candidate.evidence.source, self.turn)
        action = Action(candidate.action)
        target = self.memories.by_id.get(candidate.target.strip())
        if target is None and candidate.target.strip() and action in _OF_A_MEMORY:
            raise InvalidInput("an unknown memory")
        if (objection := passage.objection()) and not (action in _TAKES_BACK and passage.asks_to_forget()):
            raise InvalidInput(objection)
        term = term_in(candidate.valid_from, candidate.valid_to, passage, self.turn.at)
        match action:
            case Action.EPISODE:
                return self._episode(candidate, passage, term)
            case Action.END | Action.RETRACT:
                return self._taken_back(candidate, passage, term, target)
            case Action.CONFIRM if target:
                return self._confirmation(candidate, passage, Term(None, None), target)
        return self._told(candidate, passage, term, target)

    def _told(self, candidate: ExtractedOperation, passage: Passage, term: Term, target: Memory | None) -> Operation:
        """An assertion or a correction: a value, and a sentence about it."""
        action = Action.CORRECT if candidate.action == "correct" else Action.ASSERT
        attribute = self._attribute(candidate, target if action is Action.CORRECT else None)
        value = _clean(candidate.value, "the value", VALUE_LIMIT)
        if value:
            check_value(value, attribute, passage, self._said(passage), self.known.vocabulary)
        subject = self._subject(candidate, attribute, passage)
        cardinality = self._cardinality(candidate, attribute)
        single = not attribute or cardinality is Cardinality.SINGLE
        if target and not (attribute == target["attribute"] and normalise(subject) == normalise(target["subject"])):
            target, action = None, Action.ASSERT  # what the memory says is another matter, and stays
        if action is Action.CORRECT and target and not self._is_about(passage, target):
            raise InvalidInput("nothing in the user's words is about that memory")
        if passage.trust is not Trust.USER or (single and tells_change(passage.surroundings)):
            action = Action.ASSERT  # nothing says that the memory was never true: it stays as history
        if action is Action.ASSERT and (same := self.memories.same(subject, attribute, value, candidate.content)):
            return self._confirmation(candidate, passage, term, same)
        _check_order(term, action, target, self.turn.at)
        return Operation(
            action=action,
            attribute=attribute,
            value=value,
            content=self._content(candidate, passage, attribute, target, subject),
            subject=subject,
            cardinality=cardinality if attribute and not self.known.vocabulary.find(attribute) else None,
            valid_from=term.start,
            valid_to=term.end,
            target=UUID(target["id"]) if target and (single or action is Action.CORRECT) else None,
            **_shared(candidate, passage),
        )

    def _confirmation(self, candidate: ExtractedOperation, passage: Passage, term: Term, target: Memory) -> Operation:
        """The memory's own words again: a confirmation changes nothing but how often it was said, and since when."""
        if target["past"]:
            raise InvalidInput("a confirmation of what is past")
        words, told = Source(passage.surroundings), target["value"] or target["content"]
        if not words.bears_out(told) or denies(passage.spoken, target["attribute"], target["value"]):
            raise InvalidInput("a confirmation of what the user did not say")
        return Operation(
            action=Action.CONFIRM,
            attribute=target["attribute"],
            value=target["value"],
            content=target["content"],
            subject=target["subject"],
            valid_from=term.start,
            valid_to=term.end,
            target=UUID(target["id"]),
            **_shared(candidate, passage),
        )

    def _taken_back(
        self, candidate: ExtractedOperation, passage: Passage, term: Term, target: Memory | None
    ) -> Operation:
        """An end or a retraction."""
        attribute = self._attribute(candidate, target)
        if target is None and attribute:
            subject = self._subject(candidate, attribute, passage)
            target = self.memories.meant(subject, attribute, candidate.value)
        value = target["value"] if target else _clean(candidate.value, "the value", VALUE_LIMIT)
        if target and attribute != target["attribute"]:
            raise InvalidInput("a memory of another attribute")
        if not (self._is_about(passage, target) if target else self._names(passage, attribute, value)):
            raise InvalidInput("nothing in the user's words is about that memory")
        ends = candidate.action == "end"
        return Operation(
            action=Action.END if ends else Action.RETRACT,
            attribute=attribute,
            value=value,
            content=passage.surroundings[:CONTENT_LIMIT],
            subject=target["subject"] if target else self._subject(candidate, attribute, passage),
            valid_from=(term.start or term.end) if ends else None,
            target=UUID(target["id"]) if target else None,
            **_shared(candidate, passage),
        )

    def _episode(self, candidate: ExtractedOperation, passage: Passage, term: Term) -> Operation:
        content = self._content(candidate, passage, "", None, USER)
        return Operation(action=Action.EPISODE, content=content, valid_from=term.start, **_shared(candidate, passage))

    def _said(self, passage: Passage) -> Source:
        key = (passage.source, passage.surroundings)
        if key not in self._sources:
            self._sources[key] = Source(passage.source, days_in(passage.surroundings, self.turn.at))
        return self._sources[key]

    def _content(
        self, candidate: ExtractedOperation, passage: Passage, attribute: str, target: Memory | None, subject: str
    ) -> str:
        if not (content := _clean(candidate.content, "the content", CONTENT_LIMIT)):
            return ""
        if is_self(candidate.subject) and subject != USER:
            return passage.surroundings[:CONTENT_LIMIT]  # the model's sentence says it of the user
        before = [Source(target["content"])] if target else []
        said, value = self._said(passage), candidate.value if attribute else ""
        return sentence_of(content, value, attribute, passage, said, self.known.vocabulary, *before)

    def _subject(self, candidate: ExtractedOperation, attribute: str, passage: Passage) -> str:
        subject, said = _clean(candidate.subject, "the subject", VALUE_LIMIT), self._said(passage)
        own = self.memories.names() | ({normalise(candidate.value)} if attribute in NAMES else set())
        return subject_of(subject, attribute, passage, said, self.known.vocabulary, self.memories.subjects, own)

    def _attribute(self, candidate: ExtractedOperation, target: Memory | None) -> str:
        if not candidate.attribute.strip():
            return str(target["attribute"]) if target else ""
        try:
            return self.known.vocabulary.canonical(candidate.attribute)
        except InvalidInput:
            raise InvalidInput("an attribute that is not a name") from None

    def _cardinality(self, candidate: ExtractedOperation, attribute: str) -> Cardinality:
        """As the vocabulary says, else as the user's memories use the attribute, else as the model says."""
        told = Cardinality.MANY if candidate.cardinality == "many" else Cardinality.SINGLE
        used = {use.name: use.cardinality for use in self.known.attributes}
        return self.known.vocabulary.cardinality(attribute, used.get(attribute, told))

    def _is_about(self, passage: Passage, target: Memory) -> bool:
        return speaks_of(passage.surroundings, target, self.memories.rivals(target), self.known.vocabulary)

    def _names(self, passage: Passage, attribute: str, value: str) -> bool:
        """Whether the words name the attribute, or the value that it is said to have had."""
        said = self._said(passage).bears_out(value) if value else True
        return said and (bool(value) or names_attribute(passage.surroundings, attribute, self.known.vocabulary))


def _shared(candidate: ExtractedOperation, passage: Passage) -> dict[str, Any]:
    """What operations of every kind have."""
    return {
        "kind": candidate.kind,
        "importance": min(max(candidate.importance, 1), 10),
        "confidence": min(max(candidate.confidence, 0.0), 1.0),
        "trust": passage.trust,
        "evidence": passage.quote,
        "sensitivity": frozenset(_LABELS[label] for label in candidate.sensitivity if label in _LABELS),
    }


def _check_order(term: Term, action: Action, target: Memory | None, at: datetime) -> None:
    old = datetime.fromisoformat(target["valid_from"]) if target and action is Action.CORRECT else at
    if term.end and term.end <= (term.start or old):
        raise InvalidInput("a term that ends before it begins")


def _clean(text: str, what: str, limit: int) -> str:
    return check_text(text, what, limit=limit) if text.strip() else ""

"""From one clause to the operations that it asks for: rules, dates and what memory holds already, put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from perdure.attributes import BUILT_IN, Cardinality
from perdure.facts import USER, Action, Operation
from perdure.offline.corrections import instead
from perdure.offline.dates import Dates, Term, past_term_of, term_of
from perdure.offline.english import RULES as ENGLISH_RULES
from perdure.offline.english import english_relative, english_values
from perdure.offline.korean import RULES as KOREAN_RULES
from perdure.offline.korean import korean_other, korean_relative, korean_values
from perdure.offline.remembered import Remembered, naming, of_attribute
from perdure.offline.rules import Rule, group, kind_of, relation_attribute
from perdure.offline.tastes import turned
from perdure.text import normalise
from perdure.turn import Language

_ALONE = {"goal", "reply.style", "language.reply"}
"""A clause that says one of these says nothing else."""
_NOTE_IMPORTANCE = 7
OF_LATE = timedelta(days=731)
"""As far back as “last year” may reach."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing said: the words, the sentence they stand in, the dates in them, and what memory holds already."""

    text: str
    sentence: str
    evidence: str
    at: datetime
    dates: Dates
    language: Language
    facts: Sequence[Remembered]
    corrects: bool
    """The sentence announces a correction."""


@dataclass(frozen=True, slots=True)
class _Found:
    rule: Rule
    attribute: str
    value: str


def operations_of(clause: Clause) -> list[Operation]:
    """The operations that the clause asks for; a note if all it tells is about a relative or a time unknown."""
    if correction := _correction(clause):
        return [correction]
    found = list(_found(clause))
    operations = [operation for one in found if (operation := _operation(one, clause))]
    operations += [end for operation in operations if (end := turned(operation, clause.facts))]
    if not found and (relative := _relative(clause)):
        operations.append(note(clause.sentence, clause.evidence, relative))
    return operations


def note(sentence: str, evidence: str, subject: str = USER) -> Operation:
    """A sentence worth keeping that says nothing about a known attribute."""
    return Operation(content=sentence, subject=subject, importance=_NOTE_IMPORTANCE, evidence=evidence)


def _correction(clause: Clause) -> Operation | None:
    """Of "Incheon, not Ilsan", if memory holds the value that is denied."""
    pair = instead(clause.text, clause.language)
    old = naming(clause.facts, pair[1]) if pair else None
    if pair is None or old is None:
        return None
    values = _values(old.attribute, pair[0], "", clause.language)
    if not values or not values[0]:
        return None
    return Operation(
        action=Action.CORRECT,
        attribute=old.attribute,
        value=values[0],
        content=clause.sentence,
        kind=kind_of(old.attribute),
        importance=old.importance,
        target=old.id,
        evidence=clause.evidence,
    )


def _found(clause: Clause) -> Iterator[_Found]:
    """What the rules find, each attribute and each value once, the first rule winning."""
    attributes: set[str] = set()
    values: list[str] = []
    others = clause.language == "ko" and korean_other(clause.text) is not None
    for rule in KOREAN_RULES if clause.language == "ko" else ENGLISH_RULES:
        found = rule.pattern.search(clause.text if rule.timeless else clause.dates.rest)
        relation = group(found, "relation")[0] if found else ""
        if not found or (others and not relation):
            continue
        attribute = relation_attribute(relation) if relation else rule.attribute
        words, start = group(found, "value")
        said = _values(attribute, words, "" if relation else found.string[:start], clause.language) if words else [""]
        if attribute in attributes or any(_overlaps(value, values) for value in said):
            continue
        for value in said:
            if value or rule.action is Action.END:
                attributes.add(attribute)
                values.append(value)
                yield _Found(rule, attribute, value)
        if attributes & _ALONE:
            return


def _values(attribute: str, words: str, before: str, language: Language) -> list[str]:
    if language == "ko":
        return korean_values(attribute, words, before) or []
    return english_values(attribute, words)


def _overlaps(value: str, taken: Sequence[str]) -> bool:
    key = normalise(value)
    return bool(key) and any(key in (other := normalise(one)) or other in key for one in taken if one)


def _operation(found: _Found, clause: Clause) -> Operation | None:
    if found.rule.action is Action.END:
        return _end(found, clause)
    term: Term | None = Term() if found.rule.timeless else term_of(clause.dates)
    if found.rule.past:
        term = past_term_of(clause.dates)
    if term is None:
        return _over(found, clause)
    old = _replaced(found, term, clause)
    return Operation(
        action=Action.CORRECT if clause.corrects else Action.ASSERT,
        attribute=found.attribute,
        value=found.value,
        content=clause.sentence,
        kind=kind_of(found.attribute),
        importance=found.rule.importance,
        valid_from=term.valid_from,
        valid_to=term.valid_to,
        target=old.id if old else None,
        evidence=clause.evidence,
    )


def _replaced(found: _Found, term: Term, clause: Clause) -> Remembered | None:
    """The fact that must be named: the one that is corrected, or replaced by a change of late.

    What was told of it after the change, but without a date, would otherwise count from the day on which it was told,
    and the change, being older, would be filed behind it. A change of long ago is a story: the present stands.
    """
    old = of_attribute(clause.facts, found.attribute)
    single = BUILT_IN.cardinality(found.attribute) is Cardinality.SINGLE
    if old is None or clause.corrects:
        several = not single and sum(fact.attribute == found.attribute for fact in clause.facts) > 1
        return None if several else old  # of several values nobody can tell which one is meant
    replaces = single and normalise(old.value) != normalise(found.value)
    recent = term.valid_from is not None and clause.at - term.valid_from <= OF_LATE
    return old if replaces and recent and not found.rule.past else None


def _end(found: _Found, clause: Clause) -> Operation | None:
    """The end of what memory holds, or of what the sentence names; of another value nothing has ended."""
    value = "" if relation_attribute(found.value) == "family.partner" else found.value
    facts = clause.facts
    old = naming(facts, value, found.attribute) if value else of_attribute(facts, found.attribute)
    attribute = old.attribute if old else found.attribute
    if not attribute:
        return note(clause.sentence, clause.evidence)
    single = BUILT_IN.cardinality(attribute) is Cardinality.SINGLE
    if old is None and ((single and value and of_attribute(facts, attribute)) or (not single and not value)):
        return None
    at = clause.dates.since or clause.dates.on or clause.dates.until
    return Operation(
        action=Action.END,
        attribute=attribute,
        value=old.value if old else value,
        content=clause.sentence,
        kind=kind_of(attribute),
        importance=found.rule.importance,
        valid_from=at.start if at else None,
        target=old.id if old else None,
        evidence=clause.evidence,
    )


def _over(found: _Found, clause: Clause) -> Operation | None:
    """What was so at a time that is not told: the end of it if memory thinks that it holds, else a note."""
    old = naming(clause.facts, found.value, found.attribute)
    return _end(found, clause) if old else note(clause.sentence, clause.evidence)


def _relative(clause: Clause) -> str:
    return korean_relative(clause.text) if clause.language == "ko" else english_relative(clause.text)

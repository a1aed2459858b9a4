"""The extractor that needs no model: rules find what is said outright, in English and in Korean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from perdure.facts import Operation
from perdure.language import detect_language
from perdure.offline.corrections import without_announcement
from perdure.offline.english_dates import english_dates
from perdure.offline.gate import Speech, asks_to_remember, speech, without_asking
from perdure.offline.korean_dates import korean_dates
from perdure.offline.operations import Clause, note, operations_of
from perdure.offline.remembered import Remembered, remembered
from perdure.offline.repetition import gate_turn
from perdure.offline.sentences import clauses, sentences, straight, without_quotations
from perdure.turn import Extraction, Known, SaveDecision, Turn

_UNKNOWN = "nothing that a rule knows is stated"


class RuleExtractor:
    """Implements `perdure.ports.Extractor` without a model: deterministic, and silent when in doubt."""

    async def extract(self, turn: Turn, known: Known, *, model: str = "") -> Extraction:
        """The operations that the user's own words ask for; what the assistant said is not looked at."""
        gated = gate_turn(turn, known)
        if not gated.gate.remember:
            return gated
        facts = remembered(known.recalled)
        found: dict[tuple[str, str, str, str], Operation] = {}
        decisions: list[SaveDecision] = []
        for sentence in sentences(turn.user_text):
            operations = _of_sentence(sentence, turn.at, facts)
            decisions += _decisions(sentence, operations)
            for operation in operations:
                same = (operation.action, operation.subject, operation.attribute, operation.value or operation.content)
                found.setdefault(same, operation)
        why = gated.why if found else _UNKNOWN
        return Extraction(tuple(found.values()), why, gated.gate, tuple(decisions))


def _decisions(sentence: str, operations: Sequence[Operation]) -> list[SaveDecision]:
    if operations:
        return [SaveDecision(operation.evidence, True, "a rule knows it") for operation in operations]
    return [SaveDecision(sentence, False, next((kind.value for kind in _unsaid(sentence)), _UNKNOWN))]


def _unsaid(sentence: str) -> Iterator[Speech]:
    """What the clauses are that state nothing."""
    language = detect_language(sentence)
    parts = clauses(sentence, language)
    kinds = (speech(part, language, last=part is parts[-1]) for part in parts)
    return (kind for kind in kinds if kind is not Speech.STATEMENT)


def _of_sentence(sentence: str, at: datetime, facts: Sequence[Remembered]) -> list[Operation]:
    """The operations of a sentence; a note only if it says nothing else."""
    language = detect_language(sentence)
    corrected = without_announcement(sentence)
    parts = clauses(sentence if corrected is None else corrected, language)
    operations: list[Operation] = []
    for index, part in enumerate(parts):
        if speech(part, language, last=index == len(parts) - 1) is not Speech.STATEMENT:
            continue
        text = without_quotations(straight(without_asking(part)))
        dates = korean_dates(text, at) if language == "ko" else english_dates(text, at)
        operations += operations_of(Clause(text, sentence, part, at, dates, language, facts, corrected is not None))
    if not operations and asks_to_remember(sentence):
        operations.append(note(sentence, sentence))
    return [operation for operation in operations if operation.attribute] or operations[:1]

"""The extractor that needs no model: rules find what is said outright, in English and in Korean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from perdure.facts import Operation
from perdure.language import detect_language
from perdure.offline.corrections import without_announcement
from perdure.offline.english_dates import english_dates
from perdure.offline.gate import Speech, asks_to_remember, gate, speech, without_asking
from perdure.offline.korean_dates import korean_dates
from perdure.offline.operations import Clause, note, operations_of
from perdure.offline.remembered import Remembered, remembered
from perdure.offline.sentences import clauses, sentences, straight, without_quotations
from perdure.turn import Extraction, Turn


class RuleExtractor:
    """Implements `perdure.ports.Extractor` without a model: deterministic, and silent when in doubt."""

    async def extract(self, turn: Turn, recalled: Sequence[Mapping[str, Any]], *, model: str = "") -> Extraction:
        """The operations that the user's own words ask for; what the assistant said is not looked at."""
        decision = gate(turn.user_text)
        if not decision.remember:
            return Extraction((), decision.why)
        facts = remembered(recalled)
        found: dict[tuple[str, str, str, str], Operation] = {}
        for sentence in sentences(turn.user_text):
            for operation in _of_sentence(sentence, turn.at, facts):
                same = (operation.action, operation.subject, operation.attribute, operation.value or operation.content)
                found.setdefault(same, operation)
        return Extraction(tuple(found.values()), decision.why if found else "nothing that a rule knows is stated")


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

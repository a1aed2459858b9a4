"""The gate of a turn: besides what says nothing, it keeps from the extractors what only repeats what was recalled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from perdure.facts import Action, Operation
from perdure.language import detect_language
from perdure.offline.dates import Moment
from perdure.offline.english_dates import english_dates
from perdure.offline.gate import Speech, gate, speech, without_asking
from perdure.offline.korean_dates import korean_dates
from perdure.offline.sentences import clauses, sentences
from perdure.text import normalise
from perdure.turn import Extraction, GateDecision, Known, SaveDecision, Turn

Hit = Mapping[str, Any]
"""A recalled memory, as `perdure.recall.Hit.to_json` gives it."""

_UNSAID = {Speech.QUESTION, Speech.SMALL_TALK}


def gate_turn(turn: Turn, known: Known) -> Extraction:
    """What the gate makes of a turn. All of it, unless `gate.remember`: then an extractor has to look at the turn."""
    decision = gate(turn.user_text)
    if not decision.remember:
        return Extraction((), decision.why, decision)
    stated = list(_stated(turn.user_text))
    repeated = [_repeated(sentence, known.recalled, turn.at) for sentence in stated]
    if not stated or not all(repeated):
        return Extraction((), decision.why, decision)
    closed = GateDecision(False, "only what is remembered already")
    confirmed = {hit["id"]: (sentence, hit) for sentence, hits in zip(stated, repeated, strict=True) for hit in hits}
    operations = [_confirmation(sentence, hit) for sentence, hit in confirmed.values() if hit["source"] == "fact"]
    decisions = [SaveDecision(sentence, False, "remembered already") for sentence in stated]
    return Extraction(tuple(operations), closed.why, closed, tuple(decisions))


def _stated(message: str) -> Iterator[str]:
    """The sentences that are not merely questions, requests or small talk."""
    for sentence in sentences(message):
        language = detect_language(sentence)
        parts = clauses(sentence, language)
        if any(speech(part, language, last=part is parts[-1]) not in _UNSAID for part in parts):
            yield sentence


def _repeated(sentence: str, recalled: Sequence[Hit], at: datetime) -> list[Hit]:
    """The memories that the sentence repeats: the live facts of these very words, else an exchange that holds them."""
    live = [hit for hit in recalled if hit["source"] == "fact" and not hit["past"]]
    keys = {normalise(sentence), normalise(without_asking(sentence))}
    found = [fact for fact in live if normalise(fact["content"]) in keys]
    if not found:
        found = [hit for hit in recalled if hit["source"] == "episode" and _told(hit, sentence, live)]
    certain = all(_same_dates(sentence, hit, at) and not _changed_since(hit, live) for hit in found)
    return found if certain else []


def _told(exchange: Hit, sentence: str, live: Sequence[Hit]) -> bool:
    """Whether the user said this sentence in the exchange, and what came of it still holds."""
    said, answered, _ = str(exchange["content"]).removeprefix("user: ").partition("\nassistant: ")
    key = normalise(sentence)
    return bool(answered and key in {normalise(other) for other in sentences(said)}) and any(
        _origin(fact) == _origin(exchange) and fact["value"] and normalise(fact["value"]) in key for fact in live
    )


def _changed_since(memory: Hit, live: Sequence[Hit]) -> bool:
    """Whether something else was learned after it: then the old words may be news, as after moving back."""
    return any(fact["recorded_at"] > memory["recorded_at"] and _origin(fact) != _origin(memory) for fact in live)


def _origin(hit: Hit) -> tuple[str, str]:
    return hit["thread"], hit["message"]


def _same_dates(sentence: str, memory: Hit, at: datetime) -> bool:
    """Whether the dates in the sentence are the same days as when it was told: "last month" is another by now."""
    told = datetime.fromisoformat(memory["recorded_at"]).astimezone(at.tzinfo)
    return _dates(sentence, at) == _dates(sentence, told)


def _dates(sentence: str, at: datetime) -> tuple[Moment | None, ...]:
    dates = korean_dates(sentence, at) if detect_language(sentence) == "ko" else english_dates(sentence, at)
    return dates.since, dates.until, dates.on


def _confirmation(sentence: str, fact: Hit) -> Operation:
    return Operation(
        action=Action.CONFIRM,
        attribute=fact["attribute"],
        value=fact["value"],
        content=fact["content"],
        subject=fact["subject"],
        kind=fact["kind"],
        importance=fact["importance"],
        target=UUID(fact["id"]),
        evidence=sentence,
    )

"""The replier that needs no model: it quotes what is remembered, with dates, and says that it does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from langchain_core.messages import AIMessage

from perdure.facts import USER
from perdure.offline.gate import asks, gate
from perdure.offline.question import asked_attributes
from perdure.offline.rules import relation_attribute
from perdure.recall import Hit
from perdure.time import UNKNOWN_START, zone_at
from perdure.turn import Language, Reply, ReplyRequest

MODEL_NAME = "perdure-offline"
UNASKED_QUOTES = 3
"""So many memories are quoted when the question names no attribute: their rank is all that speaks for them."""
NEAR = 0.3
"""Cosine similarity from which a memory that shares no word with the question is quoted."""
QUOTE_LIMIT = 300
"""Longest quotation, in characters."""

_QUOTING = {
    "en": "Offline mode, without a chat model: I can only quote what I remember.",
    "ko": "오프라인 모드(대화 모델 없음)라서 기억하는 내용을 그대로 인용만 합니다.",
}
_NOTHING = {
    "en": "Offline mode, without a chat model: I can only quote memory, and I remember nothing about that.",
    "ko": "오프라인 모드(대화 모델 없음)라서 기억을 인용만 하는데, 그에 대해 기억하는 것이 없습니다.",
}
_TOLD = {
    "en": "Noted. Offline mode, without a chat model: I will look through this for things to remember.",
    "ko": "알겠습니다. 오프라인 모드(대화 모델 없음)이며, 기억할 내용이 있는지 이 말을 살펴보겠습니다.",
}
_SMALL_TALK = {
    "en": "Offline mode, without a chat model: tell me something to remember, or ask what I remember.",
    "ko": "오프라인 모드(대화 모델 없음)입니다. 기억할 내용을 말하거나, 기억하는 것을 물어보세요.",
}


class OfflineReplier:
    """Implements `perdure.ports.Replier` without a model."""

    async def reply(self, request: ReplyRequest) -> Reply:
        """Quotes of the hits that answer the question, in the language of the request."""
        message = AIMessage(content=_answer(request), response_metadata={"model_name": MODEL_NAME})
        return Reply(message, usage=None)


def _answer(request: ReplyRequest) -> str:
    language = request.language
    if not asks(request.question):
        return (_TOLD if gate(request.question).remember else _SMALL_TALK)[language]
    hits = _answering(request.question, request.hits)
    if not hits:
        return _NOTHING[language]
    return "\n".join((_QUOTING[language], *(f"- {_quotation(hit, request)}" for hit in hits)))


def _answering(question: str, hits: Sequence[Hit]) -> list[Hit]:
    """The hits of the attributes that are asked about, what holds before what is past; without any, the nearest ones."""
    asked = asked_attributes(question)
    matching = [hit for hit in hits if _is_about(hit, asked)]
    near = [hit for hit in hits if hit.lexical_score > 0 or hit.vector_score >= NEAR]
    return sorted(matching, key=lambda hit: hit.past) or near[:UNASKED_QUOTES]


def _is_about(hit: Hit, asked: Sequence[str]) -> bool:
    """A note about a relative has no attribute; its subject says whose it is."""
    attribute = hit.attribute if hit.subject == USER else relation_attribute(hit.subject)
    return hit.source == "fact" and attribute in asked


def _quotation(hit: Hit, request: ReplyRequest) -> str:
    words = " ".join(hit.content.split())
    if len(words) > QUOTE_LIMIT:
        words = f"{words[:QUOTE_LIMIT].rstrip()}…"
    language, zone = request.language, zone_at(request.at)
    when = _said(hit, language, zone) if hit.source == "episode" else _term(hit, language, zone)
    return f"“{words}” ({when})"


def _said(hit: Hit, language: Language, zone: tzinfo) -> str:
    day = _day(hit.valid_from.astimezone(zone), language)
    return f"{day}의 대화" if language == "ko" else f"from the conversation of {day}"


def _term(hit: Hit, language: Language, zone: tzinfo) -> str:
    start, end = _beginning(hit, language, zone), _end(hit, language, zone)
    if hit.valid_from == UNKNOWN_START and end:
        return end
    return f"{start}{' ' if language == 'ko' else '; '}{end}" if end else start.removesuffix(",")


def _beginning(hit: Hit, language: Language, zone: tzinfo) -> str:
    """Since when it holds, or where nobody said so, when it was told."""
    if hit.valid_from == UNKNOWN_START:
        return "언제부터인지 모름" if language == "ko" else "since an unknown date"
    day = _day(hit.valid_from.astimezone(zone), language)
    if language == "ko":
        return f"{day}부터" if hit.dated else f"{day}에 들음,"
    return f"since {day}" if hit.dated else f"told on {day}"


def _end(hit: Hit, language: Language, zone: tzinfo) -> str:
    if hit.valid_to is None:
        return ""
    day = _day(hit.valid_to.astimezone(zone), language)
    if language == "ko":
        return f"{day}까지"
    return f"no longer true since {day}" if hit.past else f"until {day}"


def _day(local: datetime, language: Language) -> str:
    if language == "ko":
        return f"{local.year}년 {local.month}월 {local.day}일"
    return f"{local.day} {local:%B} {local.year}"

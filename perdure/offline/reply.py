"""The replier that needs no model: it quotes what is remembered, with dates, and says that it does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from langchain_core.messages import AIMessage

from perdure.asked import TimeUsed
from perdure.asked_time import GRACE
from perdure.facts import USER
from perdure.offline.gate import asks, gate
from perdure.offline.question import asked_attributes
from perdure.offline.rules import relation_attribute
from perdure.period import WORDS, period
from perdure.ports import Tools
from perdure.recall import Hit
from perdure.time import UNKNOWN_START, zone_at
from perdure.turn import QUOTING_MODEL, Language, Reply, ReplyRequest

UNASKED_QUOTES = 3
"""So many memories are quoted when the question names no attribute: their relevance is all that speaks for them."""
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
_OWN = tuple(text for texts in (_QUOTING, _NOTHING, _TOLD, _SMALL_TALK) for text in texts.values())
"""How replies of this replier begin: they say nothing that is not remembered elsewhere."""
_ASKED = {"en": " Asked about: “{words}” ({days}).", "ko": " 질문한 때: “{words}”({days})."}


class OfflineReplier:
    """Implements `perdure.ports.Replier` without a model."""

    async def reply(self, request: ReplyRequest, tools: Tools | None = None) -> Reply:
        """Quotes of the hits that answer the question, in the language of the request; tools are for models."""
        message = AIMessage(content=_answer(request), response_metadata={"model_name": QUOTING_MODEL})
        return Reply((message,))


def _answer(request: ReplyRequest) -> str:
    language = request.language
    if not asks(request.question):
        return (_TOLD if gate(request.question).remember else _SMALL_TALK)[language]
    hits = _answering(request)
    if not hits:
        return _NOTHING[language] + _asked(request)
    return "\n".join((_QUOTING[language] + _asked(request), *(f"- {_quotation(hit, request)}" for hit in hits)))


def _answering(request: ReplyRequest) -> list[Hit]:
    """The hits of the attributes that are asked about; without any, the most relevant ones.

    Of a time that is asked about, what was so then, in order of time; else what holds before what is past.
    """
    time = request.time
    hits = [hit for hit in request.hits if (time is None or _was_so(hit, time)) and not _only_asks(hit)]
    asked = asked_attributes(request.question)
    chosen = [hit for hit in hits if _is_about(hit, asked)] or hits[:UNASKED_QUOTES]
    return sorted(chosen, key=lambda hit: hit.valid_from if time else hit.past)


def _was_so(hit: Hit, time: TimeUsed) -> bool:
    """A fact holds for a while, an episode happens at once, and is told then or soon after."""
    if hit.source == "episode":
        told = time.until is None or hit.valid_from - time.until < GRACE
        return told and (time.since is None or hit.valid_from >= time.since)
    began = time.until is None or hit.valid_from < time.until
    return began and (time.since is None or hit.valid_to is None or hit.valid_to > time.since)


def _only_asks(hit: Hit) -> bool:
    """An exchange in which something was only asked, as now, and this replier answered."""
    said = _said_offline(hit)
    return said is not None and not gate(said).remember


def _said_offline(hit: Hit) -> str | None:
    """What the user said in an exchange that this replier answered; None of anything else."""
    said, _, answered = hit.content.removeprefix("user: ").partition("\nassistant: ")
    return said if hit.kind == "exchange" and answered.startswith(_OWN) else None


def _is_about(hit: Hit, asked: Sequence[str]) -> bool:
    """A note about a relative has no attribute; its subject says whose it is."""
    attribute = hit.attribute if hit.subject == USER else relation_attribute(hit.subject)
    return hit.source == "fact" and attribute in asked


def _asked(request: ReplyRequest) -> str:
    """The time that was asked about, as it was understood."""
    if (time := request.time) is None:
        return ""
    language, zone = request.language, zone_at(request.at)
    days = period(time.since, time.until, lambda instant: _day(instant.astimezone(zone), language), WORDS[language])
    return _ASKED[language].format(words=" ".join(time.words.split()), days=days)


def _quotation(hit: Hit, request: ReplyRequest) -> str:
    words = " ".join((_said_offline(hit) or hit.content).split())
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

"""The time in a question: by rules, and where they leave words of time unread, by a chat model if the run wants one."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from perdure.asked import Asked
from perdure.asked_time import AskedTime, Span
from perdure.attributes import Vocabulary
from perdure.errors import PerdureError
from perdure.logs import logger_named
from perdure.models.chat import ChatModels, usage_of
from perdure.models.failures import model_failures
from perdure.models.structured import StructuredCalls, is_cut_off, objects_in
from perdure.offline import asked_tense_english, asked_tense_korean
from perdure.offline.sentences import sentences
from perdure.ports import QuestionReader
from perdure.prompts import render
from perdure.prompts.question import QuestionTime, question_schema
from perdure.text import normalise
from perdure.time import EARLIEST, LATEST, check_instant, day_start, zone_at
from perdure.turn import Language

PATIENCE = 10.0
"""Seconds: the reply waits for it, and what takes longer is not worth that."""
_LOOKED_AT = 500
"""So many characters of a question are read."""

_LOG = logger_named(__name__)
_ASKS: Final = {"en": asked_tense_english.asks, "ko": asked_tense_korean.asks}

_FEAST_WORDS = (
    r"\b(?:christmas|xmas|new year'?s?|easter|thanksgiving|hallowe'?en|valentine'?s|ramadan|diwali|hanukkah|passover"
    r"|chuseok|seollal|holidays?|olympics?|world cup|pandemic|covid|lockdown|election)\b"
    r"|추석|한가위|설날|(?<![가-힣])설(?= ?(?:에|때|연휴))|구정|신정|명절|연휴|크리스마스|성탄|부활절|광복절|개천절|한글날|삼일절|현충일"
    r"|어린이날|어버이날|석가탄신일|올림픽|월드컵|코로나|선거"
)
_FEAST: Final = re.compile(_FEAST_WORDS, re.IGNORECASE)
"""Days and events that everybody knows, and the rules do not."""
_CUE: Final = re.compile(
    rf"{_FEAST_WORDS}|[0-9]|\b(?:ago|before|after|until|till|since|during|while|last|previous|next|earlier|around the time"
    r"|(?:at|by|around|back) (?:the|that|then)|those days|the (?:other )?day|nights?|weeks?|weekends?|months?|years?"
    r"|spring|summer|autumn|winter|decade|century|childhood|semester|vacation|honeymoon"
    r"|when(?! (?:is|are|was|were|am|do|does|did|have|has|had|will|would|can|could|should)\b|'s))\b"
    r"|때(?!문)|시절|무렵|즈음|당시|옛날|예전|지난|저번|이번|다음|작년|올해|내년|그해|봄|여름|가을|겨울|방학|휴가|연말|연초|새해|주말|요일"
    r"|학기|세기|년|동안|내내|사이에|부터|까지|이전|이후|이래|(?:전|후|뒤)(?:에|엔|로)|(?<![가-힣])[전후](?![가-힣])",
    re.IGNORECASE,
)
"""Words that may tell a time: without any, no model is asked."""


class ModelQuestionReader:
    """`perdure.ports.QuestionReader` by rules and a chat model, whose answer is trusted only as far as it can be checked."""

    def __init__(self, models: ChatModels, rules: QuestionReader) -> None:
        self._models = models
        self._rules = rules
        self._calls = StructuredCalls(question_schema())

    async def read(
        self, question: str, at: datetime, language: Language, vocabulary: Vocabulary, *, model: str | None = None
    ) -> Asked:
        """What the rules read, and the time that the model tells where they left one unread; a failure leaves theirs."""
        asked = await self._rules.read(question, at, language, vocabulary)
        text = question[:_LOOKED_AT]
        if model is None or not _leaves_unread(text, asked.time, language):
            return asked
        name = self._models.name("question", model)
        try:
            with model_failures("question", name):
                chat = await self._models.get("question", model)
                async with asyncio.timeout(PATIENCE):
                    answer = await self._calls.ask(chat, name, _prompt(text, at, language))
        except PerdureError as failure:
            _LOG.warning("the time in a question is left to the rules: %s", failure)
            return asked
        time = _better(_told(answer, text, at), asked.time)
        return replace(asked, time=time, usage=usage_of(answer, "question", name))


def _leaves_unread(text: str, found: AskedTime | None, language: Language) -> bool:
    """Whether a sentence that asks has words that may tell a time: any, or beside the period that the rules found a feast,
    as in "last year at Easter".
    """
    if found and not found.during:
        return False
    cue, rest = (_FEAST, text.replace(found.words, " ")) if found else (_CUE, text)
    return any(cue.search(said) and _ASKS[language](said, said, True) for said in sentences(rest))


def _prompt(text: str, at: datetime, language: Language) -> list[BaseMessage]:
    """The instructions, and the question as one JSON document: within its strings nothing can pass for an instruction."""
    document = {
        "asked_at": at.isoformat(timespec="seconds"),
        "weekday": f"{at:%A}",
        "time_zone": str(at.tzinfo),
        "question": text,
    }
    instructions = render("question", language, earliest=str(EARLIEST.year), latest=str(LATEST.year - 1))
    return [SystemMessage(instructions), HumanMessage(json.dumps(document, ensure_ascii=False))]


def _told(answer: AIMessage, text: str, at: datetime) -> AskedTime | None:
    """The time of the answer; None if it holds none, or one that cannot be so."""
    objects = () if is_cut_off(answer) else objects_in(answer)
    if (found := next((found for found in objects if found.get("words")), None)) is None:
        return None
    try:
        return _checked(QuestionTime.model_validate(found), text, at)
    except (ValueError, OverflowError):
        return None


def _checked(time: QuestionTime, text: str, at: datetime) -> AskedTime | None:
    """None if no words of the question tell it, or its ends do not fit together; raises `ValueError` or `OverflowError` for
    a date that cannot be read, or of another millennium.
    """
    words = " ".join((time.words or "").split())
    if not _CUE.search(words) or normalise(words) not in normalise(text):
        return None
    since, until, as_of = _day(time.since, at), _day(time.until, at, later=1), _day(time.as_of, at)
    if (since and until and until <= since) or (as_of and (since or until)):
        return None
    during = Span(since, until) if since or until else None
    if not (during or as_of or time.history):
        return None
    return AskedTime(words, as_of=as_of, during=during, history=bool(time.history))


def _day(told: str | None, at: datetime, *, later: int = 0) -> datetime | None:
    """The first instant of that day where the user is, or of one so many days later."""
    if not told:
        return None
    return check_instant(day_start(date.fromisoformat(told) + timedelta(days=later), zone_at(at)), "a date")


def _better(told: AskedTime | None, found: AskedTime | None) -> AskedTime | None:
    """What the model tells, unless it contradicts the period that the rules found."""
    if not (told and found):
        return told or found
    return told if told.during and found.during and _overlap(told.during, found.during) else found


def _overlap(*spans: Span) -> bool:
    begins, ends = [span.since for span in spans if span.since], [span.until for span in spans if span.until]
    return not begins or not ends or max(begins) < min(ends)

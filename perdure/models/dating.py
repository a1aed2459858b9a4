"""The dates of an extraction: resolved by a model, and believed as far as the dates in the user's words go."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime

from perdure.errors import InvalidInput
from perdure.language import detect_language
from perdure.models.evidence import Passage
from perdure.offline.dates import Dates, Moment
from perdure.offline.english_dates import english_dates
from perdure.offline.korean_dates import korean_dates
from perdure.offline.sentences import sentences
from perdure.text import normalise
from perdure.when import parse_when

_CUE = re.compile(
    r"\d|\b(?:since|until|till|ago|when|after|before|last|next|tonight|tomorrow|spring|summer|autumn|fall|winter"
    r"|christmas|easter|\w*day|week|weekend|month|year|morning|night|noon|ever|always|born|grew|childhood"
    r"|jan\w*|feb\w*|mar|march|apr|april|may|june?|july?|aug|august|sep\w*|oct\w*|nov\w*|dec\w*)s?\b"
    r"|부터|까지|때|전에|이후|이래|지난|작년|올해|내년|재작년|어제|오늘|내일|그제|봄|여름|가을|겨울|설날|추석|명절|생일|성탄|크리스마스|처음"
    r"|평생|태어|요일|아침|저녁|[한두세네] ?(?:달|해)",
    re.IGNORECASE,
)
"""Words that speak of time: without any, a date is the model's invention."""
_UNTOLD = re.compile(
    r"|null|none|nil|n/a|na|-|unknown|unspecified|undefined|not (?:specified|said|stated|given)|present|current|now|ongoing|still"
    r"|없음|미정|모름|불명|알 수 없음|현재|지금|계속|진행 ?중"
)
"""What a model writes where it has no date to give."""


@dataclass(frozen=True, slots=True)
class Term:
    start: datetime | None
    end: datetime | None


def days_in(text: str, at: datetime) -> list[date]:
    """The days on which what the text's dates mean begins, where `at` was said."""
    return [moment.day for sentence in sentences(text) for moment in _moments(_dates(sentence, at))]


def term_in(valid_from: str, valid_to: str, passage: Passage, at: datetime) -> Term:
    """The term as the model gives it, but for what the words around the evidence say otherwise, or do not say at all.

    Raises `InvalidInput` for a date that cannot be read.
    """
    start, end = (_instant(text, at) for text in (valid_from, valid_to))
    if not _CUE.search(passage.surroundings):
        return Term(None, None)
    said = [dates for one in passage.spoken if _moments(dates := _dates(one.text, at))]
    said = said or [_dates(sentence, at) for sentence in sentences(passage.surroundings)]
    start = _start(start, said)
    return Term(start, _end(end, start, said))


def _start(told: datetime | None, said: list[Dates]) -> datetime | None:
    """The first instant of what was said: where the model's date lies in it, and where that lies in nothing said."""
    if told is None:
        return None
    if within := _within(told, said):
        return within.start
    begins = [moment for dates in said if (moment := dates.since or dates.on)]
    return begins[0].start if begins else told


def _end(told: datetime | None, start: datetime | None, said: list[Dates]) -> datetime | None:
    """Until the first instant of what was said; what lasted all of it (in 2019) until the first one after it."""
    if told is None or not (within := _within(told, said)):
        return told
    return within.end if start and within.start <= start else within.start


def _within(told: datetime, said: list[Dates]) -> Moment | None:
    moments = (moment for dates in said for moment in _moments(dates))
    return next((moment for moment in moments if moment.start <= told < moment.end), None)


def _moments(dates: Dates) -> list[Moment]:
    return [moment for moment in (dates.since, dates.on, dates.until) if moment]


def _dates(text: str, at: datetime) -> Dates:
    return korean_dates(text, at) if detect_language(text) == "ko" else english_dates(text, at)


def _instant(text: str, at: datetime) -> datetime | None:
    if _UNTOLD.fullmatch(normalise(text)):
        return None
    try:
        return parse_when(text, at)
    except InvalidInput:
        raise InvalidInput("a date that cannot be read") from None

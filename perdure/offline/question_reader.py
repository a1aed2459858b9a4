"""What a question asks about, by rules: implements `perdure.ports.QuestionReader` without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from perdure.asked import Asked
from perdure.asked_time import AskedTime
from perdure.attributes import BUILT_IN, Vocabulary
from perdure.offline.asked_time import asked_time
from perdure.offline.question import asked_attributes
from perdure.terms import terms_of
from perdure.text import normalise
from perdure.turn import Language

_LOOKED_AT = 500
"""So many characters of a question are read."""
_WORD = re.compile(r"\w+(?:['’.-]\w+)*")
_AFTER_A_NAME = re.compile(r"['’]s$|(?<=[가-힣]{2})(?:에게|한테|이랑|랑|와|과|이|가|은|는|의|도|를|을)$")
_FRAME = re.compile(r"^(?:(?:my|the|current|present|내|나의|현재|지금)\s+)+|[?.]+$")
_PAST = re.compile(r"\s+(?:history|이력|변천)$")
_SAYING = re.compile(
    r"""what|which|things?|topics?|did|do|does|was|were|have|had|has|we|i|you|us|me|to|with|about|so|then
    | talk(?:ed|ing)?|speak|spoken|discuss(?:ed)?|sa(?:y|id)|t(?:ell|old)|mention(?:ed)?|chat(?:ted)?|conversations?
    | do(?:ne|ing)|happen(?:ed)?|go(?:ing)?|on|up|our|my|the|anything|remember
    | [내나난너우리저]+(?:가|는|랑|한테)?|뭐|뭘|뭔|무슨|무엇을?|어떤|일|일이|거|게|것|걸|있었[가-힣]*|했[가-힣]*|한|할
    | (?:말|얘기|이야기|대화)(?:을|를|했|한|하|나눴|나눈)?[가-힣]*|나눴[가-힣]*|나눈|기억[가-힣]*""",
    re.VERBOSE,
)
"""Words of a question that asks for whatever was said or done."""
_SPACED = re.compile(r"^[\x00-\u024f]+$")


class RuleQuestionReader:
    async def read(
        self, question: str, at: datetime, language: Language, vocabulary: Vocabulary, *, model: str | None = None
    ) -> Asked:
        text = question[:_LOOKED_AT]
        topic, past = _topic(text, vocabulary)
        known = dict.fromkeys((*topic, *asked_attributes(text), *_own_attributes(text, vocabulary)))
        time = asked_time(text, at, language) or past
        names = tuple(dict.fromkeys(_names(text)))
        return Asked(time, tuple(known), names, anything=time is not None and _asks_anything(text, time.words))


def _asks_anything(text: str, time: str) -> bool:
    """Whether nothing is asked about but what was said or done at that time."""
    return all(_SAYING.fullmatch(word) for word in _WORD.findall(text.replace(time, " ", 1).lower()))


def _topic(text: str, vocabulary: Vocabulary) -> tuple[tuple[str, ...], AskedTime | None]:
    """Of a query that is nothing but the name of an attribute ("residence history", "현재 직업"), that one; and whether its
    past is asked for."""
    told = _FRAME.sub("", normalise(text)).strip()
    past = _PAST.search(told)
    known = vocabulary.find(_PAST.sub("", told)) if told else None
    if known is None:
        return (), None
    return (known.name,), AskedTime(past[0].strip(), history=True) if past else None


def _own_attributes(text: str, vocabulary: Vocabulary) -> Iterator[str]:
    """The attributes of the tenant's own whose name or alias is in the question. Built-in ones have rules instead: their
    aliases are words of everyday, such as "has" and "집".
    """
    told = normalise(text)
    stems = f" {' '.join(terms_of(text))} "
    for attribute in vocabulary:
        known = BUILT_IN.find(attribute.name)
        common = {*known.english, *known.korean} if known else set[str]()
        aliases = {*attribute.english, *attribute.korean, attribute.name} - common
        if any(_is_in(alias, told, stems) for alias in aliases):
            yield attribute.name


def _is_in(alias: str, told: str, stems: str) -> bool:
    """Whole words of scripts that have spaces, in any inflection; a part of the others' runs."""
    alias = normalise(re.sub(r"[._]+", " ", alias))
    if not _SPACED.match(alias):
        return alias in told
    return bool(terms := terms_of(alias)) and f" {' '.join(terms)} " in stems


def _names(text: str) -> Iterator[str]:
    """Words, and pairs of them, in lower case; each also without a genitive or a Korean particle."""
    words = _WORD.findall(text.lower())
    for name in (*words, *map(" ".join, pairwise(words))):
        yield name
        yield _AFTER_A_NAME.sub("", name)

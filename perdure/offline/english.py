"""What English sentences say outright about their speaker: all rules in order, and how words found become values."""

from __future__ import annotations

import re
from typing import Final

from perdure.offline.english_changes import ENDS, PAST
from perdure.offline.english_life import FAMILY, WHO, WORK
from perdure.offline.english_wishes import BODY, GOALS, POLICIES, TASTE
from perdure.offline.english_words import OTHERS
from perdure.offline.rules import Rule, is_listed

VALUE_LENGTH: Final = 120
"""Longer values, in characters, are not values but the rest of a sentence."""
RULES: Final[tuple[Rule, ...]] = (*ENDS, *PAST, *POLICIES, *GOALS, *WHO, *FAMILY, *WORK, *BODY, *TASTE)
"""The first rules win: what ended before what holds, the particular before the general."""

_RELATIVE = re.compile(
    rf"\b(?:my|our) (?P<relation>{OTHERS})(?:,? [A-Z][\w'-]+,?)?(?: also| just| now| really| still)*"
    r"(?: is(?! (?:\w+ing|at|here|coming|going|sick|sleeping|tired|waiting|calling)\b)|'s|are| has| have| lives?"
    r"| works?| loves?"
    r"| likes?| hates?| can't| cannot| doesn't| don't| stud(?:y|ies)| plays?| speaks?| was born| turned| turns)\b",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:because|since|although|though|while|when|where|which|who|but|so|instead|if|until|before|after|unless"
    r"|as well|and (?:I|we|my|our|mostly|then|now|it)|for (?:work|now|a while|a living)|with (?:my|our|a|an|the"
    r"|two|three)"
    r"|near|all my life|in case|except|ever|sometimes)\b.*$"
    r"|,\s*(?:it|they|that|this|these|those|you|he|she|there|honestly|sorry|thanks|just|which|who|since|because)\b.*$",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"[\s,]+(?:now|too|also|any ?more|these days|at the moment|currently|right now|again|please|today|actually|a lot"
    r"|very much|so much|the most|alone|together|recently|fluently|full[- ]time|part[- ]time|remotely|nowadays"
    r"|by the way)$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:a (?:bit|little) of|a little|an?|the|some|any|all|my|both|fluent|native|basic)\s+", re.IGNORECASE
)
_JOIN = re.compile(r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|&)\s+")
_COMPARED = re.compile(r"\s+(?:over|rather than|more than|to(?= \w+$)|than)\s.*$")
_ATTRIBUTE_TAILS = {"likes": _COMPARED, "dislikes": _COMPARED, "work.employer": re.compile(r"\s+as an?\b.*$")}
_PHRASES = {"goal", "reply.style"}


def english_values(attribute: str, words: str) -> list[str]:
    """The values in the words that a rule found, without articles, adverbs and what follows them; [] if none."""
    words = _TAIL.sub("", words) if attribute != "reply.style" else words
    if tail := _ATTRIBUTE_TAILS.get(attribute):
        words = tail.sub("", words)
    pieces = _JOIN.split(words) if is_listed(attribute) else [words]
    cleaned = [_trimmed(piece, phrase=attribute in _PHRASES) for piece in pieces]
    return [value for value in cleaned if value and len(value) <= VALUE_LENGTH]


def english_relative(clause: str) -> str:
    """The relation ("brother", "friend") whose own circumstances the clause tells, or ""."""
    found = _RELATIVE.search(clause)
    return found["relation"].lower() if found else ""


def _trimmed(words: str, *, phrase: bool) -> str:
    words = words.strip(" .!,'\"")
    while (shorter := _CLOSING.sub("", words)) != words:
        words = shorter
    while not phrase and (shorter := _OPENING.sub("", words)) != words:
        words = shorter
    return words.strip(" .!,'\"")

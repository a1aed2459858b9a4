"""The tense of an English question by its main verb, and whether it asks at all."""

from __future__ import annotations

import re
from typing import Final

from perdure.offline.asked_spans import Tense

_IRREGULAR = """
came went gave told said met made took got saw ate left lost found bought brought thought taught felt kept slept spent
sent built wrote read drove rode flew knew grew threw began drank sang swam ran won wore spoke chose broke fell heard
held paid sold stood understood became forgot been done gone seen had taken given eaten written driven flown known
grown begun drunk sung swum worn spoken chosen broken fallen gotten forgotten run come become put cut hit
"""
"""Past forms and participles that do not end in "ed"."""
_CARRIER = re.compile(
    r"^\W*(?:(?:and|so|but|also|ok|okay|well|hey|hi|please|then|just|right)\b[\s,]*)*"
    r"(?:(?:(?:do|can|could|would|will) you )?(?:please )?(?:still )?"
    r"(?:remember(?! that\b)|know|recall|tell me|remind me|show me|list|look up|find|check|give me)(?! to\b)"
    r"|I(?:'ve| am|'m|'d)? (?:forgot(?:ten)?|wonder(?:ing)?|can't (?:remember|recall)|don't remember"
    r"|(?:want|like) to know)"
    r"(?= (?:what|where|who|whom|whose|which|when|how|if|whether)\b))\b(?: about| again| of)?[\s:,]*",
    re.IGNORECASE,
)
"""What only announces the question: "Do you remember where I lived"."""
_START = re.compile(
    r"\W*(?:(?:and|so|but|also|ok|okay|well|hey|hi|please|then|just)\b[\s,]*)*"
    r"(?!(?:what|who|when|where|why|how) (?:I|I'm|we|my|our|you|he|she|they)\b)"
    r"(?:what|what's|who|who's|whose|whom|which|when|where|where's|why|how|did|do|does|was|were|am|is|are|have|has|had"
    r"|will|can|could|should|would|shall|recap|summari[sz]e)\b",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    r"\W*(?:what|what's|who|who's|whose|which|when|where|why|how"
    r"|(?:did|do|was|were|am|are|have|had|will|can|could|should) (?:I|we|you|he|she|it|they|my|our|there))\b",
    re.IGNORECASE,
)
"""What may follow a time: "Last year was great" asks nothing."""
_HABIT = re.compile(
    r"\b(?:usually|normally|typically|generally|always|often|every|each"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)days)\b",
    re.IGNORECASE,
)
_BIRTHDAY = re.compile(r"\b(?:whose|who|any)\b.*\bbirthdays?\b", re.IGNORECASE)
"""Of every year, whichever it is that is named."""
_PLANS = re.compile(
    r"\b(?:planned|scheduled|booked|upcoming|plans?|schedule|calendar|agenda|appointments?|coming up|due)\b",
    re.IGNORECASE,
)
_DONE = rf"(?:\w{{2,}}ed|{'|'.join(_IRREGULAR.split())})"
_FIRST_VERB = re.compile(
    r"(?P<other>\b(?:should|shall|can|could|would|might|must|translate|recommend|suggest)\b)"
    r"|(?P<planned>\b(?:will|won't|gonna)\b|'ll\b"
    r"|\b(?:am|are|is|'m|'re|'s) (?:(?:I|we|my \w+) )?(?:not )?(?:going to|\w+ing\b)"
    r"|\b(?:am|are) (?:I|we) \w+|\bis there\b|\bdo (?:I|we) (?:have|need|work|meet|leave|fly|start|go|travel)\b"
    r"|\b(?:is|what's|'s) (?:on|up|next|happening)\b|\bdoes my \w+)"
    r"|(?P<past>\b(?:did|didn't|was|wasn't|were|weren't|had|hadn't)\b|'d\b"
    rf"|(?:\b(?:have|haven't|has|hasn't)|'ve|'s)(?: (?!a\b|an\b|the\b)\w+){{0,3}} {_DONE}\b|'s new\b|\b{_DONE}\b)"
    r"|(?P<present>\b(?:is|are|am|do|don't|does|doesn't|have|has)\b|'s\b|'re\b|'m\b)",
    re.IGNORECASE,
)
_FOR_LATER = re.compile(
    r"\b(?:plan|promised?|agreed?|decided?|intend(?:ed)?|arranged?|booked?|scheduled?|going to|want(?:ed)? to)\b",
    re.IGNORECASE,
)
PRESENT: Final = re.compile(
    r"\b(?:now|currently|still|at present|at the moment|these days|nowadays|lately|recently)\b", re.IGNORECASE
)
_TENSES: Final = {
    "other": Tense.OTHER,
    "planned": Tense.PLANNED,
    "past": Tense.PAST,
    "present": Tense.PRESENT,
}


def asks(text: str, rest: str, last: bool) -> bool:
    """Whether the clause asks something; `rest` is the clause without its times, `last` if it ends its sentence."""
    return (last and text.rstrip(" \"')").endswith("?")) or any(
        (_START.match(text), _CARRIER.match(rest), _INVERTED.match(rest))
    )


def tense_of(rest: str) -> Tense:
    """The tense of the clause without its times."""
    question = " ".join(_CARRIER.sub("", rest).split())
    if not question.strip(" ,.:?!") or _BIRTHDAY.search(question) or _HABIT.search(question):
        return Tense.OTHER
    found = _FIRST_VERB.search(question)
    tense = _TENSES[found.lastgroup or ""] if found else Tense.PRESENT
    if not found and _CARRIER.match(rest) and not _PLANS.search(question):
        return Tense.PAST
    if tense is Tense.PAST and _FOR_LATER.search(question):
        return Tense.EITHER
    return Tense.PLANNED if tense is Tense.PRESENT and _PLANS.search(question) else tense

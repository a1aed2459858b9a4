"""Does a clause deny the very thing that a model takes from it? "I don't live in Seoul" says nothing of a home in Seoul."""

from __future__ import annotations

import re
from collections.abc import Iterable

from perdure.models.evidence import Spoken
from perdure.text import normalise
from perdure.words import saying

_STATES = {
    "age",
    "birthday",
    "commute",
    "education",
    "family",
    "food.diet",
    "health",
    "hobby",
    "home",
    "language.speaks",
    "likes",
    "name",
    "pet",
    "possession",
    "project",
    "social",
    "ui",
    "work",
}
"""Attributes of which a denied value is no value. Whom or what one avoids, and how to answer, is told by denying."""
_ENGLISH = (
    r"(?:\b(?:do|does|did|am|is|are|was|were|have|has|had)(?: not|n't)|\b(?:i'm|he's|she's|we're|they're|it's) not|\bain't"
    r"|\bnever|\bno longer|\bcan(?:'t|not| not)(?= (?:speak|play|swim|drive|cook|sing)))"
    r"(?: (?:really|actually|even|currently|ever|much|particularly|very))*"
    r"(?: (?:live|living|lived|based|from|work|working|worked|employed|study|studying|studied|have|own|owned|had|like|liked"
    r"|love|loved|enjoy|enjoyed|prefer|preferred|play|playing|played|speak|spoken|married|allergic|called|named|been|in|at"
    r"|as|to|a|an|the|my|any|into|do|doing|done|drive|driven|fan|of|using|use|used))*"
    r" {value}(?!\w)(?! (?:long|for long|yet|only|alone))"
)
_KOREAN = (
    r"{value}(?:\s?(?:알레르기|알러지))?(?:에서는|에서|에는|으로|이라는|라는|은|는|이|가|을|를|에|로|도|와|과|랑)?"
    r"(?: (?:더는|더 이상|이제|이젠|전혀|별로|아직|요즘|요새|지금))*"
    r"(?: ?(?:안|못) ?(?!끊|참|잊|빼)[가-힣]| [가-힣]+지(?:는|도)? ?(?:않|못|안 )| ?아니| ?없(?!이|으면))"
)
_GIVES_UP = re.compile(
    r"\b(?:stop|quit|g[ai]ve up|given up|avoid|skip|cut|without|free|off|hate|dislike|allergic|instead|rather)"
    r"|끊|그만|관두|관뒀|피하|피해|싫|말고|금지|빼|대신|포기|알레르기|알러지",
    re.IGNORECASE,
)
"""Words that deny without a denying word."""


def denies(spoken: Iterable[Spoken], attribute: str, value: str) -> bool:
    """Whether every clause that names the value of a state denies it, or the value denies what none of them does."""
    clauses = [one.text for one in spoken]
    if not clauses or not value:
        return False
    if saying(value).denied:
        return not any(saying(clause).denied or _GIVES_UP.search(clause) for clause in clauses)
    if not _is_state(attribute):
        return False
    key = re.escape(normalise(value))
    naming = [words for clause in clauses if re.search(key, words := normalise(clause.replace("’", "'")))]
    denied = re.compile(f"{_ENGLISH.replace('{value}', key)}|{_KOREAN.replace('{value}', key)}")
    return bool(naming) and all(denied.search(words) for words in naming)


def all_deny(spoken: Iterable[Spoken]) -> bool:
    """Whether there are clauses, and each of them denies something."""
    clauses = [one.text for one in spoken]
    return bool(clauses) and all(saying(clause).denied for clause in clauses)


def _is_state(attribute: str) -> bool:
    return not _STATES.isdisjoint({attribute, attribute.partition(".")[0]})

"""Times in English questions: "last year", "in March", "before 2020", "between 2018 and 2020", "before I moved"."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from perdure.asked_time import AskedTime
from perdure.offline.asked_events_english import CHANGES, HISTORY
from perdure.offline.asked_points_english import BARE, COUNT, MONTH, PLAIN, POINT, UNIT, YEAR, ago_exactly, read_point
from perdure.offline.asked_reading import Grammar
from perdure.offline.asked_spans import Role, Tense, between, framed, lately, looking
from perdure.offline.asked_tense_english import PRESENT, asks, tense_of
from perdure.offline.sentences import clauses

_RANGE = re.compile(
    rf"\b(?:(?:between|from) (?P<first>{POINT}) ?(?:and|to|until|till|through|up to|-|–) ?(?P<last>{POINT}|now|today)"
    rf"|(?:in|during) (?P<year>{YEAR}) ?[-–] ?(?P<to>{YEAR}))\b",
    re.IGNORECASE | re.ASCII,
)
_ONE = re.compile(
    rf"\b(?:(?P<lately>(?:in|over|during|for|within) the (?:last|past) (?:(?P<count>{COUNT}) )?(?P<unit>{UNIT}))"
    rf"|(?P<role>before|prior to|(?:up )?until|till|by|after|(?:ever )?since|starting (?:in|from)|as of|as at)"
    rf" (?P<when>{POINT})"
    rf"|(?:(?:back |sometime )?(?:in|on|at|during|throughout|around|over)(?: about| around)?) (?P<at>{POINT})"
    rf"|(?:earlier )?(?P<plain>{PLAIN}))(?!\w|-\w)",
    re.IGNORECASE | re.ASCII,
)
_ROLES: Final = {
    **dict.fromkeys(("before", "prior to"), Role.BEFORE),
    **dict.fromkeys(("until", "up until", "till", "by"), Role.UNTIL),
    **dict.fromkeys(("since", "ever since", "starting in", "starting from"), Role.SINCE),
    **dict.fromkeys(("as of", "as at"), Role.AS_OF),
    "after": Role.AFTER,
}
_CONTENT_BEFORE = re.compile(
    r"\b(?:than|(?<!\bI )(?<!\bwe )like|(?:same|as|so)\b.* as"
    r"|set|made|built|published|released|written|filmed|produced|founded|established|dated|taken) ?$"
    r"|\b(?:says?|said|mention(?:ed)?|tell you|told you) (?:that )?(?:I|we|my|our)\b"
    r"|\b(?:is|was|are|were)(?:n't)? (?:the|that|those|my)\b.*\b(?:I|we|you|he|she|they)\b"
    r"|\bborn\b",
    re.IGNORECASE,
)
"""The movie "released in" 1999, "Did I say that I moved in" 2019, "was the place we went to" last week."""
_COUNTED_FROM = re.compile(r"\b(?:night|week|weekend|month|year|\w*day) $", re.IGNORECASE)
"""The week "before 3 May"."""
_POSSESSIVE = re.compile(r"'s\b")
_COPULA = re.compile(r"\b(?:was|were) $", re.IGNORECASE)
_NOT_BARE_AFTER = re.compile(
    r"(?:\b(?:from|of|about|my|your|the|every|each|another)"
    r"|(?<!plans )(?<!plan )(?<!planned )(?<!schedule )(?<!scheduled )(?<!booked )\bfor) ?$",
    re.IGNORECASE,
)
"""Photos "from last year", goals "for next year"; but plans for it."""
_STRANDED = re.compile(r"\s*(?:what|which|who)\b.* about $", re.IGNORECASE)
"""What did we talk about yesterday? It is of something else, not of yesterday."""
_CONTENT_AFTER = re.compile(
    r"(?!$|[ ,]*[?.!,;:)]| (?:where|what|which|who|whom|when|why|how|did|do|was|were|am|is|are|have|had|has|will|I|we"
    r"|my|our|you|it|the|a|for|with|at|on|in|to|about|and|or|but|before|after|as|again|by|from|than|that|if|because"
    r"|exactly|or so|called|like|compared|then|please|morning|afternoon|evening|night)\b)",
    re.IGNORECASE,
)
"""After a bare year, month or season: "in 2024 dollars", "in summer camp"."""
_ANOTHER = re.compile(rf"(?:,|/| or| and) ?(?:in |on )?(?:{POINT})\b", re.IGNORECASE)
"""In 2020 "or 2021": several are told."""
_BARE = re.compile(BARE, re.IGNORECASE)
_MONTH_ALONE = re.compile(MONTH, re.IGNORECASE)
_FILLER = re.compile(r"\b(?:and|so|but|then|ok|okay|well|back|hey|hi|also|just|right|maybe)\b|[\W_]+", re.IGNORECASE)


def _time(match: re.Match[str], tense: Tense, now: datetime) -> AskedTime | None:
    """What the match names, or None if it is content."""
    if _is_content(match):
        return None
    if match.re is _RANGE:
        return _range(match, tense, now)
    if match["lately"]:
        return framed(
            Role.AT, lately(ago_exactly(match["count"] or "1", match["unit"], now), now), match[0], tense, now
        )
    role = _ROLES[match["role"].lower()] if match["role"] else Role.AT
    told = read_point(match["when"] or match["at"] or match["plain"], now, looking(tense, role))
    return framed(role, told, match[0], tense, now)


def _is_content(match: re.Match[str]) -> bool:
    head, tail = match.string[: match.start()], match.string[match.end() :]
    if _CONTENT_BEFORE.search(head) or _ANOTHER.match(tail):
        return True
    if _POSSESSIVE.match(tail):
        return not _COPULA.search(head)
    if match.re is _RANGE or match["lately"]:
        return False
    if match["role"] and _COUNTED_FROM.search(head):
        return True
    if match["plain"]:
        about_it = head.endswith("about ") and (match["plain"].endswith("ago") or _STRANDED.match(head))
        return bool(_NOT_BARE_AFTER.search(head)) and not about_it
    return bool(_BARE.fullmatch(match["when"] or match["at"]) and _CONTENT_AFTER.match(tail))


def _range(match: re.Match[str], tense: Tense, now: datetime) -> AskedTime | None:
    first, last = match["first"] or match["year"], match["last"] or match["to"]
    if _MONTH_ALONE.fullmatch(first) and (year := re.search(YEAR, last)):
        first = f"{first} {year[0]}"
    began = read_point(first, now, tense)
    if last.lower() in {"now", "today"}:
        return framed(Role.SINCE, began, match[0], tense, now)
    return between(began, read_point(last, now, tense), match[0], tense, now)


def _clauses(sentence: str) -> list[str]:
    return clauses(sentence, "en")


ENGLISH: Final = Grammar(_clauses, CHANGES, (_RANGE, _ONE), _time, HISTORY, PRESENT, _FILLER, asks, tense_of)

"""Was it never true, or is it true no more? A model that takes a change for a correction would strike out the past."""

from __future__ import annotations

import re

from perdure.language import detect_language
from perdure.offline.corrections import instead, without_announcement
from perdure.offline.sentences import sentences

_MEANT = re.compile(
    r"\b(?:meant|mean to say|wrong|mistaken|mistake|typo|misspoke|misspelled|never (?:was|lived|worked|had))\b"
    r"|틀렸|틀린|잘못|착각|오타|정정|헷갈",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:moved|relocated|switched|changed|transferred|joined|started|became|promoted|no longer|any ?more|used to|now"
    r"|nowadays|these days|since|recently|yesterday|last (?:week|month|year|spring|summer|fall|autumn|winter|night))\b"
    r"|이사|옮[겼기김]|바꿨|바꾼|바뀌|바뀐|갈아[탔타]|이직|입사|새로|이제|이젠|요즘|요새|부터|지난|작년|어제|그만",
    re.IGNORECASE,
)


def tells_change(said: str) -> bool:
    """Whether the words tell that something is otherwise since some time, and not that it was said wrongly."""
    if _MEANT.search(said) or not _CHANGED.search(said):
        return False
    return not any(
        without_announcement(one) or instead(one.rstrip(" .!"), detect_language(one)) for one in sentences(said)
    )

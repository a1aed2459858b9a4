"""Do two sayings say the same? Judged by their words, for a false merge hides a fact and a missed one only repeats it.

Vectors do not decide: "likes tea" and "likes coffee" are nearer to each other than most paraphrases are.
"""

from __future__ import annotations

import json
from typing import Literal
from uuid import NAMESPACE_URL, UUID, uuid5

from perdure.romanise import romanised
from perdure.text import normalise
from perdure.words import Saying, saying

Difference = Literal["digits", "negation", "words"]
_NAMESPACE = uuid5(NAMESPACE_URL, "urn:perdure:likeness")


def difference(one: str, other: str) -> Difference | None:
    """What keeps two sayings from being the same; None if nothing does.

    They are the same if the words that carry meaning are, in their order: what remains without articles, fillers,
    particles and endings that leave no doubt, and spaces. A name may be in Hangul here and in Latin letters there.
    """
    if normalise(one) == normalise(other):
        return None
    first, second = saying(one), saying(other)
    if first.numbers != second.numbers:
        return "digits"
    if first.denied != second.denied:
        return "negation"
    return None if _same_words(first, second) or _same_name(first, second) or _same_name(second, first) else "words"


def likeness(subject: str, attribute: str, value: str) -> UUID:
    """An id that values of one subject and attribute share if they are the same: only those need be compared.

    It is made of the rudest form of every word, so that an index finds them among any number of others.
    """
    told = saying(value)
    rude = romanised("".join(word.rude for word in told.words)).replace("e", "").replace("y", "i")
    parts = (normalise(subject), attribute, told.numbers, told.denied, rude)
    return uuid5(_NAMESPACE, json.dumps(parts, ensure_ascii=False))


def _same_words(first: Saying, second: Saying) -> bool:
    if not first.words or not second.words:
        return False
    if first.plain == second.plain:
        return True
    pairs = zip(first.words, second.words, strict=False)
    return len(first.words) == len(second.words) and all(one.agrees(other) for one, other in pairs)


def _same_name(korean: Saying, latin: Saying) -> bool:
    """Of one syllable too many are English words as well: 손 is no son, 잠 no jam."""
    if sum(map(_is_hangul, korean.bare)) < 2 or any(map(_is_hangul, latin.plain)):
        return False
    return latin.plain in {romanised(korean.plain), romanised(korean.bare)}


def _is_hangul(character: str) -> bool:
    return "가" <= character <= "힣"

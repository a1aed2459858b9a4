"""Do two sayings say the same? Judged by their words, for a false merge hides a fact and a missed one only repeats it.

Vectors do not decide: "likes tea" and "likes coffee" are nearer to each other than most paraphrases are.
"""

from __future__ import annotations

from typing import Literal

from perdure.romanise import romanised
from perdure.text import normalise
from perdure.words import saying

Difference = Literal["digits", "negation", "words"]


def difference(one: str, other: str) -> Difference | None:
    """What keeps two sayings from being the same; None if nothing does.

    They are the same if the words that carry meaning are, in their order: what remains without articles, fillers,
    Korean particles and polite endings, inflection, and spaces. A name may be in Hangul here and in Latin letters there.
    """
    if normalise(one) == normalise(other):
        return None
    first, second = saying(one), saying(other)
    if first.numbers != second.numbers:
        return "digits"
    if first.denied != second.denied:
        return "negation"
    said, heard = ("".join(words.words) for words in (first, second))
    if said and (said == heard or romanised(said) == romanised(heard)):
        return None
    return None if not said and not heard and first.numbers else "words"

"""Do two stored sayings say the same, though writing took them for two? What consolidation asks before it merges.

`perdure.sameness` decides while somebody speaks, from one phrase; here there is time for whole sentences. Beyond it,
these may differ: how politely a Korean statement ends, contractions, which of two sentences stands first, and where
whole parts of a sentence stand. Every word that carries meaning must still stand in both: of a pair that only a vector
or a model finds alike, one would hide the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from perdure.language import detect_language
from perdure.sameness import Difference, difference
from perdure.statement_endings import stated
from perdure.words import Saying, Word, saying

_SENTENCE_END = re.compile(r"(?<=[.!。！])\s+|\n+")
_CLOSING = " .!。！…~"
_NO_NAME = " ;"
"""Behind a sentence, so that its last word is not taken for the form of a company (“Acme Inc.”), which may be left out."""
_CONTRACTED = tuple(
    (re.compile(rf"(?<=[a-z])['’]{short}\b", re.IGNORECASE), long)
    for short, long in (("m", " am"), ("re", " are"), ("ve", " have"), ("ll", " will"))
)
_SCOPE_WORDS = """
only just even almost mostly mainly except but than before after until unless if because when while not no never
"""
_SCOPED = frozenset(_SCOPE_WORDS.split())
"""What these say depends on where they stand: only I, I only."""
_PART_WORDS = """
in on at for with by from to during since near every each these this last next today tonight usually often sometimes
always lately nowadays recently currently daily weekly
"""
_PARTS = frozenset(_PART_WORDS.split())
"""How a part of an English sentence begins that may be told first or last: milk chocolate is no chocolate milk."""
_MARKED = re.compile(r"[가-힣A-Za-z0-9](?:에서|에게|한테|부터|까지|으로|로|에|랑|와|과|도|만|보다|을|를|가)$")
"""A Korean word whose particle tells its part wherever it stands. 이 does not: 고양이 has none."""
_MOST_SENTENCES = 2
"""In a longer text a sentence may speak of the one before it (“his name is …”): there the order stays."""


def rewording(one: str, other: str) -> Difference | None:
    """What keeps the two from being the same in other words; None if nothing does."""
    if difference(one, other) is None:
        return None
    first, second = _sentences(one), _sentences(other)
    numbers = [sorted(n for sentence in told for n in sentence.numbers) for told in (first, second)]
    if numbers[0] != numbers[1]:
        return "digits"
    if sum(sentence.denied for sentence in first) != sum(sentence.denied for sentence in second):
        return "negation"
    if ("?" in one) != ("?" in other) or len(first) != len(second):
        return "words"
    orders = [second, second[::-1]] if len(second) == _MOST_SENTENCES else [second]
    korean = detect_language(one) == "ko"
    same = any(all(_same(a, b, korean) for a, b in zip(first, order, strict=True)) for order in orders)
    return None if same else "words"


@lru_cache(maxsize=16_384)
def _sentences(text: str) -> tuple[Saying, ...]:
    for short, long in _CONTRACTED:
        text = short.sub(long, text)
    return tuple(
        saying(stated(told) + _NO_NAME) for part in _SENTENCE_END.split(text) if (told := part.strip(_CLOSING))
    )


def _same(one: Saying, other: Saying, korean: bool) -> bool:
    if one.numbers != other.numbers or one.denied != other.denied:
        return False
    if one.plain == other.plain or _agree(one.words, other.words):
        return True
    first, second = _without_speaker(one), _without_speaker(other)
    moves = _moved_korean if korean else _moved_english
    return len(first) == len(second) and any(_agree(first, moved) for moved in moves(second))


def _agree(these: Sequence[Word], those: Sequence[Word]) -> bool:
    return len(these) == len(those) and all(a.agrees(b) for a, b in zip(these, those, strict=True))


def _without_speaker(told: Saying) -> Sequence[Word]:
    """A sentence that begins with “I” has lost it already; one in which a part stands before it has not."""
    return [word for word in told.words if word.plain != "i"]


def _moved_english(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """The words with a part (“these days”, “in Seoul”) told last instead of first, or the reverse."""
    if any(word.plain in _SCOPED for word in words):
        return
    for front, back in _cuts(words):
        if front[0].plain in _PARTS or back[0].plain in _PARTS:
            yield (*back, *front)


def _moved_korean(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """The words with two parts in the other order, each closed by a particle; the verb stays last."""
    for front, back in _cuts(words[:-1]):
        if _MARKED.search(front[-1].plain) and _MARKED.search(back[-1].plain):
            yield (*back, *front, words[-1])


def _cuts(words: Sequence[Word]) -> Iterator[tuple[Sequence[Word], Sequence[Word]]]:
    """Where the words can be cut in two so that no number leaves what it counts, whichever part stands first."""
    for cut in range(1, len(words)):
        front, back = words[:cut], words[cut:]
        if not any(_is_number(word) for part in (front, back) for word in (part[0], part[-1])):
            yield front, back


def _is_number(word: Word) -> bool:
    return word.plain[:1].isdigit()

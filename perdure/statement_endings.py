"""The word that closes a Korean statement, without the ending that only says how politely it is told.

해, 해요, 합니다, 한다 and 하고 있어 state the same; 했어, 할 거야, 하고 싶어 and 해? do not, and keep what tells them apart.
Syllables are taken apart into letters (Unicode NFD), where an ending is one pattern whatever stands before it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import normalize

_CONTINUING = re.compile(r"(?<=[가-힣])고\s+있(?:어요?|습니다|다)$")
"""하고 있어, which of a lasting fact says no more than 해."""
_COPULA = re.compile(r"(?<=[가-힣A-Za-z0-9'’\"”」』)])(?:이에요|예요|이야|입니다|이다|야)$")


def _letters(pattern: str) -> re.Pattern[str]:
    return re.compile(normalize("NFD", pattern))


_FINALS = "[\u11a8-\u11c2]"
_POLITE = _letters("요$")
_FORMAL = re.compile("(?:\u11b8\u1109\u1173|\u1109\u1173)?\u11b8\u1102\u1175\u1103\u1161$")
"""-습니다, -ㅂ니다."""
_PLAIN = re.compile("(?:\u1102\u1173\u11ab|\u11ab)?\u1103\u1161$")
"""-는다, -ㄴ다, -다."""
_INFORMAL = re.compile(f"(?<={_FINALS})\u110b[\u1161\u1165]$")
"""-아, -어 after a consonant."""
_CONTRACTED = (
    ("\u1112\u1162", "\u1112\u1161"),  # 해 → 하
    ("\u1112\u1167", "\u1112\u1161"),
    ("\u116a", "\u1169"),  # 와 → 오
    ("\u116f", "\u116e"),  # 줘 → 주
    ("\u1167", "\u1175"),  # 셔 → 시
    ("\u116b", "\u116c"),  # 돼 → 되
    ("\u110a\u1165", "\u110a\u1173"),  # 써 → 쓰
    ("\u110f\u1165", "\u110f\u1173"),  # 커 → 크
)
_DROPPED = re.compile("\u11af$")
"""The ㄹ of 살다 is not there in 산다 and 삽니다."""


@lru_cache(maxsize=16_384)
def stated(sentence: str) -> str:
    """The sentence, without closing punctuation, with the stem of its last word in the place of that word."""
    if continuing := _CONTINUING.search(sentence):
        return normalize("NFC", _DROPPED.sub("", normalize("NFD", sentence[: continuing.start()])))
    before, space, last = sentence.rpartition(" ")
    return f"{before}{space}{statement_stem(last)}"


def statement_stem(word: str) -> str:
    """What statements that differ in politeness alone have in common; only for the last word of a sentence.

    A copula leaves its 이 behind a consonant, for 고양이야 may be told of a cat (고양이) or of a town (고양).
    """
    if not word or not "가" <= word[-1] <= "힣":
        return word
    if (copula := _COPULA.search(word)) and not (copula[0] == "야" and _is_closed(word[: copula.start()])):
        noun = word[: copula.start()]
        own = copula[0].startswith("이") and _is_open(noun)  # 고양이야 is no 고양 + 이야 alone
        return f"{noun}이" if own or _is_closed(noun) else noun
    letters = _POLITE.sub("", normalize("NFD", word))
    if (shorter := _FORMAL.sub("", letters)) == letters and (shorter := _PLAIN.sub("", letters)) == letters:
        shorter = _told_informally(letters)
    return normalize("NFC", _DROPPED.sub("", shorter))


def _told_informally(letters: str) -> str:
    if (shorter := _INFORMAL.sub("", letters)) != letters:
        return shorter
    for told, stem in _CONTRACTED:
        if letters.endswith(told):
            return letters.removesuffix(told) + stem
    return letters


def _is_open(noun: str) -> bool:
    return "가" <= noun[-1] <= "힣" and not _is_closed(noun)


def _is_closed(noun: str) -> bool:
    """Whether it ends in a Korean syllable with a consonant."""
    return "가" <= noun[-1] <= "힣" and (ord(noun[-1]) - ord("가")) % 28 != 0

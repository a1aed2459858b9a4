"""Do the words of a source bear out other words? Compared by stems, syllables and numbers, without a model.

A word of a language with spaces is borne out by one of the same stem; a Korean one by its beginning, for particles and
endings differ; a number by digits, by a number word, or by a date that says it ("last month" says 10 in November);
a name in Hangul by the same name in Latin letters, and the reverse (서울, Seoul).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date
from functools import cached_property
from itertools import pairwise

from perdure.romanise import romanised
from perdure.terms import stem, terms_of

LARGELY = 2 / 3
"""The share of a value's words that its source must hold; of its names and numbers it must hold all."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_WORD = re.compile(rf"\d+|[{_CJK}]+|[^\W\d_{_CJK}]+")
_HANGUL = re.compile("[가-힣]{2,}")
_LONGEST_NAME = 8
"""In syllables: longer ones are not looked for in the other script."""
_SHORTEST_NAME = 4
"""In Latin letters: shorter ones are too often those of another word."""
_LONGEST_NUMBER = 15
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_MULTIPLE = re.compile(rf"(?<!\d)(\d{{1,{_LONGEST_NUMBER}}})\s?(천|만|억|k(?![a-z]))")
_TIMES = {"천": 10**3, "k": 10**3, "만": 10**4, "억": 10**8}

_SMALL_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
)
_TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_MONTH_WORDS = "january february march april may june july august september october november december"
_SMALL, _TENS, _ORDINALS, _MONTHS = (
    words.split() for words in (_SMALL_WORDS, _TENS_WORDS, _ORDINAL_WORDS, _MONTH_WORDS)
)
_ENGLISH = {word: number for number, word in enumerate(_SMALL)}
_ENGLISH |= {word: 10 * tens for tens, word in enumerate(_TENS, start=2)}
_ENGLISH |= {word: number for number, word in enumerate(_ORDINALS, start=1)}
_ENGLISH |= {"twice": 2, "dozen": 12, "hundred": 100, "thousand": 1000}
_ENGLISH |= {name[:length]: number for number, name in enumerate(_MONTHS, start=1) for length in (3, len(name))}
_NATIVE = ("", "하나|한", "둘|두", "셋|세|석|서", "넷|네|넉|너", "다섯", "여섯", "일곱", "여덟", "아홉")
_NATIVE_TENS = ("", "열", "스물|스무", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_SINO = ("", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구")
_COUNTED = r"(?=\s?(?:살|명|마리|개|번|시|달|년|월|일|층|학년|분|잔|대|권|주|호|가지|식구|남매|형제|자매))"


class Source:
    """What was said, ready to be asked what it bears out. ``dates`` are the days that its dates mean."""

    def __init__(self, text: str, dates: Iterable[date] = ()) -> None:
        self._text = _folded(text)
        words = _WORD.findall(self._text)
        self._words = {word for word in words if not word.isdecimal()}
        self._stems = {stem(word) for word in self._words}
        self._joined = "".join(self._text.split())
        self._numbers = _numbers_of(words) | {
            int(count) * _TIMES[unit] for count, unit in _MULTIPLE.findall(self._text)
        }
        self._numbers |= {part for day in dates for part in (day.year, day.month, day.day)}

    def bears_out(self, text: str) -> bool:
        """Whether all names and numbers in the text, and most of its words, were said."""
        words = words_of(text)
        missing = [word for word in words if not self.holds(word)]
        named = any(word[0].isdigit() or word[0].isupper() for word in missing)
        return not named and len(missing) <= len(words) * (1 - LARGELY)

    def adds_nothing(self, text: str, *frames: Source) -> bool:
        """Whether every word in the text was said, or belongs to a frame, which is how such things are put."""
        return all(any(source.holds(word) for source in (self, *frames)) for word in words_of(text))

    def shares(self, text: str) -> bool:
        """Whether at least one word or number that carries meaning stands in both."""
        return any(self.holds(word) for word in words_of(text))

    def holds(self, word: str) -> bool:
        """Whether this one word or number was said."""
        word = _folded(word)
        if word.isdecimal():
            return self._holds_number(int(word)) if len(word) <= _LONGEST_NUMBER else word in self._text
        if re.match(f"[{_CJK}]", word):
            return self._holds_syllables(word)
        numbered = word in _ENGLISH and _ENGLISH[word] in self._numbers
        return numbered or stem(word) in self._stems or (len(word) >= _SHORTEST_NAME and word in self._romanised)

    def _holds_number(self, number: int) -> bool:
        return number in self._numbers or (number in _SPELLED and bool(_SPELLED[number].search(self._text)))

    def _holds_syllables(self, word: str) -> bool:
        """The word, or its beginning: up to two closing syllables may be a particle or an ending."""
        shortest = max(min(2, len(word)), len(word) - 2)
        beginnings = [word[:length] for length in range(len(word), shortest - 1, -1)]
        if any(one in self._joined or self._holds_romanised(one) for one in beginnings):
            return True
        return any(number in self._numbers and spelling.match(word) for number, spelling in _SPELLED.items())

    def _holds_romanised(self, name: str) -> bool:
        return (
            1 < len(name) <= _LONGEST_NAME and len(latin := romanised(name)) >= _SHORTEST_NAME and latin in self._words
        )

    @cached_property
    def _romanised(self) -> set[str]:
        """The words in Hangul, and their beginnings, in Latin letters."""
        runs = {run[:_LONGEST_NAME] for run in _HANGUL.findall(self._text)}
        return {romanised(run[:length]) for run in runs for length in range(2, len(run) + 1)}


def words_of(text: str) -> list[str]:
    """The words and numbers that carry meaning, in their own case."""
    plain = _ORDINAL.sub("", _THOUSANDS.sub("", unicodedata.normalize("NFKC", text)))
    return [word for word in _WORD.findall(plain) if terms_of(word)]


def _folded(text: str) -> str:
    return _ORDINAL.sub("", _THOUSANDS.sub("", unicodedata.normalize("NFKC", text).casefold()))


def _numbers_of(words: list[str]) -> set[int]:
    """Numbers in digits and in words, "twenty-five" as 25."""
    found = {int(word) for word in words if word.isdecimal() and len(word) <= _LONGEST_NUMBER}
    found |= {_ENGLISH[word] for word in words if word in _ENGLISH}
    return found | {
        _ENGLISH[tens] + _ENGLISH[unit] for tens, unit in pairwise(words) if tens in _TENS and unit in _SMALL
    }


def _spelling(number: int) -> str:
    """The Korean words for 1 to 99; one of a single syllable only before what is counted."""
    tens, units = divmod(number, 10)
    native = [f"{ten}{unit}" for ten in _NATIVE_TENS[tens].split("|") for unit in _NATIVE[units].split("|")]
    sino = f"{_SINO[tens] if tens > 1 else ''}{'십' if tens else ''}{_SINO[units]}"
    words = (word if len(word) > 1 and word not in {"하나"} else word + _COUNTED for word in (*native, sino))
    return rf"(?<![가-힣])(?:{'|'.join(words)})"


_SPELLED = {number: re.compile(_spelling(number)) for number in range(1, 100)}

"""Text to lexical terms, for languages with spaces and without, as 4-byte hashes that stock PostgreSQL can index.

Words are stemmed (Snowball, Porter 1980) by the rules of English, or of Arabic or Hindi where the script says so, and
English stop words dropped. Hangul, Han, Kana, Thai, Lao, Burmese and Khmer have no useful word boundary (particles are
attached, compounds are not split), so their runs become character bigrams. Vowel points, which are written or not as
one likes, do not count.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from functools import cache, lru_cache
from typing import Any

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_UNSPACED = f"{_CJK}\u0e00-\u0eff\u1000-\u109f\u1780-\u17d3"
_INDIC = "\u0900-\u0963\u0966-\u0dff"
"""Words there hold vowel signs, which Python's `\\w` leaves out; its full stops lie between."""
_RUN = re.compile(rf"[{_UNSPACED}]+|(?:[^\W_{_UNSPACED}]|[{_INDIC}])+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_POINTS = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]")
_SCRIPTS = (("arabic", "\u0600", "\u06ff"), ("hindi", "\u0900", "\u097f"))
"""The languages whose stemmer is chosen by a word's first letter: name, first and last letter."""
_STOP_WORDS = """
a an and are as at be been but by can could did do does for from had has have he her here him his how i if in into is it
its me my no not of on or our out she so than that the their them then there these they this to too up us was we were
what when where which who whom why will with would you your am s t m re ve ll d don
"""
_STOP = frozenset(_STOP_WORDS.split())


def terms_of(text: str) -> list[str]:
    """The terms of `text` in order, with repetitions."""
    terms: list[str] = []
    for run in _RUN.findall(_POINTS.sub("", unicodedata.normalize("NFKC", text).casefold())):
        if _IS_UNSPACED.match(run):
            terms.extend(run[i : i + 2] for i in range(max(1, len(run) - 1)))
        elif run not in _STOP:
            terms.append(stem(run))
    return terms


def hashed_terms(text: str) -> tuple[list[int], int]:
    """The distinct terms as signed 32-bit hashes, and how many terms there are with repetitions."""
    terms = terms_of(text)
    return sorted({_hash(term) for term in terms}), len(terms)


def _hash(term: str) -> int:
    unsigned = zlib.crc32(term.encode())
    return unsigned - (1 << 32) if unsigned >= 1 << 31 else unsigned


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a word in lower case, by the rules of the language that its script stands for."""
    language = next((name for name, first, last in _SCRIPTS if first <= word[:1] <= last), "english")
    return str(_stemmer(language).stemWord(word))


@cache
def _stemmer(language: str) -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer(language)

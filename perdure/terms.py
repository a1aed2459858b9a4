"""Text to lexical terms, for languages with spaces and without, as 4-byte hashes that stock PostgreSQL can index.

English words are stemmed (Snowball, Porter 1980) and stop words dropped. Hangul, Han and Kana have no useful word
boundary (particles are attached, compounds are not split), so their runs become character bigrams.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from functools import cache, lru_cache
from typing import Any

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_RUN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_IS_CJK = re.compile(f"[{_CJK}]")
_STOP_WORDS = """
a an and are as at be been but by can could did do does for from had has have he her here him his how i if in into is it
its me my no not of on or our out she so than that the their them then there these they this to too up us was we were
what when where which who whom why will with would you your am s t m re ve ll d don
"""
_STOP = frozenset(_STOP_WORDS.split())


def terms_of(text: str) -> list[str]:
    """The terms of `text` in order, with repetitions."""
    terms: list[str] = []
    for run in _RUN.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _IS_CJK.match(run):
            terms.extend(run[i : i + 2] for i in range(max(1, len(run) - 1)))
        elif run not in _STOP:
            terms.append(_stem(run))
    return terms


def hashed_terms(text: str) -> tuple[list[int], int]:
    """The distinct terms as signed 32-bit hashes, and how many terms there are with repetitions."""
    terms = terms_of(text)
    return sorted({_hash(term) for term in terms}), len(terms)


def _hash(term: str) -> int:
    unsigned = zlib.crc32(term.encode())
    return unsigned - (1 << 32) if unsigned >= 1 << 31 else unsigned


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")

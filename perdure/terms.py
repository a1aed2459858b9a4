"""Text to lexical terms, for languages with spaces and without, as hashes that stock PostgreSQL can index.

Words of scripts with spaces become stems (`word_terms`), Hangul words bigrams of what is left without particles and
endings (`korean_terms`). Han, Kana, Thai, Lao, Burmese and Khmer show no boundaries of words: their runs become bigrams,
those of Han single characters too.

A question has fewer terms than a memory of the same words: not those that only ask, and versions in full only.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterator
from functools import lru_cache

from perdure.korean_terms import bigrams, is_particle, korean_terms, only_asks
from perdure.word_terms import stem, word_terms

__all__ = ["hashed_terms", "query_terms", "stem", "term_hash", "terms_of"]

_HANGUL = "\uac00-\ud7a3"
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17d3"
_RUNS = (_HANGUL, _HAN, _HIRAGANA, _KATAKANA, _UNSPACED)
_NO_WORDS = "\u1100-\u11ff\u30fb"
"""Letters of Hangul that make no syllable, which is laughter and tears, and the dot between Japanese words."""
_INDIC = "\u0900-\u0963\u0966-\u0dff"
"""Words there hold vowel signs, which Python's `\\w` leaves out; its full stops lie between."""
_LETTERS = rf"(?:[^\W_{''.join(_RUNS)}{_NO_WORDS}]|[{_INDIC}])+"
_TOKEN = re.compile(
    "|".join(f"[{run}]+" for run in _RUNS) + rf"|[A-Za-z](?:\+\+|#)(?!\w)|{_LETTERS}(?:[._@+-]+{_LETTERS})*"
)
_IS_HANGUL, _IS_HAN, _IS_HIRAGANA, _IS_KATAKANA, _IS_UNSPACED = (re.compile(f"[{run}]") for run in _RUNS)
_POINTS = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]")
"""Vowel points, which are written or not as one likes."""
_CONTRACTED = re.compile(r"\b[a-z]+n['’]t\b|['’](?:s|t|m|re|ve|ll|d)\b", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_TELEPHONE = re.compile(r"(?<![\w.])\+?\(?\d(?:[ ().-]{0,2}\d){8,14}(?!\w)")
_HAN_ASKS = re.compile("[的了是我你您他她它们們吗嗎呢吧什么麼谁誰怎哪这這那何私僕]+")
_HIRAGANA_PAIRS = "です ます でし まし すか どこ だれ いつ なに なん どん どの"
_HIRAGANA_ASKS = frozenset(_HIRAGANA_PAIRS.split())
"""Of what Chinese and Japanese questions are made."""


def terms_of(text: str) -> list[str]:
    """The terms of a memory in order, with repetitions."""
    return [term for token in _tokens(text) for term in _terms(token)]


def query_terms(text: str) -> list[str]:
    """The terms by which a question finds memories: all that it has, where it does nothing but ask."""
    return [term for token in _tokens(text) for term in _asked(token)] or terms_of(text)


def hashed_terms(text: str) -> list[int]:
    """The distinct terms of a memory as hashes (`term_hash`), in their order."""
    return sorted({number for token in _tokens(text) for number in _hashes(token)})


def _tokens(text: str) -> Iterator[str]:
    """Runs of one script in their own case, without particles that stand alone, and telephone numbers."""
    text = _POINTS.sub("", unicodedata.normalize("NFKC", text))
    text = _THOUSANDS.sub("", _CONTRACTED.sub("", text))
    for found in _TOKEN.finditer(text):
        before = text[found.start() - 1 : found.start()].strip()
        if not before or before.isdigit() or not is_particle(found[0]):
            yield found[0]
    for number in _TELEPHONE.findall(text):
        yield _same_in_all_spellings(number)


def _same_in_all_spellings(telephone: str) -> str:
    """What does not depend on signs, nor on the way in which country and area are given."""
    return "".join(filter(str.isdecimal, telephone))[-8:]


def _terms(token: str) -> tuple[str, ...]:
    if _IS_HANGUL.match(token):
        return korean_terms(token)
    if _IS_HAN.match(token):
        return (*bigrams(token), *token) if len(token) > 1 else (token,)
    if _IS_HIRAGANA.match(token):
        return tuple(bigrams(token)) if len(token) > 1 else ()
    if _IS_KATAKANA.match(token):
        return tuple(bigrams(token.rstrip("ー") or token))
    return tuple(bigrams(token) if _IS_UNSPACED.match(token) else word_terms(token))


def _asked(token: str) -> tuple[str, ...]:
    if _IS_HANGUL.match(token):
        return () if only_asks(token) else _terms(token)
    if _IS_HAN.match(token):
        return tuple(term for part in _HAN_ASKS.split(token) if part for term in _terms(part))
    if _IS_HIRAGANA.match(token):
        return tuple(term for term in _terms(token) if term not in _HIRAGANA_ASKS)
    if _IS_KATAKANA.match(token) or _IS_UNSPACED.match(token):
        return _terms(token)
    return tuple(word_terms(token, asked=True))


@lru_cache(maxsize=16_384)
def _hashes(token: str) -> tuple[int, ...]:
    return tuple(map(term_hash, _terms(token)))


def term_hash(term: str) -> int:
    """1 ≤ hash < 2**30, by which a term is stored."""
    return zlib.crc32(term.encode()) & (1 << 30) - 1 or 1

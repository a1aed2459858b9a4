"""Words of scripts with spaces to lexical terms: stems, and names with signs or capitals inside by their parts too.

Stemmed (Snowball, Porter 1980) by the rules of English, or of Arabic or Hindi where the script says so; accents do not
count, nor which sign joins the parts: e-mail is email, Next.js is NextJS, 2026-10-01 is 20261001.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import accumulate
from typing import Any

_STOP_WORDS = """
a an and are as at be been but by can could did do does for from had has have he her here him his how i if in into is it
its me my no not of on or our out she so than that the their them then there these they this to too up us was we were
what when where which who whom why will with would you your am s t m re ve ll d don http https www
"""
_STOP = frozenset(_STOP_WORDS.split())
_SCRIPTS = (("arabic", "\u0600", "\u06ff"), ("hindi", "\u0900", "\u097f"))
"""The languages whose stemmer is chosen by a word's first letter: name, first and last letter."""
_ACCENTS = re.compile("(?<=[a-z])[\u0300-\u036f]+")
_OTHER_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"})
_JOINED_BY = re.compile("[_@+-]+")
_HUMPS = re.compile("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
"""Between the words of `getUserById`; GitHub and iPhone are names that nobody takes apart."""
_VERSION = re.compile(r"v?(\d+(?:\.\d+){1,4})([a-z]\w*)?")
_MEASURE = re.compile(r"(\d+)([a-z]+)|v(\d+)")


def word_terms(word: str, *, asked: bool = False) -> list[str]:
    """The terms of a word in its own case; asked for, a version is not also what it begins with."""
    if word.isascii() and word.isalpha() and (word.islower() or word[1:].islower()):
        return _plain(word)
    if word[1:] in ("+", "++", "#"):
        return [word.lower()]
    sections = _JOINED_BY.split(word)
    terms = [term for section in sections for term in _section(section, asked)]
    if len(sections) > 1:
        terms.append(stem(_folded("".join(sections))))
    return list(dict.fromkeys(terms))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a word in lower case, by the rules of the language that its script stands for."""
    language = next((name for name, first, last in _SCRIPTS if first <= word[:1] <= last), "english")
    return str(_stemmer(language).stemWord(word))


def _section(section: str, asked: bool) -> list[str]:
    if version := _VERSION.fullmatch(section.lower()):
        number, rest = version[1], version[2]
        numbers = [number] if asked else list(accumulate(number.split("."), "{}.{}".format))
        return [*numbers, number + rest, rest] if rest else numbers
    names = [name for name in section.split(".") if name != "www"]
    terms = [term for name in names for term in _name(name)]
    return [*terms, stem(_folded("".join(names)))] if len(names) > 1 else terms


def _name(name: str) -> list[str]:
    if measure := _MEASURE.fullmatch(name.lower()):
        return [measure[0], *(term for part in measure.groups() if part for term in _plain(part))]
    humps = _HUMPS.split(name)
    parts = humps if len(humps) > 2 or (len(humps) > 1 and name[0].islower() and len(humps[0]) > 1) else []
    return [*(term for part in parts for term in _plain(part)), *_plain(name)]


def _plain(word: str) -> list[str]:
    """The stem, if it is no stop word; US and IT are none, nor is the D of vitamin D."""
    folded = _folded(word)
    shouted = word.isupper() and word not in ("A", "I")
    return [stem(folded)] if shouted or folded not in _STOP else []


def _folded(word: str) -> str:
    folded = word.casefold()
    if folded.isascii():
        return folded
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", folded))
    return unicodedata.normalize("NFC", bare).translate(_OTHER_LETTERS)


@cache
def _stemmer(language: str) -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer(language)

"""The words of a saying as two sayings are compared: without fillers, numbers as numbers, denials in their place.

Whatever may carry meaning stays: tenses, prepositions, symbols, particles that say who or where, and the punctuation of
addresses and names of files. A word that is kept needlessly costs a repeated fact; one that is lost hides another fact.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from perdure.endings import bare, barest, singular, singulars, verb_stem

_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0e30-\u0e4e\u0eb0-\u0ece\u1000-\u103f\u1780-\u17d3"
"""Vowel signs and accents that belong to the letter before, though they are no letters themselves."""
_TOKEN = re.compile(
    # An address, a path, a file: letter by letter.
    r"(?P<verbatim>[^\s,;!?()]*(?:[@_\\]|://|[^\W\d]/|/[^\W\d]|[^\W\d가-힣]\.[^\W\d가-힣])[^\s,;!?()]*)"
    r"|(?P<number>(?<![\w.,:/-])-\d+(?:[.,:/-]\d+)*|\d+(?:[.,:/-]\d+)*)"
    rf"|(?P<word>[가-힣]+|[^\W\d_가-힣](?:[^\W\d_가-힣]|[{_MARKS}])*(?:['’][^\W\d_가-힣]+)?[+#*]*)"
    r"|(?P<symbol>[^\w\s])"
)
_FRACTION = re.compile("[¼-¾⅐-⅞]")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_LEADING_ZERO = re.compile(r"^0(?=\d(?:\D|$))")
_SPOKEN_OF = re.compile(
    r"^\s*(?:(?:the\s+user(?:['’]s)?|user['’]s|i['’]m|i\s+am|i|to\s+be|to|playing)\s+"
    r"|(?:나는|내가|저는|제가|나|내|사용자는|사용자가|사용자의)\s+)(?=[^\W\d_])",
    re.IGNORECASE,
)
"""How a saying begins that is about the user, or about doing something, which goes without saying."""
_OF_A_COMPANY = re.compile(
    r"^\s*(?:주식회사|\(주\))\s*|(?<=\S)\s*(?:주식회사|\(주\)|,?\s(?:inc|corp|corporation|ltd|llc|gmbh|co)\b\.?)\s*$",
    re.IGNORECASE,
)
_MUSIC = re.compile(
    r"\b(jazz|(?:k-)?pop|hip[ -]?hop|techno|reggae|punk|재즈|클래식|힙합|트로트|발라드|케이팝|국악)\s*(?:music|음악)\s*$",
    re.IGNORECASE,
)
"""Styles that are nothing but music: that it is music may be said or not. Game music is no game."""
_FILLER_WORDS = "a an the my our is are really very actually currently now also please 정말 매우 지금 현재 요즘"
_FILLERS = frozenset(_FILLER_WORDS.split())
_SAME = {"&": "and", "mode": "theme"}
_CONTRACTED = {"can't": ("can",), "won't": ("will",), "shan't": ("shall",), "cannot": ("can",)}
_DENIES = re.compile(
    r"not|no|never|without|안|못|않.*|.*지않.*|없.*|아니(?:다|야|요|에요|고|라.*|지.*|었.*)?|아닌.*|말고"
)
_COUNTED = re.compile(r"(?:명|개|마리|살|시|번|권|병|잔|대|장|분|달|해|가지|채|켤레|군데|사람|차례)")
_NUMBER_WORDS = """
zero|영 one|한|하나 two|두|둘 three|세|셋 four|네|넷 five|다섯 six|여섯 seven|일곱 eight|여덟 nine|아홉 ten|열
"""
_NUMBERS = {name: str(n) for n, names in enumerate(_NUMBER_WORDS.split()) for name in names.split("|")}
_ALSO_WORDS = frozenset({"영", "한", "두", "세", "네", "열"})
"""Numbers only before what is counted: 네 is “yes” too, and 열 a fever."""


@dataclass(frozen=True, slots=True)
class Word:
    plain: str
    """In lower case; of a Korean verb without the polite ending."""
    forms: frozenset[str]
    """What it may be an inflected form of, itself included."""
    bare: str
    """Without the Korean particle or sort of place that may be left out."""
    rude: str
    """What all that it agrees with has in common, but for the letters that English drops before an ending (e, y)."""
    named: bool
    """Written like a name, which is not inflected: Carlos is not Carlo."""

    def agrees(self, other: Word) -> bool:
        if self.plain == other.plain or (self.forms & other.forms and not (self.named and other.named)):
            return True
        return self.plain == other.bare or self.bare == other.plain


@dataclass(frozen=True, slots=True)
class Saying:
    words: tuple[Word, ...]
    """In order, numbers and denials among them."""
    numbers: tuple[str, ...]
    denied: bool

    @property
    def plain(self) -> str:
        """All of it without spaces, which are put here and not there: dark mode, darkmode."""
        return "".join(word.plain for word in self.words)

    @property
    def bare(self) -> str:
        return "".join(word.bare for word in self.words)


@lru_cache(maxsize=16_384)
def saying(text: str) -> Saying:
    """The words and the numbers, each in order, and whether something is denied."""
    words: list[Word] = []
    numbers: list[str] = []
    denied = False
    tokens = [*_TOKEN.finditer(_told(text)), None]
    for token, following in pairwise(tokens):
        if token is None or _is_filler(token, following, first=token is tokens[0]):
            continue
        if (number := _number(token, following)) is not None:
            numbers.append(number)
            words.append(_exactly(number))
        for word in _words(token) if number is None else ():
            denied ^= _DENIES.fullmatch(word.plain) is not None
            words.append(word)
    return Saying(tuple(words), tuple(numbers), denied)


def _told(text: str) -> str:
    """The text without what goes without saying around it."""
    text = unicodedata.normalize("NFKC", _FRACTION.sub(r" \g<0>", text)).replace("⁄", "/").replace("’", "'")
    return _MUSIC.sub(r"\1", _OF_A_COMPANY.sub("", _SPOKEN_OF.sub("", text))) or text


def _number(token: re.Match[str], following: re.Match[str] | None) -> str | None:
    told = token[0].casefold()
    if token["number"]:
        told = told.replace(",", "") if _THOUSANDS.fullmatch(told) else told
        return _LEADING_ZERO.sub("", told)
    counts = following is not None and following["word"] and _COUNTED.match(following[0])
    after_a_digit = token.start() > 0 and token.string[token.start() - 1].isdigit()
    return None if after_a_digit or (told in _ALSO_WORDS and not counts) else _NUMBERS.get(told)


def _is_filler(token: re.Match[str], following: re.Match[str] | None, *, first: bool) -> bool:
    """Not where it may be a name's part (Apocalypse Now), or a letter (vitamin A, plan A, A4)."""
    told = token[0]
    if told.casefold() not in _FILLERS or (told[0].isupper() and not first):
        return False
    if told.casefold() in {"a", "an"}:
        return following is not None and bool(following["word"]) and following.start() > token.end()
    return True


def _words(token: re.Match[str]) -> list[Word]:
    told = token[0].casefold()
    if token["symbol"]:
        says = unicodedata.category(told[0])[0] == "S" or told in "%#&*§"
        return [_exactly(_SAME.get(told, told))] if says else []
    if token["verbatim"]:
        return [_exactly(told.strip(".:'\""))]
    if "가" <= told[0] <= "힣":
        stem = verb_stem(re.sub("모드$", "테마", told))
        return [Word(stem, frozenset([stem]), bare(stem), barest(stem), named=False)]
    if told in _CONTRACTED or told.endswith("n't"):
        return [*map(_exactly, _CONTRACTED.get(told, (told.removesuffix("n't"),))), _exactly("not")]
    told = _SAME.get(told, told).removesuffix("'s")
    return [Word(told, singulars(told), told, singular(told), named=token[0][0].isupper())]


def _exactly(told: str) -> Word:
    return Word(told, frozenset([told]), told, told, named=False)

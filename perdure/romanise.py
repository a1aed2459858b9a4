"""Hangul in Latin letters, so that 서울 and Seoul are seen to be one name.

The Revised Romanization of Korean (Ministry of Culture and Tourism Proclamation 2000-8), syllable by syllable: without
the changes of sound between syllables, which names of places and people mostly do without.
"""

from __future__ import annotations

_FIRST = 0xAC00
_INITIALS, _VOWELS, _FINALS = (
    row.split()
    for row in (
        "g kk n d tt r m b pp s ss - j jj ch k t p h",
        "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i",
        "- k k k n n n t l k m l l l p l m p p t t ng t t k t p t",
    )
)


def romanised(text: str) -> str:
    """`text` with each Hangul syllable spelled in Latin letters; everything else stays."""
    return "".join(_syllable(character) if "가" <= character <= "힣" else character for character in text)


def _syllable(character: str) -> str:
    rest, final = divmod(ord(character) - _FIRST, len(_FINALS))
    initial, vowel = divmod(rest, len(_VOWELS))
    return f"{_INITIALS[initial]}{_VOWELS[vowel]}{_FINALS[final]}".replace("-", "")

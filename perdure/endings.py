"""Endings that do not change what a word names: plurals and -ing in English, polite endings and particles in Korean.

Only those that leave no doubt. A stemmer makes one word of animals and animation, of fish and fishing; 고양이 is a cat and
no 고양 with a particle, and 사과 is no 사고.
"""

from __future__ import annotations

import re

_ACTIVITY_WORDS = """
hike run jog walk swim cycle bike climb camp surf ski skate cook bake read write draw dance sing garden knit
travel sew row sail dive golf game code kayak snowboard ride sketch photograph
"""
_ACTIVITIES = frozenset(_ACTIVITY_WORDS.split())
"""Verbs that name the same thing as their -ing."""
_WORDS_WITH_S = """
news glasses arms customs goods shorts jeans spirits minutes colors colours physics ethics politics economics
mathematics gymnastics athletics means series species clothes pants lens does this
"""
_OTHER_WITHOUT_S = frozenset(_WORDS_WITH_S.split())
"""What is another thing, or nothing, without its s."""
_LATIN = re.compile(r"[a-z]+")
_POLITE = re.compile(r"(?<=[어아여해워와봐돼녀려져줘춰셔쳐켜펴써커])요$")
_FORMAL = re.compile(r"(?<=[가-힣])습니다$|(?<=[있없같싶좋많살알])(?:어|아|다)$")
_LEFT_OUT = re.compile(r"(?<=..)(?:을|를|는|이에요|예요|입니다|특별자치시|특별시|광역시|(?<!도)시)$")
_FOLLOWS_A_CONSONANT = {"을": True, "이에요": True, "를": False, "는": False, "예요": False}


def singulars(word: str) -> frozenset[str]:
    """The English word, in lower case, and what it may be the plural, the third person or the -ing of."""
    forms = {word}
    if _has_plural_s(word):
        forms.add(word[:-1])
        if word.endswith(("sses", "xes", "zes", "ches", "shes", "oes")):
            forms.add(word[:-2])
        if word.endswith("ies") and len(word) > 4:
            forms.add(f"{word[:-3]}y")
    return frozenset(forms | _verbs(word))


def singular(word: str) -> str:
    """What all the words have in common that share a form with it, but for their letters e and y."""
    verbs = sorted(_verbs(word))
    return verbs[0] if verbs else word[:-1] if _has_plural_s(word) else word


def _has_plural_s(word: str) -> bool:
    if len(word) < 4 or not _LATIN.fullmatch(word) or word in _OTHER_WITHOUT_S:
        return False
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _verbs(word: str) -> set[str]:
    """The activity that the word is the -ing of."""
    root = word[:-3] if word.endswith("ing") else ""
    undoubled = root[:-1] if root[-1:] == root[-2:-1] else root
    return {root, f"{root}e", undoubled} & _ACTIVITIES


def verb_stem(word: str) -> str:
    """The Korean word without the polite ending of a verb; its tense stays."""
    told = word.removesuffix("합니다") + "해" if word.endswith("합니다") and len(word) > 3 else _POLITE.sub("", word)
    return _FORMAL.sub("", told)


def bare(word: str) -> str:
    """The Korean word without a particle, or a sort of place, that may be said or not and can be no part of a noun."""
    found = _LEFT_OUT.search(word)
    if found is None:
        return word
    shorter = word[: found.start()]
    consonant = (ord(shorter[-1]) - ord("가")) % 28 != 0
    return shorter if _FOLLOWS_A_CONSONANT.get(found[0], consonant) == consonant else word


def barest(word: str) -> str:
    """`bare`, until nothing more can be left out."""
    while (shorter := bare(word)) != word:
        word = shorter
    return word

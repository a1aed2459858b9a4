"""Korean words to lexical terms: particles off, conjugated verbs also by their stems, then bigrams of syllables.

Nothing is looked up in a dictionary of nouns, so a particle may be taken off a word that only looks as if it had one;
it then is so in the memory and in the question alike. A word of two syllables keeps both readings (지도 may be a map).
"""

from __future__ import annotations

import re
from functools import lru_cache

_AFTER_ANY = """
의 에 에서 에게 한테 께 께서 도 만 까지 부터 처럼 보다 마다 조차 밖에 하고 들 씩 쯤 뿐 같은 만큼 대로 요 인데 입니다 이라는 라는
에는 에도 엔 에서는 에서도 에서의 에선 에게는 에게서 한테는 한테도 한테서 까지는 부터는 만은 들이 들은 들을
"""
_AFTER_CONSONANT = """
은 이 을 과 으로 으로는 으로도 이랑 이나 이야 이에요 이었어 이었지 이었더라 이라고 이라서 이라 이고 이지만 이더라 이든
"""
_AFTER_VOWEL = """
는 가 를 와 로 로는 로도 랑 나 야 예요 였어 였지 였더라 라고 라서 라 고 지만 더라 든
"""
_PARTICLES: dict[str, bool | None] = dict.fromkeys(_AFTER_ANY.split())
_PARTICLES |= dict.fromkeys(_AFTER_CONSONANT.split(), True) | dict.fromkeys(_AFTER_VOWEL.split(), False)
"""Whether a final consonant must come before."""
_NOUN_WORDS = "고양이 호랑이 원숭이 거북이 달팽이 어린이 떡볶이 목걸이 귀걸이 바나나 사우나"
_NOUNS = frozenset(_NOUN_WORDS.split())
"""Nouns that end like one with a particle, and mean nothing, or another thing, without."""
_NEVER_OF_A_NOUN = "를는에"
_LONGEST = max(map(len, _PARTICLES))

_ENDING_WORDS = """
고 고는 고서 지 지만 지는 지요 죠 나 나요 니 니까 냐 네 네요 는 는데 는데요 는지 다 다고 다가 던 던데 더라 더라고 더라고요 게 거든 거든요
잖아 잖아요 자 자고 기 기는 기도 기로 려고 러 면 면서 며 서 도 야 요 을 은 을까 을래 을게 으면 으려고 으러 으니까 어 아 어요 아요 어서
아서 어도 아도 어야 아야 었어 았어 었어요 았어요 었지 았지 었는데 았는데 었다 았다 었던 았던 었나 았나 었니 았니 습니다 습니까 니다
니까 까 까요 래 래요 데 데요 겠어 겠어요 세요 거야 줘 줘요 줄래 봐 봤어
"""
_ENDINGS = "|".join(sorted(set(_ENDING_WORDS.split()), key=len, reverse=True))
_CONJUGATED = re.compile(rf"([가-힣]+?)({_ENDINGS})?")
_DOING = re.compile(rf"([가-힣]+?)(?:[하해했합한할함되돼됐된될됩](?:{_ENDINGS})|(?<=..)[해한할돼된될])")
"""A noun with 하다 or 되다, which make a verb of it."""
_SHORT_STEMS = """
먹 읽 살 놀 알 입 신 찍 걷 앉 씻 닦 볶 끓 팔 벌 열 닫 남 웃 울 믿 받 얻 잃 잊 찾 맞 맡 묻 뽑 싫 좋 많 적 같 높 낮 늦 늙 젊 작 짧 길 있 없
듣들 들 살사 놀노 팔파 쓰써썼쓴쓸씁 가갔간갈갑 오와왔온올옵 보봐봤본볼봅 자잤잔잡 사샀산삽 타탔탄탈탑 하해했한할합 되돼됐된될됩 주줘줬준줄줍 치쳐쳤친칠칩
켜켰켠켤켭 끄꺼껐끈끌 피펴폈핀필핍 크커컸큰클큽 뛰 쉬 춥추 덥더 맵매
"""
_SHORT = {form: [row[0] for row in _SHORT_STEMS.split() if form in row] for form in _SHORT_STEMS}
"""Verbs whose stems are of one syllable, by how that syllable is written before endings: 사는 is of 살다, or of 사다."""
_CONTRACTED_SHORT = {form: _SHORT[form] for form in "써와봐해돼줘쳐켜꺼펴커"}
"""Those that hold an ending already."""
_ASKING = re.compile(
    rf"""(?:나|저|너|우리|저희)(?:는|도|를|의|한테|랑)? | [난날] | [내제네](?:가|게)?
    | (?:뭐|뭘|뭔|무엇|어디|언제|누구|누가|얼마|어떻|어떠|어때|어땠)[가-힣]* | 무슨 | 어떤 | 어느 | 몇[가-힣]? | 왜
    | (?!하나$)[있하해했되돼됐](?:{_ENDINGS})? | [거것게건걸수그좀] | 거[야지] | 그거 | 그게 | 혹시
    | (?:알려|말해|말했|얘기|기억나|기억해|대해|관련해)[가-힣]* | 관련 | 대한 | 줘 | 줄래 | 주세요""",
    re.VERBOSE,
)
"""What questions are made of: whose, what, where, is there, tell me, do you remember."""
_SYLLABLES, _VOWELS, _FINALS = ord("가"), 21, 28
_CONTRACTED = {6: 20, 14: 13}
"""Vowels that hold an ending, by number, and what they are without: 마셔 is 마시어, 배워 is 배우어."""
_L, _SS = 8, 20
_OPEN_BEFORE = {(4, "다"), (4, "데"), (8, "까"), (8, "래"), (8, "게"), (8, "거"), (17, "니")}
"""Final consonants that belong to the ending, with how it goes on: 마신다, 마실까, 마십니다."""
_ABSENT = object()


@lru_cache(maxsize=16_384)
def korean_terms(word: str) -> tuple[str, ...]:
    """The terms of a run of Hangul, distinct: bigrams of syllables, or the syllable where there is but one."""
    named = _DOING.fullmatch(word)
    noun = named[1] if named else ""
    # One syllable is no proof: 말했어 is said, but 피해는 is harm.
    readings = [noun] if len(noun) > 1 else [*_without_particles(word), *_verb_stems(word), noun]
    return tuple(dict.fromkeys(term for reading in readings if reading for term in bigrams(reading)))


def only_asks(word: str) -> bool:
    """Whether the word says in a question that, or how, something is asked, and not what about."""
    return bool(_ASKING.fullmatch(word))


def is_particle(word: str) -> bool:
    """Whether it stands for nothing where it follows other letters: FastAPI를."""
    return word in _PARTICLES


def bigrams(run: str) -> list[str]:
    """The pairs of neighbouring characters, or the character where there is but one."""
    return [run[start : start + 2] for start in range(max(1, len(run) - 1))]


def _without_particles(word: str) -> list[str]:
    """What is left without particles, and of two syllables both readings: 차도 is a road, or tea too."""
    whole = []
    for _ in range(2):  # 서울에서부터
        if len(word) == 2 and word[1] not in _NEVER_OF_A_NOUN:
            whole = [word]
        if word in _NOUNS:
            break
        for length in range(min(_LONGEST, len(word) - 1), 0, -1):
            after_consonant = _PARTICLES.get(word[-length:], _ABSENT)
            if after_consonant is None or after_consonant == _follows_consonant(word, length):
                word = word[:-length]
                break
    return [word, *whole]


def _follows_consonant(word: str, length: int) -> bool:
    final = (ord(word[-length - 1]) - _SYLLABLES) % _FINALS
    return final not in (0, _L) if word[-length:].startswith("로") else final != 0


def _verb_stems(word: str) -> list[str]:
    """The stems of a word that can be a form of a verb, where they are not its beginning."""
    found = _CONJUGATED.fullmatch(word)
    if not found:
        return []
    root, ending = found[1], found[2] or ""
    if len(root) == 1:
        return (_SHORT if ending else _CONTRACTED_SHORT).get(root, [])
    onset, rest = divmod(ord(root[-1]) - _SYLLABLES, _VOWELS * _FINALS)
    vowel, final = divmod(rest, _FINALS)
    if vowel in _CONTRACTED and final in (0, _SS):
        vowel = _CONTRACTED[vowel]
    elif (final, ending[:1]) not in _OPEN_BEFORE:
        return []
    return [root[:-1] + chr(_SYLLABLES + (onset * _VOWELS + vowel) * _FINALS)]

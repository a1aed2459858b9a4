"""Other words for the facts of `naia_ko`, and facts that only look like them, made by rule.

The rules are written for the bench: none asks the code that is measured how words may differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Literal

Half = Literal["development", "held-out"]

_HANGUL_IN_LATIN_PAIRS = """
네이버=Naver 카카오=Kakao 노션=Notion 슬랙=Slack 피그마=Figma 깃허브=GitHub 파이썬=Python 레디스=Redis 도커=Docker 줌=Zoom
타입스크립트=TypeScript 리액트=React 서울=Seoul 부산=Busan 제주=Jeju 교토=Kyoto 판교=Pangyo 트위터=Twitter 인스타그램=Instagram
구글=Google 애플=Apple 유튜브=YouTube 넷플릭스=Netflix 나이키=Nike 소니=Sony 김하늘=Gimhaneul 박준서=Bakjunseo 뭉치=Mungchi
"""
_FORMAL_FORMS = """
해=합니다 있어=있습니다 없어=없습니다 써=씁니다 좋아=좋습니다 같아=같습니다 많아=많습니다 셔=십니다 려=립니다 봐=봅니다 가=갑니다 와=옵니다
켜=킵니다 돼=됩니다 줘=줍니다 자=잡니다 먹어=먹습니다 읽어=읽습니다 했어=했습니다 었어=었습니다 았어=았습니다 였어=였습니다 아니야=아닙니다 야=입니다
"""
_PLAIN_FORMS = """
해=한다 있어=있다 없어=없다 써=쓴다 좋아=좋다 같아=같다 많아=많다 셔=신다 려=린다 봐=본다 가=간다 와=온다 켜=킨다 돼=된다 줘=준다 자=잔다
먹어=먹는다 읽어=읽는다 했어=했다 었어=었다 았어=았다 였어=였다 아니야=아니다
"""
_PAST_FORMS = """
해=했어 있어=있었어 없어=없었어 써=썼어 좋아=좋았어 셔=셨어 려=렸어 봐=봤어 가=갔어 와=왔어 켜=켰어 돼=됐어 줘=줬어 먹어=먹었어
읽어=읽었어 아니야=아니었어 야=였어
"""
_ENGLISH_CONTRACTIONS = (
    ("I'm ", "I am "),
    ("We're ", "We are "),
    ("It's ", "It is "),
    ("don't ", "do not "),
    ("can't ", "cannot "),
    ("doesn't ", "does not "),
    ("I've ", "I have "),
)
_KOREAN_SYNONYMS = (("쓰고 있어", "사용하고 있어"), ("살아", "거주해"), ("자주", "종종"), ("시작했어", "개시했어"))
_ENGLISH_SYNONYMS = (("I use ", "I work with "), ("mainly ", "mostly "), ("I like ", "I enjoy "), ("company", "firm"))
_ENGLISH_DENIALS = (
    ("I'm ", "I'm not "),
    (" is ", " is not "),
    ("don't ", "do "),
    ("I can't ", "I can "),
    ("I have ", "I don't have "),
    ("I use ", "I don't use "),
    ("I like ", "I don't like "),
    ("I prefer ", "I don't prefer "),
    ("I live ", "I don't live "),
    ("I work ", "I don't work "),
)
_ENGLISH_PASTS = (
    ("I use ", "I used "),
    ("I like ", "I liked "),
    ("I live ", "I lived "),
    ("I have ", "I had "),
    ("I prefer ", "I preferred "),
    ("I work ", "I worked "),
    (" is ", " was "),
    ("I'm ", "I was "),
)


def _forms(told: str) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in told.split())
    return {one: other for one, _, other in pairs}


_FORMAL, _PLAIN, _PAST, _IN_LATIN = map(_forms, (_FORMAL_FORMS, _PLAIN_FORMS, _PAST_FORMS, _HANGUL_IN_LATIN_PAIRS))


@dataclass(frozen=True, slots=True)
class Variant:
    """A text made of a fact's: ``same`` if it says the same, else something that must never be merged with it."""

    kind: str
    same: bool
    language: str
    half: Half
    original: str
    text: str


def variants_of(bank: Mapping[str, Any], language: str, limit: int | None) -> list[Variant]:
    """All variants of the facts, those of every other fact held out. None is the text of another fact."""
    facts = bank["facts"][:limit]
    known = {_plain(fact["statement"]) for fact in facts}
    found: list[Variant] = []
    for place, (fact, other) in enumerate(zip(facts, _others(facts), strict=True)):
        half: Half = "held-out" if place % 2 else "development"
        original = fact["statement"]
        for kind, same, text in _all(fact, other, language):
            if text and _plain(text) != _plain(original) and _plain(text) not in known:
                found.append(Variant(kind, same, language, half, original, text))
    return found


def distractors_of(bank: Mapping[str, Any], limit: int | None) -> list[Variant]:
    """The near-duplicates that come with the second fact bank, written by its authors."""
    found = []
    for place, fact in enumerate(bank["facts"][:limit]):
        if distractor := fact.get("distractor"):
            half: Half = "held-out" if place % 2 else "development"
            kind, told = f"distractor: {distractor['type']}", distractor["statement"]
            if _plain(told) != _plain(fact["statement"]):
                found.append(Variant(kind, False, "ko", half, fact["statement"], told))
    return found


def _all(fact: Mapping[str, Any], other: Mapping[str, Any], language: str) -> Iterator[tuple[str, bool, str]]:
    text, names = fact["statement"], [name for name in fact["entities"] if name in fact["statement"]]
    yield "order of sentences", True, _sentences_swapped(text)
    yield "spelling", True, _spelled(text)
    yield "digits", False, re.sub(r"\d+", lambda found: str(int(found[0]) + 1), text, count=1)
    yield "name or value", False, _renamed(text, names, other["entities"])
    if len(names) > 1:
        yield "names exchanged", False, _exchanged(text, names[0], names[1])
    yield from (_korean if language == "ko" else _english)(text)


def _korean(text: str) -> Iterator[tuple[str, bool, str]]:
    yield "ending: polite", True, _each_sentence(text, lambda told: f"{told}요" if told[-1] in "해어아써셔려봐" else "")
    yield "ending: formal", True, _each_sentence(text, lambda told: _ended(told, _FORMAL))
    yield "ending: plain", True, _each_sentence(text, lambda told: _ended(told, _PLAIN))
    yield "particle", True, re.sub(r"(?<=[가-힣])(?:는|은|을|를)(?=\s)", "", text, count=1)
    yield "spacing", True, re.sub(r"(?<=[가-힣]) (?=있|없|해)", "", text, count=1)
    yield "synonym", True, _first_replaced(text, _KOREAN_SYNONYMS)
    yield "Latin or Hangul", True, _in_the_other_script(text)
    yield "negation", False, _denied(text)
    yield "tense", False, _ended(text, _PAST)


def _english(text: str) -> Iterator[tuple[str, bool, str]]:
    yield "contraction", True, _first_replaced(text, _ENGLISH_CONTRACTIONS)
    yield "synonym", True, _first_replaced(text, _ENGLISH_SYNONYMS)
    yield "article", True, re.sub(r" (?:the|a|my|really) (?=[a-z])", " ", text, count=1)
    yield "order of parts", True, re.sub(r"^(These days|On weekends|At home),? (I .*?)([.]|$)", r"\2 \1\3", text)
    yield "negation", False, _first_replaced(text, _ENGLISH_DENIALS)
    yield "tense", False, _first_replaced(text, _ENGLISH_PASTS)


def _others(facts: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """For each fact the next one of its domain."""
    rounds = {domain: cycle([f for f in facts if f["domain"] == domain]) for domain in {f["domain"] for f in facts}}
    for one in rounds.values():
        next(one)
    for fact in facts:
        yield next(rounds[fact["domain"]])


def _each_sentence(text: str, change: Callable[[str], str]) -> str:
    parts = [part.rstrip(".") for part in text.split(". ")]
    changed = [change(part) or part for part in parts]
    return ". ".join(changed) if changed != parts else ""


def _ended(text: str, forms: Mapping[str, str]) -> str:
    """The longest ending that the table knows, in its other form. 야 behind a consonant is a part of the noun."""
    ending = next((one for one in sorted(forms, key=len, reverse=True) if text.endswith(one)), "")
    told = text.removesuffix(ending) if ending else ""
    if ending != "야" or not told or not "가" <= told[-1] <= "힣":
        return told + forms[ending] if told else ""
    if told[-1] == "이" and len(told) > 1 and _is_closed(told[-2]):
        return f"{told[:-1]}{forms[ending]}" if forms[ending].startswith("입") else ""
    return "" if _is_closed(told[-1]) else told + forms[ending]


def _is_closed(syllable: str) -> bool:
    return (ord(syllable) - ord("가")) % 28 != 0


def _sentences_swapped(text: str) -> str:
    parts = [part.rstrip(".") for part in text.split(". ")]
    return ". ".join(reversed(parts)) if len(parts) == 2 else ""


def _spelled(text: str) -> str:
    return f"{text.replace(', ', ' , ').replace('. ', '.  ').lower()}."


def _in_the_other_script(text: str) -> str:
    for hangul, latin in _IN_LATIN.items():
        if hangul in text:
            return text.replace(hangul, latin)
        if latin in text:
            return text.replace(latin, hangul)
    return ""


def _denied(text: str) -> str:
    """What it says denied, or what it denies said."""
    if " 안 " in text:
        return text.replace(" 안 ", " ", 1)
    if text.endswith(("있어", "없어")):
        return text[:-2] + ("없어" if text.endswith("있어") else "있어")
    if text.endswith("이야"):
        return f"{text[:-2]}이 아니야"
    before, space, last = text.rpartition(" ")
    return f"{before} 안 {last}" if space and last[-1] in "해어아써셔려봐" else ""


def _renamed(text: str, names: Sequence[str], others: Sequence[str]) -> str:
    new = next((name for name in others if name not in text), "")
    return text.replace(names[0], new, 1) if names and new else ""


def _exchanged(text: str, one: str, other: str) -> str:
    if one in other or other in one:
        return ""
    return text.replace(one, "\0").replace(other, one).replace("\0", other)


def _first_replaced(text: str, table: Sequence[tuple[str, str]]) -> str:
    return next((text.replace(old, new, 1) for old, new in table if old in text), "")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .")

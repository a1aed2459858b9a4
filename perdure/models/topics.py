"""Do the user's words speak of a memory? By its own words, or by what people call the thing that its attribute is about."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from perdure.attributes import Vocabulary
from perdure.coverage import Source, words_of

_CORRECTS = re.compile(
    r"^\W*(?:no|nope|sorry|oops|wait|actually|correction|아니|아뇨|아 |미안|정정|사실)|\b(?:meant|wrong|mistaken)\b|틀렸|잘못|착각",
    re.IGNORECASE,
)

_HOLDS = {
    "home": "live living moved moving reside stay based address home house 살아 살고 살다 사는 산다 산대 이사 거주 집 동네",
    "work": "work job company employer position hired joined promoted"
    " 직장 회사 일해 일하 일한 근무 다녀 다니 다닌 입사 승진 취직 취업",
    "education": "school university college study studying studied major 학교 대학 대학교 전공 다녀 다니 공부",
    "social": "friend friends know 친구 알아",
    "pet": "have has own 키워 키우 기르 길러",
    "health": "allergic allergy have has suffer diagnosed 알레르기 알러지 있어 앓",
    "food": "eat eating avoid diet 먹어 먹는 먹고 못먹 피해 식단",
    "likes": "like likes love enjoy prefer favorite favourite into 좋아 좋다 즐겨 선호 취향",
    "dislikes": "dislike hate like stand 싫어 싫다 안좋아 별로",
    "hobby": "hobby play playing do doing go going started 취미 배우 배워 쳐 해 하고",
    "language": "speak speaking learn answer reply language 말해 언어 배우 배워 대답 답변 답해",
    "reply": "answer answers reply replies respond style tone 대답 답변 말투 답해 존댓말 반말",
    "ui": "theme mode screen use switch 테마 모드 화면 바꿔 써",
    "time": "zone timezone time 시간대",
    "commute": "commute drive ride walk bus train go 출근 통근 출퇴근 타고 다녀",
    "possession": "have has own owned bought 있어 샀어 가지",
    "goal": "want plan planning goal dream hope 목표 계획 꿈 하고싶",
    "project": "project working 프로젝트 작업 진행",
    "contact": "email mail phone number 메일 이메일 전화 번호 연락처",
    "name": "name called call named 이름 불러 부르 개명",
    "age": "old years turned age 살이 나이",
    "birthday": "birthday born birth 생일 태어",
}
"""By the first part of the attribute's name: how people say that such a thing holds."""
_CHANGES = {
    "work": "quit quitting resigned fired laid left leaving retired 퇴사 이직 그만 관뒀 해고 은퇴",
    "education": "graduated dropped 졸업 자퇴 휴학",
    "family": "married divorced separated engaged broke together died passed born"
    " 결혼 이혼 헤어 사귀 약혼 돌아가 죽었 태어 낳",
    "social": "절교",
    "pet": "died passed adopted gave 죽었 무지개 입양 보냈",
    "health": "cured healed recovered eat 없어 아파 나았 완치 먹어",
    "food": "vegan vegetarian 채식",
    "hobby": "stopped",
    "possession": "sold lost 없어 팔았",
    "goal": "gave given cancelled canceled dropped 포기 취소 접었",
    "project": "finished cancelled canceled shipped 끝냈 접었",
}
"""How they say that it begins, ends, or is of another sort: whoever says so says more than that it holds."""
_KINDS_OF = {"family", "social", "pet"}
"""Attributes of which most labels name a kind (wife, dog): only the first is no more than the attribute's name."""
FRAME = Source(
    "the user user's person is was has uses wants called named currently current new started likes prefers his her its"
    " they keep keeps speaks plans owns plays lives works answers replies should be since"
    " 사용자 사용자는 본인 이다 이며 이고 입니다 이에요 있다 있음 있습니다 없다 한다 합니다 하다 했다 하기 된다 되었다 현재 지금 원한다 좋아한다"
    " 싫어한다 선호한다 산다 거주 다닌다 일한다 이름은 말한다 불러 것을 대답 답변 사용한다 쓴다 키운다 먹지 않는다 못한다 가지고 년부터 월부터 일부터 년에 월에 일에 년 월 일 부터"
)
"""The words in which any sentence about a user is put."""


def topic_of(attribute: str, vocabulary: Vocabulary) -> Source:
    """The words by which people speak of it: its name and aliases in both languages, and the verbs that go with them."""
    first = attribute.partition(".")[0]
    return Source(f"{_named(attribute, vocabulary)} {_HOLDS.get(first, '')} {_CHANGES.get(first, '')}")


def frame_of(attribute: str, vocabulary: Vocabulary) -> Source:
    """The words that a sentence about it may have without saying more than that it holds."""
    return Source(f"{_named(attribute, vocabulary, kinds=False)} {_HOLDS.get(attribute.partition('.')[0], '')}")


def _named(attribute: str, vocabulary: Vocabulary, *, kinds: bool = True) -> str:
    known = vocabulary.find(attribute)
    labels = [known.english, known.korean] if known else []
    if not kinds and attribute.partition(".")[0] in _KINDS_OF:
        labels = [names[:1] for names in labels]
    return " ".join((re.sub(r"[._-]+", " ", attribute), *(label for names in labels for label in names)))


def names_attribute(said: str, attribute: str, vocabulary: Vocabulary) -> bool:
    """Whether the words name what the attribute is about."""
    return topic_of(attribute, vocabulary).shares(said)


def speaks_of(
    said: str, memory: Mapping[str, Any], rivals: Sequence[Mapping[str, Any]], vocabulary: Vocabulary
) -> bool:
    """Whether the words are about this memory, and not as well about a rival: another of the same attribute.

    A word of its own tells; where it has no rival, the attribute's name does, or that the words announce a correction.
    """
    source = Source(said)
    own = {word for word in _own_words(memory) if source.holds(word)}
    if not rivals:
        named = names_attribute(said, memory["attribute"], vocabulary)
        return bool(own or named or (memory["attribute"] and _CORRECTS.search(said)))
    others = [Source(f"{rival['value']} {rival['content']}") for rival in rivals]
    return any(not any(other.holds(word) for other in others) for word in own)


def _own_words(memory: Mapping[str, Any]) -> list[str]:
    words = words_of(memory["content"])
    return words_of(memory["value"]) + [word for word in words if not FRAME.holds(word)]

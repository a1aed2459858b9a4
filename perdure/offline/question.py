"""Which attributes a question asks about: "Where do I live?", "나 어디 살아?", "What is my dog's name?"."""

from __future__ import annotations

import re
from typing import Final

from perdure.attributes import BUILT_IN
from perdure.language import detect_language
from perdure.offline.korean import korean_other, speaks_of_somebody
from perdure.offline.rules import relation_attribute

_FOOD = "health.allergy food.avoids food.diet"
_ENGLISH: Final = (
    ("home.city", r"where (?:do|did|am|are|was|were|have|had) (?:I|we)\b.*\b(?:liv\w+|based|mov\w+|resid\w+)"),
    ("home.city", r"(?:since when|how long|when) (?:have|did|do|has) (?:I|we)\b.*\b(?:liv\w+|mov\w+)"),
    ("work.employer", r"(?:since when|how long|when) (?:have|did|do) I\b.*\b(?:work\w*|join\w*)"),
    ("home.city", r"where(?:'s| is) my (?:home|house)"),
    ("home.city", r"(?:what|which) (?:city|town|country) (?:do|did|am|was) I\b|\bmy (?:address|home city|city)\b"),
    ("home.origin", r"where (?:am|do|did|was) I\b.*\b(?:from|grow up|grew up|born)|\bmy (?:hometown|birthplace)"),
    ("work.employer", r"where (?:do|did|am|was) I\b.*\bwork\w*|who (?:do|did) I work for"),
    ("work.employer", r"\bmy (?:employer|company|workplace)\b"),
    ("work.role", r"what (?:do|did) I do\b|\bmy (?:job|occupation|profession|role)\b"),
    ("name.preferred name", r"what (?:should|do|can) (?:you|people|they) call me|\bmy nickname"),
    ("name", r"\bmy (?:full )?name\b|who am I\b"),
    ("birthday", r"\bmy birthday|when was I born"),
    ("age", r"how old am I|\bmy age\b"),
    ("education.school", r"where did I\b.*\b(?:study|graduate|go to)|\bmy (?:school|university|college)\b"),
    ("education.major", r"what (?:do|did) I (?:study|major)|\bmy major\b"),
    ("family.status", r"am I (?:married|single|divorced|engaged)"),
    ("family.child", r"do I have (?:any )?(?:kids|children)"),
    ("family.sibling", r"do I have (?:any )?(?:siblings|brothers|sisters)"),
    ("pet", r"do I have (?:an? |any )?(?:pets?|dogs?|cats?)"),
    (_FOOD, r"(?:what|which).*\b(?:can't|cannot|shouldn't|should|can) I\b.*\b(?:eat|avoid|cook)"),
    (_FOOD, r"am I (?:a )?(?:vegan|vegetarian)|\bmy diet\b"),
    ("health.allergy", r"\ballerg"),
    ("health.condition", r"\bmy (?:health|illness|condition|diagnosis)"),
    ("dislikes", r"what (?:\w+ )?(?:do|don't) I (?:not )?(?:hate|dislike|don't like)|what (?:\w+ )?don't I like"),
    ("likes", r"what (?:[\w ]{1,20} )?do I (?:like|love|enjoy|prefer)|\bmy favou?rite"),
    ("hobby", r"\bmy hobb|in my (?:free|spare) time"),
    ("language.speaks", r"(?:what|which|how many) languages?\b.*\bI\b"),
    ("ui.theme", r"\b(?:which|what|my).*\b(?:theme|mode)\b"),
    ("commute", r"how do I (?:get|go|commute|travel) to|\bmy commute"),
    ("goal", r"\bmy (?:\w+ )?(?:goals?|plans?|dream)|what (?:am I|do I) (?:plan\w*|want|hop\w+|aim\w*)"),
    ("contact.email", r"\bmy e-?mail"),
    ("contact.phone", r"\bmy (?:phone|mobile|cell|number)"),
)  # fmt: skip
_KOREAN: Final = (
    ("home.city", r"어디(?:에|에서|서)? ?(?:살|사[는니]|거주)|사는 ?(?:곳|데|도시)|집(?:은|이)? ?어디|어느 ?(?:도시|동네)|어디로 이사"),
    ("home.city", r"언제(?:부터)? .*(?:에|에서|서) ?(?:살|사[는니])|언제 .*이사"),
    ("work.employer", r"언제(?:부터)? .*(?:에|에서|서) ?(?:일하|일해|다니|다녀|근무)|언제 .*(?:입사|이직)"),
    ("home.origin", r"고향|어디 ?출신|어디(?:서|에서) (?:태어|자랐)"),
    ("work.employer", r"(?:직장|회사)(?:이|은|는|가)? ?(?:어디|뭐)|어디(?:서|에서|에)? ?(?:일하|일해|다니|다녀|근무)|무슨 회사"),
    ("work.role", r"직업|하는 일|무슨 일|직책"),
    ("pet", r"강아지|고양이|반려|키우는"),
    ("family.partner", r"아내|남편|배우자|와이프|애인"),
    ("family.child", r"아들|딸|아이들?|자녀"),
    ("family.sibling", r"동생|누나|언니|오빠|형제"),
    ("family.parent", r"엄마|아빠|어머니|아버지|부모"),
    ("name.preferred name", r"뭐라고 (?:불러|부르)|호칭|별명"),
    ("name", r"이름|내가 누구"),
    ("birthday", r"생일|언제 태어"),
    ("age", r"몇 ?살|나이"),
    ("education.school", r"학교|대학|어디(?:를|서) ?졸업"),
    ("education.major", r"전공"),
    ("family.status", r"결혼"),
    (_FOOD, r"(?:무슨|어떤|뭘|뭐) ?(?:요리|음식|반찬|메뉴).*(?:할까|줄까|좋을까|만들|차릴|준비)"),
    (_FOOD, r"피해야 (?:할|하는)|못 ?먹는|먹으면 안|먹어도 (?:되|돼)|안 ?먹는"),
    ("health.allergy", r"알레르기|알러지"),
    ("health.condition", r"지병|건강|질환|아픈"),
    ("food.diet", r"식단|채식|비건"),
    ("dislikes", r"싫어하"),
    ("likes", r"좋아하|취향|최애"),
    ("hobby", r"취미"),
    ("language.speaks", r"(?:무슨|어떤|몇) ?(?:언어|개 ?국어)|할 줄 아는 (?:언어|말)"),
    ("ui.theme", r"테마|(?:다크|라이트) ?모드"),
    ("commute", r"출근|통근|출퇴근"),
    ("goal", r"목표|계획|하고 ?싶"),
    ("contact.email", r"메일"),
    ("contact.phone", r"전화|번호|연락처"),
)  # fmt: skip
_TABLES: Final = {
    language: tuple((tuple(names.split()), re.compile(pattern, re.IGNORECASE)) for names, pattern in table)
    for language, table in (("en", _ENGLISH), ("ko", _KOREAN))
}
_SOMEBODY_ELSE = re.compile(r"\b(?:does|did|is|has|was) (?:he|she|they|(?-i:[A-Z])\w+)\b", re.IGNORECASE)
_MINE = re.compile(r"\b(?:my|our) (\w+)(?: (\w+))?(?: (\w+))?", re.IGNORECASE)


def asked_attributes(question: str) -> tuple[str, ...]:
    """The canonical attributes about which the question asks; empty if it names none, or is about somebody else."""
    text = question[:500]
    language = detect_language(text)
    if relation := _relation(text) if language == "en" else _korean_relation(text):
        return (relation,)
    if _SOMEBODY_ELSE.search(text) if language == "en" else speaks_of_somebody(text):
        return ()
    for attributes, pattern in _TABLES[language]:
        if pattern.search(text):
            return attributes
    return _by_alias(text) if language == "en" else ()


def _relation(text: str) -> str:
    """ "my dog's name", "my sister": the attribute under which the relative or pet is kept."""
    words = (found[1].lower() for found in _MINE.finditer(text))
    return next((attribute for word in words if (attribute := relation_attribute(word))), "")


def _korean_relation(text: str) -> str:
    return relation_attribute(korean_other(text) or "")


def _by_alias(text: str) -> tuple[str, ...]:
    for found in _MINE.finditer(text):
        words = [word for word in found.groups() if word]
        for length in range(len(words), 0, -1):
            if known := BUILT_IN.find(" ".join(words[:length])):
                return (known.name,)
    return ()

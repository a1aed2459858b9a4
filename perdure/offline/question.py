"""Which attributes a question asks about: "Where do I live?", "나 어디 살아?", "What is my dog's name?"."""

from __future__ import annotations

import re
from typing import Final

from perdure.attributes import BUILT_IN
from perdure.language import detect_language
from perdure.offline.korean import korean_other, speaks_of_somebody
from perdure.offline.rules import relation_attribute

_LIVE = r"(?:liv\w+\b(?! room)|mov\w+\b(?! (?:the|a|an|my|our)\b))"
_WORK = r"(?:work\w*\b(?! (?:out|on)\b)|join\w* (?:(?-i:[A-Z])|(?:the|my|this) (?:company|firm|team)))"
_KOREAN_WORK = r"(?:일[하해했]|다니|다녔|다녀(?!오|왔|와|올|온)|근무)"
_FOOD = "health.allergy food.avoids food.diet"
_ENGLISH: Final = (
    ("home.city", rf"where (?:do|did|am|are|was|were|have|had) (?:I|we)\b.*\b(?:{_LIVE}|based|resid\w+)"),
    ("home.city", rf"(?:since when|how long|when) (?:have|did|do|has) (?:I|we)\b.*\b{_LIVE}"),
    ("work.employer", rf"(?:since when|how long|when) (?:have|did|do) I\b.*\b{_WORK}"),
    ("home.city", r"where(?:'s| is) my (?:home|house)"),
    ("home.city", rf"(?:what|which) (?:city|town|country) (?:do|did|am|was) I\b.*\b(?:{_LIVE}|based|in)\b|\bmy (?:address|home city|city)\b"),
    ("home.origin", r"where (?:am I|(?:do|did) I come) (?:originally )?from|where (?:did|was) I\b.*\b(?:grow up|grew up|born)|\bmy (?:hometown|birthplace)"),
    ("work.employer", r"where (?:do|did|am|was) I\b.*\bwork\w*|who (?:do|did) I work for"),
    ("work.employer", r"\bmy (?:employer|company|workplace)\b"),
    ("work.role", r"what (?:do|did) I do\b(?: (?:for (?:a living|work)|as a job|professionally|now|(?:before|after) (?:I|that|my)\b.*|between .*|in \d{4}))?[\s?.!]*$|\bmy (?:job|occupation|profession|role)\b"),
    ("name.preferred name", r"what (?:should|do|can) (?:you|people|they) call me|\bmy nickname"),
    ("name", r"\bmy (?:full )?name\b|who am I[\s?.!]*$"),
    ("birthday", r"\bmy birthday|when was I born"),
    ("age", r"how old am I|\bmy age\b"),
    ("education.school", r"where did I\b.*\b(?:study|graduate|go to (?:high )?(?:school|college|university))|\bmy (?:school|university|college)\b"),
    ("education.major", r"what (?:do|did) I (?:study|major)\b(?! (?:yesterday|today|last|this|on)\b)|\bmy major\b"),
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
    ("commute", r"how do I (?:commute|(?:get|go|travel) to (?:the |my )?(?:work|office|job|company|school))\b|\bmy commute"),
    ("goal", r"\bmy (?:\w+ )?(?:goals?|plans?|dream)|what (?:am I|do I) (?:plan\w*|want(?! for\b)|hop\w+|aim\w*)"),
    ("contact.email", r"\bmy e-?mail"),
    ("contact.phone", r"\bmy (?:(?:phone|mobile|cell)\b(?: phone)?(?! (?:case|charger|bill|plan)\b)|number\b(?! one\b))"),
)  # fmt: skip
_KOREAN: Final = (
    ("home.city", r"어디(?:에|에서|서)? ?(?:살|사[는니]|거주)|사는 ?(?:곳|데|도시)|집(?:은|이)? ?어디|어느 ?(?:도시|동네)(?:에서?|서)? ?(?:살|사[는니]|거주)|어디로 이사"),
    ("home.city", r"언제(?:부터)? .*(?:에|에서|서) ?(?:살|사[는니])|언제 .*이사"),
    ("work.employer", rf"언제(?:부터)? (?!.*(?:헬스|학원|학교|대학|병원|교회|성당|수영|요가|도서관)).*(?:에|에서|서) ?{_KOREAN_WORK}|언제 .*(?:입사|이직)"),
    ("home.origin", r"고향|어디 ?출신|어디(?:서|에서) (?:태어|자랐)"),
    ("work.employer", rf"(?:^|(?<![가-힣])(?:나|내|제|우리|나의|저의|지금|현재|다니는) ?)(?:직장|회사)(?: ?이름)?(?:이|은|는|가)? ?(?:어디|뭐)|어디(?:서|에서|에|를)? ?{_KOREAN_WORK}|무슨 회사"),
    ("work.role", r"직업|하는 일|무슨 일을? ?[하해했]|직책"),
    ("pet", r"강아지|고양이|반려(?:견|묘|동물)|키우[는던]|키웠"),
    ("family.partner", r"아내|남편|배우자|와이프|(?<!장)애인"),
    ("family.child", r"아들|딸(?!기|꾹)|(?<![가-힣])(?:우리 ?)?아이들?[이가는은를도의에와랑]?(?![가-힣])|자녀"),
    ("family.sibling", r"동생|누나|언니|오빠|형제"),
    ("family.parent", r"엄마|아빠|어머니|아버지|부모"),
    ("name.preferred name", r"뭐라고 (?:불[러렀]|부르)|호칭|별명"),
    ("name", r"(?:^|(?<![가-힣])(?:나|내|제|나의|저의) ?(?:본명|영어|영문|한글|한국)? ?)이름|내가 누구"),
    ("birthday", r"생일|언제 태어"),
    ("age", r"몇 ?살|나이(?:(?:가|를|는|은|도)?(?![가-힣])|야|예요|였)"),
    ("education.school", r"학교|대학|어디(?:를|서) ?졸업"),
    ("education.major", r"전공"),
    ("family.status", r"결혼(?!식|기념|반지|사진)"),
    (_FOOD, r"(?:무슨|어떤|뭘|뭐) ?(?:요리|음식|반찬|메뉴).*(?:할까|줄까|좋을까|만들|차릴|준비)"),
    (_FOOD, r"피해야 (?:할|하는)|못 ?먹는|먹으면 안|먹어도 (?:되|돼)|안 ?먹는"),
    ("health.allergy", r"알레르기|알러지"),
    ("health.condition", r"지병|건강(?!검진|식품|보험)|질환|아픈"),
    ("food.diet", r"식단|채식|비건"),
    ("dislikes", r"싫어[하했]"),
    ("likes", r"좋아[하했]|취향|최애"),
    ("hobby", r"취미"),
    ("language.speaks", r"(?:무슨|어떤|몇) ?(?:언어|개 ?국어)|할 줄 아는 (?:언어|말)"),
    ("ui.theme", r"테마|(?:다크|라이트) ?모드"),
    ("commute", r"출근|통근|출퇴근"),
    ("goal", r"목표|계획|하고 ?싶"),
    ("contact.email", r"메일"),
    ("contact.phone", r"전화 ?번호|(?:휴대폰|핸드폰|휴대 ?전화) ?번호|(?:^|(?<![가-힣])(?:내|제|나의|저의) ?)(?:번호|전화)(?!했|하|기)|연락처"),
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

"""Values from a closed set that the user's words imply without naming them: "my wife and I" says married.

Only what is listed here. Any other inference of a model, however likely, is not the user's word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from perdure.attributes import Vocabulary
from perdure.models.topics import names_attribute
from perdure.text import normalise
from perdure.words import saying

_YES = re.compile("yes|true|네|예|응|있음|함|맞음|그렇다")
_NO = re.compile("no|false|아니오|아니요|없음|아님|아니다|안 ?함|하지 않음")


@dataclass(frozen=True, slots=True)
class _Implied:
    """What a value may be called, and the words that imply it."""

    names: re.Pattern[str]
    words: re.Pattern[str]


def _implied(names: str, *words: str) -> _Implied:
    return _Implied(re.compile(names), re.compile("|".join(words), re.IGNORECASE))


_EX = r"\bmy (?:ex-?|late )\s?(?:wife|husband|spouse)\b|이혼|사별|전\s?(?:남편|아내|와이프|처)(?![가-힣]{2})"
_STATUS = (
    _implied(
        "married|기혼|결혼|결혼함|결혼했음|유부남|유부녀",
        r"\bmarried\b|\btied the knot|\bgot hitched|\bnewly-?weds?\b|\b(?:my|our) (?:wife|husband|spouse)\b",
        r"결혼(?:했|한\s?지)|결혼\s?\d+\s?(?:년|주년)|기혼|유부[남녀]|신혼(?!여행)",
        r"(?<!친구 )(?<!언니 )(?<!누나 )(?<!동생 )(?<!딸 )(?<!이모 )(?<!고모 )(?<![의씨] )(?<![가-힣])"
        r"(?:아내|남편|와이프|집사람|배우자)(?:는|은|가|이|랑|와|과|도|를|을|하고)\b",
    ),
    _implied(
        "single|unmarried|not married|never married|미혼|싱글|독신|솔로",
        r"\bsingle\b|\bunmarried\b|\b(?:not|never|haven't) (?:yet )?(?:been |got |gotten )?married\b",
        r"미혼|싱글|독신|솔로|결혼(?:은|을)?\s?(?:아직\s?)?안\s?했",
    ),
    _implied(
        "divorced|이혼|이혼함|이혼남|이혼녀",
        r"\bdivorced\b|\bmy ex-?\s?(?:wife|husband)\b|이혼(?:했|한|[남녀])|전\s?(?:남편|아내|와이프|처)(?![가-힣]{2})",
    ),
    _implied("engaged|약혼|약혼함|약혼 중", r"\bengaged\b|\bmy fianc\S+|약혼(?:했|한|자|녀)"),
    _implied("widowed|widow|widower|사별|사별함", r"\bwidow\w*|\bmy late (?:wife|husband)\b|사별(?:했|한)"),
    _implied(
        "in a relationship|dating|연애 ?중|교제 중",
        r"\bmy (?:girl|boy)friend\b|\b(?:dating|seeing) (?:someone|somebody)\b",
        r"연애\s?(?:중|하고|한\s?지)|사귀는 사람|사귄\s?지|사귀고 있|(?:여자|남자)\s?친구(?:랑|와)|[여남]친(?:이랑|과)",
    ),
)
_DIETS = (
    _implied(
        "vegetarian|vegetarianism|채식|채식주의|채식주의자|베지테리언",
        r"\bvegetarian|\bveggie\b|\bno meat\b|\bmeat-?free\b|\boff meat\b",
        r"\b(?:stop|stopped|quit|gave up|given up|cut out) (?:eating )?(?:all |any )?meat\b",
        r"\b(?:do not|don't|never|no longer) (?:eat|touch) (?:any )?meat\b",
        r"고기(?:는|를|도)?\s?(?:이제\s|더는\s|아예\s|전혀\s)?(?:안|못)\s?먹|고기(?:는|를)?\s?끊|육식(?:은|을)?\s?(?:안|끊)|채식",
    ),
    _implied(
        "vegan|veganism|비건",
        r"\bvegan|\bplant-?\s?based\b|\b(?:no|don't eat (?:any )?) ?animal products\b|비건|완전\s?채식",
    ),
    _implied(
        "pescatarian|pescetarian|페스코|페스카테리언",
        r"\bpesc[ae]tarian|\bfish\b.{0,30}\bno\b.{0,12}\bmeat\b|페스코|페스카|(?:생선|해산물)만\s?먹",
    ),
    _implied(
        "gluten-free|gluten free|글루텐 ?프리",
        r"\bgluten-?\s?free|\bno gluten|\b(?:avoid|(?:don't|can't|cannot) eat) (?:any )?gluten|\bco?eliac",
        r"글루텐\s?프리|글루텐(?:을|은|이)?\s?(?:안|못)\s?먹",
    ),
    _implied("keto|ketogenic|키토|저탄고지", r"\bketo|키토|저탄고지"),
    _implied("halal|할랄", r"\bhalal\b|할랄"),
    _implied("kosher|코셔", r"\bkosher\b|코셔"),
)
_SAID_OF_IT = r"(?=로|를|는|만|도 |랑|하고)"
"""What follows the short name of a language: 일어 alone may be of 일어나다, 불어 of 불다."""
_LANGUAGES = tuple(
    _implied(f"{english}|{korean}|{short}", rf"\b(?:{english})\b|(?<![가-힣])(?:(?:{korean})|(?:{short}){_SAID_OF_IT})")
    for english, korean, short in (
        ("korean", "한국어|한국말|한글|우리말", "국어"),
        ("english", "영어", "잉글리시"),
        ("japanese", "일본어|일본말", "일어"),
        ("chinese|mandarin", "중국어|중국말", "만다린"),
        ("spanish", "스페인어", "서반아어"),
        ("french", "프랑스어", "불어"),
        ("german", "독일어", "독어"),
        ("vietnamese", "베트남어", "월남어"),
        ("russian", "러시아어", "노어"),
        ("italian", "이탈리아어", "이태리어"),
    )
)
_THEMES = (
    _implied(
        r"(?:dark|다크|어두운)(?: ?(?:mode|theme|모드|테마))?", r"\bdark\b|\bnight mode\b|다크|어두운|야간\s?모드"
    ),
    _implied(r"(?:light|라이트|밝은)(?: ?(?:mode|theme|모드|테마))?", r"\blight\b|\bbright\b|라이트|밝은|주간\s?모드"),
)
_VALUES: dict[str, tuple[_Implied, ...]] = {
    "family.status": _STATUS,
    "food.diet": _DIETS,
    "language.reply": _LANGUAGES,
    "language.speaks": _LANGUAGES,
    "ui.theme": _THEMES,
}
_MARRIED = _STATUS[0]


def implying(said: str, attribute: str, value: str, vocabulary: Vocabulary) -> str:
    """The words that imply this value of the attribute, one of a closed set, or yes or no to what it names; or ""."""
    key = normalise(value)
    if (no := bool(_NO.fullmatch(key))) or _YES.fullmatch(key):
        return said if names_attribute(said, attribute, vocabulary) and saying(said).denied == no else ""
    for one in _VALUES.get(attribute, ()):
        if one.names.fullmatch(key) and (found := one.words.search(said)):
            over = one is _MARRIED and re.search(_EX, said, re.IGNORECASE)
            return "" if over else found[0]
    return ""

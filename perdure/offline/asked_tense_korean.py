"""The tense of a Korean question by its predicate, and whether it asks at all."""

from __future__ import annotations

import re
from typing import Final

from perdure.offline.asked_spans import Tense

_CLOSING = r"[\s.!~?？…ㅋㅎㅠㅜ]*$"
_CARRIER = re.compile(
    r"\s*(?:혹시 )?(?:(?:알려|말해|말씀해|얘기해|이야기해|찾아|찾아봐|보여|정리해|요약해|가르쳐|얘기|확인해)(?: ?(?:줘|주|줄|달)\S*(?: (?:수 )?있\S+)?)?"
    rf"|기억(?:이|은)? ?(?:나|해|하|안|못)\S*|알아\S*|알고 ?있\S*|아니|아시\S*|궁금\S*|모르겠\S*|까먹\S*){_CLOSING}"
)
"""What only announces the question: "어디 살았는지 알려줘"."""
_TAIL = re.compile(rf"(?<=\S)\s+(?:나|내가|제가|저|우리|너|네가){_CLOSING}|{_CLOSING}")
_WHAT = re.compile(r"어디|뭐|뭘|뭔|무엇|무슨|누구|누가|누굴|언제|어떤|어떻게|어땠|어때|왜|얼마|어느")
_ASKING_END = re.compile(rf"(?:지|죠|지요|니|냐|나|나요|까|까요|더라|던가|는가|가요){_CLOSING}")
_HABIT = re.compile(r"보통|항상|매일|매주|매달|매월|매년|해마다|마다|자주|평소|주로|(?<![가-힣])늘(?![가-힣])")
_ADVICE = re.compile(r"해야|어야|가야|[아어해]도 (?:돼|되)|면 (?:좋|되|돼)|(?:할|갈|살) 일|좋을")
_WISH = re.compile(r"추천|어때")
_LET_US = re.compile(r"([가-힣])까(?:요)?$")
_PLANS = re.compile(
    r"일정|약속|계획|예정|스케줄|회의|뭐(?:가)? ?(?:있|하|해)|[할갈볼올날] (?:거|건|것)|기로|가지|가니|쉬"
)
_EXPERIENCE = re.compile(r"적(?:이)? ?있|적(?:이)? ?없")
_FOR_LATER = re.compile(r"기로|계획|예정|약속|려고")
PRESENT: Final = re.compile(r"(?<![가-힣])(?:지금(?! ?(?:회사|직장))|현재|아직|여전히|요즘|요새|최근|이제)")
_DONE = """
만난 먹은 받은 읽은 들은 찍은 키운 배운 그만둔 다닌 만든 보낸 다녀온 사온 빌린 적은 시작한 가입한 추천한 말한 얘기한 부탁한
구매한 방문한 졸업한 나온 개봉한
"""
_RELATIVE = re.compile(
    r"(?:(?<![가-힣])(?:산|간|온|본|쓴|단|낸|준|판|한(?! ?(?:번|달|개|명|권|시간|주|잔|살)))"
    rf"|[가-힣]*(?:{'|'.join(_DONE.split())}|[가-힣]된)|(?P<used_to>[가-힣]*[니살하])던|[가-힣]+던)"
    r"\s+(?:\S+ )??(?P<noun>[가-힣]+)"
)
"""A noun that a clause about the past describes: "산 차"; with -던 of what lasted, the question is about then."""
_ANYTHING = re.compile(
    r"(?:거|것|게|건|걸|일|내용|얘기|이야기|말|곳|데)(?:이|가|은|는|을|를|들|야|예요|이에요|뭐|좀|다)*$"
)
_FINAL_L, _FINAL_SS = 8, 20
"""Places of ㄹ and ㅆ among the final consonants of a syllable."""


def asks(text: str, rest: str, last: bool) -> bool:
    """Whether the clause asks something; `rest` is the clause without its times, `last` if it ends its sentence."""
    if last and text.rstrip(" \"'").endswith(("?", "？")):
        return True
    if _CARRIER.search(text) or _WHAT.search(rest):
        return True
    return "몇" in rest and bool(_ASKING_END.search(rest))


def tense_of(rest: str) -> Tense:
    """The tense of the clause without its times."""
    question = _TAIL.sub("", _CARRIER.sub("", rest)).strip()
    words = question.split()
    predicate = " ".join(words[-2:])
    if not words or _HABIT.search(question) or _ADVICE.search(question):
        return Tense.OTHER
    if relative := _RELATIVE.search(question):
        return Tense.PAST if relative["used_to"] or _ANYTHING.match(relative["noun"]) else Tense.PRESENT
    past = any(map(_is_past, words[-2:]))
    if past and _FOR_LATER.search(question):
        return Tense.EITHER
    if past or _EXPERIENCE.search(question):
        return Tense.PAST
    if _WISH.search(question):
        return Tense.OTHER
    if (end := _LET_US.search(predicate)) and _final(end[1]) == _FINAL_L:
        return Tense.OTHER
    if _PLANS.search(question):
        return Tense.PLANNED
    return Tense.PAST if words and len(words) < 4 and words[-1].endswith(("은", "는")) else Tense.PRESENT


def _is_past(word: str) -> bool:
    """Whether a syllable ends in ㅆ: 살았지, 갔어, 였지; but not 있 (is) and 겠 (will)."""
    return any(_final(letter) == _FINAL_SS and letter not in "있겠" for letter in word)


def _final(letter: str) -> int:
    return (ord(letter) - ord("가")) % 28 if "가" <= letter <= "힣" else 0

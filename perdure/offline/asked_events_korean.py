"""Changes by which Korean questions tell a time ("이사하기 전에"), and words that ask for what was before."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from perdure.offline.asked_reading import named_groups


class _Forms(NamedTuple):
    """How a change is put before 전, before 뒤, and before 나서."""

    before: str
    after: str
    afterwards: str


def _noun(words: str) -> _Forms:
    return _Forms(
        rf"(?:{words})(?:을|를)? ?(?:하기|가기|오기|되기|받기)?",
        rf"(?:{words})(?:을|를)? ?(?:한|간|온|된|받은)?",
        rf"(?:{words})(?:을|를)? ?(?:하고|가고|오고|되고|받고)",
    )


def _verb(objects: str, stems: str, past: str) -> _Forms:
    return _Forms(*(rf"(?:{objects}) ?{verb}" for verb in (f"(?:{stems})기", f"(?:{past})", f"(?:{stems})고")))


_WORKPLACE = r"(?:(?:지금|현재|이|이번|새) )?(?:회사|직장|일자리)(?:에|을|를|로|으로)?"
_CHILD = "(?:아이|애|아기|첫째|둘째|아들|딸)(?:가|이|를|을)?"
_PET = "(?:강아지|고양이|반려견|반려묘|개)(?:를|을)?"
_CHANGES: Final = {
    "home.city": (_noun("이사|이민"),),
    "work.employer": (
        _noun("이직|입사|퇴사|퇴직|은퇴|취직|취업"),
        _verb(_WORKPLACE, "옮기|바꾸|그만두|들어오|들어가|다니|오", "옮긴|바꾼|그만둔|들어온|들어간|온"),
        _noun("(?:지금|현재|이번|이) (?:회사|직장)"),
    ),
    "work.role": (_noun("승진|진급"),),
    "family.status": (_noun("결혼식?|이혼|약혼|재혼"),),
    "family.child": (_noun("출산"), _verb(_CHILD, "태어나|낳|생기", "태어난|낳은|생긴")),
    "food.diet": (
        _noun("(?:채식|비건)(?:을|를)? ?시작"),
        _verb("(?:채식주의자|비건|채식)(?:이|가|을)?", "되|하", "된|한"),
    ),
    "pet": (_verb(_PET, "키우|입양하|데려오|들이", "키운|입양한|데려온|들인"),),
    "education.school": (_noun("졸업|입학|편입"),),
    "education.major": (_noun("전과"), _verb("전공을?", "바꾸", "바꾼")),
    "name": (_noun("개명"), _verb("이름을?", "바꾸", "바꾼")),
    "contact.phone": (_verb("(?:전화 ?)?번호를?", "바꾸", "바꾼"),),
    "ui.theme": (_verb("(?:다크|라이트) ?모드로", "바꾸", "바꾼"),),
}
_BEFORE: Final = {
    name: "|".join(rf"{forms.before} ?(?:이전|전)(?:에는|에|엔|까지는|까지)?" for forms in ways)
    for name, ways in _CHANGES.items()
}
_AFTER: Final = {
    name: "|".join(
        rf"{forms.after} ?(?:이후|뒤|후|다음)(?:에는|에|엔|로는|로|부터)?|{forms.afterwards} ?나서(?:는|부터)?"
        for forms in ways
    )
    for name, ways in _CHANGES.items()
}
CHANGES: Final = re.compile(
    r"(?<![가-힣\w])(?:(?:[가-힣]{1,10}|[A-Za-z]{1,20})(?:으로|로|에) )?"
    rf"(?:{named_groups('before', _BEFORE)}|{named_groups('after', _AFTER)})(?=[\s,.?!]|$)"
)
"""As `Grammar.changes`; the word before it may tell to where: "부산으로 이사하기 전에"."""

_THING = "직장|직책|팀|팀장|상사|동네|차|폰|회사|직업|주소|집|이름|번호|전화번호|남편|아내|남자친구|여자친구|남친|여친|전공|학교"
_STEP = "이사|이직|입사|퇴사|취직|취업|결혼|이혼|졸업|승진|은퇴|시작|그만|바꿨|옮겼|입양"
_AT = "(?:에는|에|엔)?"
HISTORY: Final = re.compile(
    "|".join(
        (
            rf"(?<![가-힣])(?:언제부터|언제까지|얼마나 ?오래|몇 ?년도?에|언제 (?:처음 )?(?:{_STEP}))",
            r"(?<![가-힣])몇 ?(?:년|달|개월)(?: ?동안| ?간)? ?(?:살았|다녔|일했|있었)",
            r"(?<=[가-힣] )지(?:는|가)? ?(?:얼마나|몇 ?(?:년|달|개월))|[한간온난둔] (?:게|것이|건) 언제",
            rf"(?<![가-힣])(?:원래(?:는|부터)?|처음(?:에는|에|엔)|(?:예전|옛날|과거){_AT}|한때)",
            r"(?:(?<=^)|(?<=나 )|(?<=내가 )|(?<=우리 )|(?<=제가 ))전에는?(?= )",
            rf"(?<![가-힣])(?:(?:이전|전|옛)에? ?(?:{_THING})|그 ?전(?:에는|에|엔)|(?:몇 ?(?:년|달|개월)|오래) ?전{_AT})",
            rf"(?<![가-힣])(?:어릴|어렸을) ?(?:때|적){_AT}",
            r"(?<![가-힣])(?:대학생|대학교?|학생|고등학생|중학생|초등학생|백수|신입) ?때는?",
            r"(?<![가-힣])(?:살|다닐|일할|근무할|살았을|다녔을|일했을) ?때는?",
            r"[산간본닌한] 적(?:이)? ?있|(?:오|다니|살|일하|들어가|들어오)기 전(?:에는|에|엔)",
        )
    )
)
"""Words that ask for past values, or since when something is so."""

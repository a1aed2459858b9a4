"""Words by which delicate memories are known, in English and Korean."""

from __future__ import annotations

import re

from perdure.sensitivity import Sensitivity

_ANY_CASE = re.IGNORECASE


def _any(*patterns: str, flags: re.RegexFlag = _ANY_CASE) -> re.Pattern[str]:
    return re.compile("|".join(patterns), flags)


_WHOSE = r"\b(?:my|our|his|her|their)\s(?:\w{1,20}\s)?"
_MONEY = r"(?:[$€£₩]\s?\d|\d[\d,.]{0,15}\s?(?:k|euros?|dollars?|pounds?|won|usd|eur|gbp|krw)\b)"

_HEALTH = _any(
    r"\ballerg(?:y|ies|ic)\b|\basthma|\bdiabet(?:es|ic)\b|\btumou?r\b|\bleuka?emia\b|\bchemo(?:therapy)?\b|\binsulin\b",
    r"(?<!i'm a )(?<!i am a )\bcancer\b(?! season)|\bcancer (?:survivor|patient)",
    r"\bepilep(?:sy|tic)\b|\bmigraines?\b|\barthritis\b|\bhypertension\b|\bblood pressure\b|\bcholesterol\b|\bhiv\b",
    r"\bheart (?:attack|disease|failure)\b|\b(?:had|after) a stroke\b|\binsomnia\b|\bsleeping pills?\b",
    r"\bhepatitis\b|\bdementia\b|\balzheimer|\bparkinson'?s\b|\bmultiple sclerosis\b|\bendometriosis\b|\bco?eliac\b",
    r"\badhd\b|\bautis(?:m|tic)\b|\bbipolar\b|\bschizophren|\bptsd\b|\bpanic attacks?\b|\banxiety (?:disorder|attack)",
    r"(?<!great )(?<!economic )\bdepression\b|\b(?:i'm|i am|been|feel|feeling|clinically) depressed\b|\bantidepress",
    r"\beating disorder\b|\banorexi[ac]|\bbulimi[ac]|\bself-harm|\bsuicidal\b|\b(?:lactose|gluten)[ -]intoleran",
    r"\bpregnan(?:t|cy)\b|\bmiscarr|\babortion\b|\bpostpartum\b|\bivf\b|\binfertil|\bmenopause\b",
    r"\bmedications?\b|\bprescribed me\b|" + _WHOSE + r"prescription|\b\d{1,4}\s?mg\b",
    r"\bdiagnosed (?:me )?(?:with|as)\b|" + _WHOSE + r"diagnosis\b",
    r"\bsurgery on (?:my|his|her|their)\b|\b(?:had|have|having|needs?|after|my|his|her) (?:\w{1,20} )?surgery\b",
    r"\b(?:see|sees|seeing|saw|my) (?:a |my )?(?:therapist|psychiatrist)\b|\bi(?:'m| am) disabled\b|\bwheelchair\b",
    r"알레르기|알러지|천식|당뇨|우울증|조울증|공황|정신과|항우울제|강박증|자폐|치매|뇌전증|뇌졸중|심장병|협심증|심근경색|불면증|수면제",
    r"(?:불안|섭식|수면|청각|시각|지체|지적|발달|신체)\s?장애|장애인|장애\s?등급",
    r"임신|유산(?:했|을\s(?:했|겪))|낙태|난임|시험관\s?시술|폐경|갱년기",
    r"복용|처방(?:전|약|받|을\s?받)|혈압약|고혈압|저혈압|혈압이|인슐린|항암|투석|입원|간염|관절염|빈혈|아토피",
    r"진단(?:을|도)?\s?(?:받|됐|되었)|수술(?:을|도)?\s?(?:받|했|하기로|예정|해야)|(?:허리|목)\s?디스크",
    r"(?:위|폐|간|대장|유방|갑상선|췌장|전립선|자궁|혈액|피부)암(?![가-힣]*[기호])|암\s?(?:투병|환자|수술|치료)",
)
_FINANCE = _any(
    _WHOSE + r"(?:salary|wages?|income|paycheck|savings|pension|bank account|bank balance|overdraft|debts?)\b",
    r"\b(?:i|we|he|she|wife|husband) (?:\w{1,12} )?(?:earns?|makes?|gets? paid) .{0,20}?" + _MONEY,
    r"\bowe[sd]?\b.{0,20}?" + _MONEY + r"|(?<!technical )\bdebt of\b|\bin debt\b",
    r"\bstudent loans?\b|\bmortgage\b|\b(?:took out|paying off|paid off) (?:a|my|the|our) loan\b|\bbankrupt(?:cy)?\b",
    r"\bcredit score\b|\bnet worth\b|\baccount number\b|\biban\b|\brouting number\b|\bsort code\b",
    r"연봉|월급(?!날)|급여|시급|부채|계좌\s?번호|통장\s?(?:잔액|잔고)|신용\s?(?:점수|등급)|파산|개인\s?회생|카드값",
    r"(?:전세|주택|학자금|신용|담보|은행|마이너스)\s?대출|(?<!책을\s)대출(?:금|이|을)?\s?(?:\d|받|갚|남|상환|잔액|이자)",
    r"빚(?:이|을|도|만|은)?\s?(?:\d|있|많|갚|지고|졌|져)|순자산|전\s?재산|적금|보험금을",
)
_IDENTITY = _any(
    r"(?<![\d-])\d{6}-[1-8]\d{6}(?![\d-])",  # resident registration
    r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])",  # social security
    r"\b(?:passport|social security|ssn|national id|tax id|driver'?s'? licen[cs]e|driving licen[cs]e)\b"
    r"[^.\n]{0,30}?\b[a-z]{0,2}\d{5,}",
    r"(?:여권|주민\s?등록|주민|면허|면허증|외국인\s?등록)\s?번호[^.\n]{0,12}?\d{2}|여권[^.\n]{0,8}?[A-Z]{1,2}\d{3,}",
)
_STREET = r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Terrace|Square|Way)\b"
_LOCATION = _any(
    r"\b\d{1,5}[A-Za-z]?\s(?:[A-Z][\w'’-]{0,30}\s){1,4}" + _STREET,
    r"\b[A-ZÄÖÜ][\wäöü-]{2,30}(?:straße|strasse|gasse|allee|weg)\s\d{1,4}\b|\b\d{1,4},?\s(?:rue|avenue)\s(?:de|du|des)\b",
    r"(?i:\b(?:apartment|apt\.?)\s#?\d{1,5}[a-z]?\b)",
    r"(?i:\b(?:zip(?:\s?code)?|post(?:al\s?)?code)\b[^.\n]{0,12}?\b[a-z]{0,2}\d{1,6})",
    r"\b[A-Z]{1,2}\d{1,2}[A-Z]?\s\d[A-Z]{2}\b|\b[A-Z]{2}\s\d{5}(?:-\d{4})?\b",
    r"(?<![\d.])-?\d{1,2}\.\d{3,}°?\s?[NS]?\s?[,/]\s?-?\d{1,3}\.\d{3,}",
    r"(?:구|시|군|읍|면)\s[가-힣]{1,10}(?:로|길)\s?\d{1,4}|[가-힣]로\s?\d{1,4}번?길|[가-힣]동\s\d{1,4}-\d{1,4}",
    r"\d{1,4}동\s?\d{1,4}호(?!선)|우편\s?번호[^.\n]{0,6}?\d{5}|(?:집|자택|우리)\s?주소[는가]?\s?[^.\n]{0,30}?\d",
    flags=re.RegexFlag(0),
)
PATTERNS = {
    Sensitivity.HEALTH: _HEALTH,
    Sensitivity.FINANCE: _FINANCE,
    Sensitivity.IDENTITY: _IDENTITY,
    Sensitivity.LOCATION: _LOCATION,
}

CHILD = _any(
    r"\b(?:my|our|his|her|their)\s(?:[\w-]{1,20}\s){0,2}(?:sons?|daughters?|kids?|child|children|baby|toddler|twins)\b",
    r"\b(?:my|our)\s(?:[\w-]{1,20}\s)?(?:niece|nephew)\b|\ba\s(?:\d{1,2}|[a-z]{3,8})[ -]?(?:year|month)s?[ -]old\s(?:son|daughter)",
    r"아들|딸(?!기)|(?:우리|첫째|둘째|막내)\s?(?:아이|애)(?![가-힣]{0,2}들)|막내(?:는|가)\s|아기(?:는|가|이름)|조카",
)
CHILD_AGE = _any(
    r"\b(?P<old>\d{1,2})[ -]?(?:years?|yrs?)[ -]?old",
    r"\b(?:is|are|turns|turned|turning)\s(?P<is>\d{1,2})\b(?!\s?(?:kg|cm|%|months|minutes|km))",
    r"(?P<ko>\d{1,2}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?(?:살|세)(?![대상])",
)
ABOUT_A_CHILD = _any(
    r"\bmonths?[ -]old\b|\bkindergarten\b|\bnursery\b|\bpreschool\b|\bdaycare\b|\b(?:elementary|primary|middle|high) school",
    r"\b(?:goes to|attends|started|starts|studies at)\s[^.\n]{0,30}?school\b|\b(?:first|second|third|\dth)[ -]grade",
    r"\bname(?:d| is|s are)\b|\bcalled\b|'s name\b",
    r"개월|유치원|어린이집|(?:초등|중|고등)학교|(?:초등|중|고등)학생|[1-6]학년|초[1-6]\b|이름[은이]",
)
"""Beside the age, what is told of a child that would let somebody find it."""
NOT_A_NAME = _any(
    r"a|an|one|two|three|four|son|sons|daughters?|kids?|child|children|baby|twins|and|my|our|boys?|girls?",
    r"(?:아들|딸|아이|아기|애|자녀|하나|둘|셋|한|두|세|쌍둥이|\d*)(?:이|은|는|명|이랑|과|와|하고)?",
)

ATTRIBUTES: dict[Sensitivity, tuple[frozenset[str], frozenset[str]]] = {
    Sensitivity.HEALTH: (
        frozenset(
            [
                "health",
                "medical",
                "medication",
                "allergy",
                "diagnosis",
                "disease",
                "illness",
                "pregnancy",
                "건강",
                "지병",
                "질환",
                "약",
            ]
        ),
        frozenset(),
    ),
    Sensitivity.FINANCE: (
        frozenset(
            [
                "finance",
                "financial",
                "salary",
                "income",
                "debt",
                "loan",
                "mortgage",
                "bank",
                "연봉",
                "월급",
                "대출",
                "빚",
                "계좌",
            ]
        ),
        frozenset({"technical", "holiday"}),
    ),
    Sensitivity.IDENTITY: (
        frozenset(["passport", "ssn", "rrn", "identity", "여권", "주민등록번호", "여권번호"]),
        frozenset({"gender"}),
    ),
    Sensitivity.LOCATION: (
        frozenset(["address", "postcode", "zip", "zipcode", "coordinates", "주소", "우편번호"]),
        frozenset(["email", "mail", "ip", "mac", "web", "메일", "이메일"]),
    ),
}
"""Parts of an attribute's name that say so, unless another part says otherwise."""

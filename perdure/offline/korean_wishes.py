"""Korean: how to be answered, what somebody wants, likes and cannot stand, and what their body needs."""

from __future__ import annotations

from typing import Final

from perdure.offline.korean_words import (
    ADVERBS,
    CONDITION,
    COPULA,
    COPULA_END,
    DIET,
    THING,
    TONGUE,
    WITHOUT_NOT,
    WORD,
    WORDS,
)
from perdure.offline.rules import Rule, rule

_PLEASE = r"(?:줘요?|주세요|주십시오|마세요|말아 ?줘?|마|말 ?것|부탁해요?|부탁합니다|부탁드려요|해)[.!~\s]*"
_WILL = "".join(chr(code) for code in range(0xAC00, 0xD7A4) if (code - 0xAC00) % 28 == 8)
"""Syllables that end in ㄹ, as verbs do before 거야, 예정 and 계획."""
_PRONOUN = r"(?!(?:이거|그거|저거|이게|그게|저게|이것|그것|네가|너|당신|그|이|뭐|여기|거기)(?:을|를|이|가|은|는|도)? )"

POLICIES: Final[tuple[Rule, ...]] = (
    rule(
        "name.preferred",
        8,
        r"(?:^|\s)(?P<value>[^\s,]{1,40}?)(?:이라고|라고|으로|로) ?(?:불러|부르면|부릅|불린|부르)(?!지)",
    ),
    rule(
        "language.reply",
        8,
        rf"(?:답변?|대답|응답|말)(?:은|는|을|를)? (?P<value>{TONGUE})로(?:만)? ?(?:해|부탁|줘|주)",
        rf"(?P<value>{TONGUE})로(?:만)? ?(?:답|대답|말|얘기|이야기|써|적|응답)",
        timeless=True,
    ),
    rule(
        "reply.style",
        8,
        rf"앞으로(?:는|도)?,? (?P<value>.+?{_PLEASE})$",
        rf"(?P<value>(?:\S+ ){{0,8}}?\S*(?:답변|대답|답할|말할|응답|존댓말|반말|이모지|말투|설명은|이내로|이하로|나한테 쓸).*{_PLEASE})$",
        rf"(?P<value>(?:항상|언제나|절대(?:로)?) .+{_PLEASE})$",
        timeless=True,
    ),
)

GOALS: Final[tuple[Rule, ...]] = (
    rule(
        "goal",
        7,
        r"^(?!.*(?:지 ?않|지 ?못|(?:^|\s)안 ))(?P<value>.+?)(?<!알)(?<!묻)(?<!\s보)(?<!어보)(?<!아보)고 ?싶(?!지|은데요\?)",
        r"^(?P<value>.+?)(?:려고|기로) ?(?:해|하고|합|했|생각|노력|마음|결심)",
        rf"^(?!.*(?:비|눈)(?:가|이)? [올내])(?P<value>.+[{_WILL}]) ?(?:거야|거예요|거에요|겁니다|예정|계획|생각이|생각 ?중)",
        r"^(?!.*말까)(?P<value>.+?)까 ?(?:생각|고민|해요?[.!]?$|하는|합니다)",
        r"^(?P<value>.+?)(?:을|를)? ?(?:준비|공부|연습)(?:하고 ?있|를 하고|를 ?해|하는 중|중이|중입)",
        r"^(?P<value>.+?)(?:을|를)? ?(?:배우고|모으고|저축하고) ?있",
        r"^(?P<value>.+?)(?:는 게|는 것이|이|가) (?:내 |제 |올해 )?(?:목표|꿈)(?:야|이야|예요|이에요|입니다|이다)",
        rf"(?:목표|꿈|계획)(?:은|는|이|가) (?P<value>.+?){COPULA_END}",
        timeless=True,
    ),
)

BODY: Final[tuple[Rule, ...]] = (
    rule(
        "health.allergy",
        9,
        rf"^(?!.*없).*?(?:^|\s){WORDS}에? ?(?:알레르기|알러지)(?:가|는|도)?{ADVERBS} ?(?:있|심|가지|생|{COPULA})",
    ),
    rule(
        "health.condition",
        9,
        rf"^(?!.*없).*?(?:^|\s)(?P<value>{CONDITION})(?:이|가|을|를|은|는|도|으로)?{ADVERBS} ?(?:있|앓|진단|심|때문|{COPULA})",
        r"(?:^|\s)(?P<value>[^\s,]{1,40}?)(?:을|를)? (?:진단받|진단을 받|앓고)",
    ),
    rule(
        "food.diet",
        9,
        rf"{WITHOUT_NOT}(?:^|\s)(?P<value>{DIET})(?:을|를|으로)?(?: ?(?:중|하고|해|식|시작|지키|로)|{COPULA})",
    ),
    rule(
        "food.avoids",
        8,
        rf"^(?!.*(?:오늘|점심|저녁|아침|밥|아직)).*?(?:^|\s){WORDS}{ADVERBS} ?(?:못|안) ?(?:먹(?!었)|마[시십](?!었)|마셔|드셔|드십)",
    ),
)

TASTE: Final[tuple[Rule, ...]] = (
    rule(
        "ui.theme",
        6,
        r"(?P<value>(?:다크|라이트) ?(?:모드|테마))(?:를|로|가|만)?(?: \S+)? ?(?:써|쓰|사용|좋|선호|바꿔|바꿨|설정|할래)",
    ),
    rule(
        "hobby",
        6,
        rf"취미(?:는|가) (?P<value>[^.!~]+?){COPULA}",
        r"취미로 (?P<value>[^\s,]+(?: [^\s,]+)?) ?(?:하고|해요?|합니다|즐|배우|다니)",
        r"(?:^|\s)(?P<value>피아노|기타|바이올린|드럼|첼로|테니스|골프|배드민턴|탁구)(?:를|을)? (?:\S+ )?(?:쳐|치고|칩니다|연주)",
    ),
    rule(
        "dislikes",
        7,
        rf"(?:^|\s){_PRONOUN}{WORDS}{ADVERBS} ?(?:싫어|싫다|싫고|싫습|질색|못 ?참|안 ?좋아|별로야|별로예요|좋아하지 않)",
    ),
    rule(
        "likes",
        6,
        rf"좋아하는 (?:[^\s,]+ ){{0,2}}?[^\s,]+(?:은|는) (?P<value>[^.!~]+?){COPULA}",
        rf"\S+보다(?:는)? {WORDS} (?:더|훨씬) (?:좋|선호)",
        rf"최애(?: \S+?)?(?:은|는) {WORD}{COPULA}",
        rf"{WITHOUT_NOT}(?:^|\s){_PRONOUN}{WORDS}{ADVERBS} ?(?:좋아해|좋아합|좋아하고|좋아하는데|좋아하지만|좋아한|선호|즐겨|즐깁|사랑해|취향)",
        rf"{WITHOUT_NOT}(?:^|\s){_PRONOUN}(?!(?:\S+ )?(?:기분|날씨|컨디션|사이|건강|분위기|머리|성적)이?가? ){WORDS}(?:이|가){ADVERBS} 좋"
        rf"(?:아요?(?=[\s.!~]|$)|습니다|더라)",
    ),
    rule(
        "language.speaks",
        7,
        rf"{WITHOUT_NOT}(?P<value>(?:{TONGUE}(?:이?랑|와|과|하고|,)? ){{0,3}}{TONGUE})(?:를|도|는|로)?(?: \S+)? ?(?:할 줄|할 수"
        rf"|구사|유창|잘 ?[하해]|말할)",
        rf"모국어는 (?P<value>{TONGUE})",
    ),
    rule(
        "possession",
        6,
        rf"{WITHOUT_NOT}(?:^|\s)(?P<value>{THING})(?:을|를|가|이|도)?(?: \S+)? ?(?:샀|있어|있습|뽑았|구매|장만|갖고)",
    ),
)

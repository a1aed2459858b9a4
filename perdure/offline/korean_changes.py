"""Korean: what is over ("이제 고양이 안 키워", "퇴사했어"), or was so for a time that has passed ("부산에 살았어")."""

from __future__ import annotations

from typing import Final

from perdure.facts import Action
from perdure.offline.korean_words import ADVERBS, CITY, DIET, PARTICLE, PET, ROLE, ROLE_PREFIX, THING, WORD, WORDS
from perdure.offline.rules import Rule, rule

_QUIT = r"(?:그만뒀|그만두었|관뒀|관두었|때려치)"

ENDS: Final[tuple[Rule, ...]] = (
    rule(
        "pet",
        7,
        rf"{WORD}{ADVERBS} ?(?:안 ?키[우워]|키우지 않|안 ?길러)",
        rf"(?P<value>{PET})(?:이|가){ADVERBS} ?(?:죽었|무지개|세상을 떠|하늘나라)",
        action=Action.END,
    ),
    rule(
        "work.employer",
        8,
        rf"(?:{WORD}(?:에서|를|을)? ?)?(?:퇴사|퇴직)(?:했|하였|함|합니다|하고)",
        rf"(?P<value>회사|직장|일){PARTICLE} ?{_QUIT}",
        rf"(?<!\S)(?!(?:하던|다니던|그|이|내|제|우리|모든|집안) ){WORD} (?:알바|아르바이트|일){PARTICLE} ?{_QUIT}",
        rf"{WORD}(?:에|를|을)? ?(?:안 ?다[니녀]|다니지 않)",
        rf"{WORD}에서 ?(?:안 ?일[하해]|일 ?안 ?[하해]|일하지 않)",
        action=Action.END,
    ),
    rule("home.city", 8, rf"{CITY}(?:에|에서)(?:는|도)?{ADVERBS} ?(?:안 ?살(?!아 ?봤)|살지 않)", action=Action.END),
    rule(
        "health.allergy",
        9,
        rf"{WORD} ?(?:알레르기|알러지)(?:가|는)?{ADVERBS} ?(?:없어졌|나았|사라졌|없어)",
        action=Action.END,
    ),
    rule("food.diet", 9, rf"(?P<value>{DIET}){PARTICLE} ?(?:아니|안 ?해|그만)", action=Action.END),
    rule(
        "likes",
        6,
        rf"(?:이제|더 ?이상|더는)(?:는|은)? {WORDS}{ADVERBS} ?(?:안 ?좋아|좋아하지 않)",
        action=Action.END,
    ),
    rule("possession", 6, rf"(?:^|\s)(?P<value>{THING}){PARTICLE} ?(?:팔았|팔고|팔아|팔게|처분)", action=Action.END),
    rule("goal", 7, r"^(?P<value>.+?)(?:는|기)(?: ?(?:것|거|건|걸))?(?:은|을|를|도)? ?포기했", action=Action.END),
    rule("family.partner", 8, r"(?:^|\s)(?:(?P<value>\S+?)(?:이?랑|와|과|하고) )?헤어졌", action=Action.END),
    rule("", 6, rf"{WORD} ?(?:{_QUIT}|끊었|접었)", action=Action.END),
)

PAST: Final[tuple[Rule, ...]] = (
    rule("home.city", 8, rf"{CITY}(?:에서|에) (?:\S+ ){{0,2}}?(?:살았|거주했|지냈)", past=True),
    rule(
        "work.employer",
        8,
        rf"{WORD}(?:에서) (?:\S+ ){{0,2}}?(?:일했|근무했)",
        r"(?<!\S)(?P<value>\S+?(?<!학교)(?<!대학)(?<!학원))(?:에|를|을) ?다녔",
        past=True,
    ),
    rule("work.role", 8, rf"(?<!\S)(?P<value>{ROLE_PREFIX}\S*?{ROLE})(?:였|이었)", past=True),
)

"""Korean: who somebody is, where they live, what they do, and who belongs to them."""

from __future__ import annotations

from typing import Final

from perdure.offline.korean_words import (
    ADVERBS,
    CITY,
    COPULA,
    COPULA_END,
    PET,
    RELATIVE,
    RIDE,
    ROLE,
    ROLE_PREFIX,
    WITHOUT_NOT,
    WORD,
)
from perdure.offline.rules import Rule, rule

_SURNAME = r"[김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선]"
_AGE = r"(?:\d{1,3}|(?:스물|서른|마흔|쉰|예순|일흔)(?: ?(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉))?)"
_NOT_WORK = r"(?!(?:야간|주간|재택|밤|낮|집|사무실|현장|주말|병원|학원|헬스장|교회|성당|학교|회사|직장|여기|거기|매일)(?:에|에서|을|를)? )"

NAMES: Final[tuple[Rule, ...]] = (
    rule(
        "",
        8,
        rf"(?P<relation>{RELATIVE})(?:의)? ?이름은 (?P<value>\S+?){COPULA}",
        rf"(?:우리|내|제|저희) ?(?P<relation>{RELATIVE}) (?!이름|생일|나이|직업)(?P<value>[가-힣]{{1,4}}?)(?:이는|이가|은|는|이|가) ",
        timeless=True,
    ),
    rule(
        "",
        8,
        r"(?:^|\s)(?P<value>[^\s,]{1,40}?)(?:이라는|라는|이란|란) (?:이름의 )?(?:\S+ ){0,2}?"
        rf"(?P<relation>{RELATIVE})(?:을|를|이|가)? ?(?:\S+ )?(?:키우|키워|키웁|있|입양|데려|길러)",
        rf"(?P<relation>{PET})(?:을|를|이|가)? (?:\S+ )?(?:키우|키워)\S*,? 이름은 (?P<value>\S+?){COPULA}",
    ),
)

WHO: Final[tuple[Rule, ...]] = (
    rule(
        "name",
        9,
        rf"(?:내|제|저의|나의) (?:본명|이름)은 (?P<value>\S+?){COPULA}",
        r"(?:저는|나는|난|전) (?P<value>[^\s,]{1,40}?)(?:이라고|라고) (?:합니다|해요|하고|해[.!]?$)",
        rf"(?:저는|나는|난|전) (?P<value>{_SURNAME}[가-힣][가-힣](?<![인생사원자님부]))(?:입니다|이에요|예요|이야|야)[.!~]*$",
    ),
    rule(
        "birthday",
        9,
        rf"(?:내|제|나의|저의) ?생일은 (?P<value>.+?){COPULA_END}",
        r"(?P<value>(?:19|20)\d\d년(?: ?\d{1,2}월 ?\d{1,2}일)?)(?:에|생)? ?(?:태어났|생이|생입)",
        timeless=True,
    ),
    rule("age", 7, rf"(?:^|\s)(?P<value>{_AGE}) ?(?:살|세)(?:{COPULA}|이? ?됐|이? ?되었)"),
    rule("contact.email", 8, r"메일.*?(?P<value>[\w.+-]+@[\w-]+(?:\.[A-Za-z]+)+)"),
    rule(
        "contact.phone",
        8,
        r"(?:번호|연락처|휴대폰|핸드폰).*?(?P<value>\+?\d{2,3}[- ]?\d{3,4}[- ]?\d{4})",
        timeless=True,
    ),
    rule(
        "home.city",
        8,
        rf"{WITHOUT_NOT}(?:^|\s){CITY}(?:에서|에)(?:는|만)? (?:\S+ ){{0,2}}?(?:살아|살고(?! ?싶)|삽니다|산다|산(?=[\s.]|$)|살게 ?[됐되]"
        r"|사는(?!.*친구).*(?:입니다|이에요|예요|이야|야)[.!~\s]*$|거주(?:하|해|합|중)|지내고|지내요|자리 ?잡)",
        rf"{WITHOUT_NOT}(?:^|\s){CITY}(?:으로|로)(?:\s\S+)? ?(?:이사(?: ?왔| ?갔|했|를 했|를 왔|를 갔|해서| ?온| ?간|하고)|이주했|이민|올라왔|내려왔)",
        r"(?:^|\s)(?:^|(?:나|저|나는|난|저는|전|지금은?|요즘은?|현재는?|이제는?) )(?!혼자|같이|함께|열심히|여기|거기|아직|오래|둘이|따로|가족|친구|부모)"
        r"(?P<value>[가-힣]{2,4})"
        r" (?:살아|살고 있|삽니다)",
        rf"(?:우리|내|제|저희) ?집은 {CITY}(?:에 있|{COPULA})",
    ),
    rule(
        "home.origin",
        8,
        rf"(?:^|\s){WORD}(?:이|가)? ?출신",
        rf"고향(?:은|이) {WORD}{COPULA}",
        rf"(?:^|\s){WORD}에서 (?:\S+ )?(?:태어났|태어나|자랐|나고)",
    ),
)

FAMILY: Final[tuple[Rule, ...]] = (
    rule(
        "family.status",
        8,
        rf"{WITHOUT_NOT}(?:^|\s)(?P<value>결혼|이혼|약혼)(?:을|은)?(?:했|한 지|하였| ?\d+년 ?차|한(?= |$))",
        rf"(?:^|\s)(?P<value>미혼|기혼|싱글|솔로|독신|유부남|유부녀){COPULA}",
    ),
    rule(
        "family.child",
        8,
        r"(?:^|\s)(?P<value>(?:아이|자녀|아들|딸|애)(?:이|가|만)? (?:하나|둘|셋|넷|\S+ ?명)) ?(?:이|가)? ?(?:있|예요|이에요)",
    ),
    rule(
        "family.sibling",
        7,
        r"(?:^|\s)(?P<value>(?:누나|언니|오빠|형|남동생|여동생|동생)(?:이|가)?(?: (?:하나|둘|셋|\S+ ?명))?)(?:이|가)? 있",
    ),
    rule(
        "pet",
        7,
        rf"{WITHOUT_NOT}(?:^|\s)(?P<value>{PET})(?:을|를|도)?(?: (?:한|두|세|\d+) ?마리(?:를|도)?)?(?: \S+)? ?(?:키우|키워|키웁"
        rf"|기르고|길러|입양|데려왔|분양)",
    ),
)

WORK: Final[tuple[Rule, ...]] = (
    rule(
        "education.school",
        8,
        r"(?:^|\s)(?P<value>\S+?(?:대학교|대학원|대학|여대|대|고등학교|학교|카이스트|KAIST))(?:에서|을|를|에)?(?: \S+)? ?(?:졸업|전공|다니|다녀|재학"
        r"|입학|공부)",
        rf"(?:^|\s){WORD}(?:을|를) ?(?:\S+ )?졸업",
    ),
    rule(
        "education.major",
        7,
        r"(?:^|\s)(?P<value>[^\s,]{1,40}?)(?:을|를)? ?전공(?:했|하|해|이|입|으로|자)",
        rf"전공(?:은|이) {WORD}{COPULA}",
    ),
    rule(
        "work.employer",
        8,
        rf"{WITHOUT_NOT}(?:^|\s){_NOT_WORK}{WORD}에서 (?:\S+ ){{0,2}}?(?:일하고|일하는|일해|일합|일한(?=[\s.]|$)|근무|재직)",
        rf"{WITHOUT_NOT}(?:^|\s){_NOT_WORK}(?P<value>\S+?(?<!학교)(?<!대학)(?<!학원))(?:에|를|을)? (?:\S+ )?(?:다니고|다니는 ?중"
        rf"|다녀(?!왔|가|올|오)|다닙|다닌(?=[\s.]|$)|재직)",
        rf"{WITHOUT_NOT}(?:^|\s){WORD}(?:으로|로) (?:\S+ )?(?:이직|취직|입사|취업)(?:했|해서|하게|한(?=[\s.]|$))",
        rf"{WITHOUT_NOT}{WORD}에 (?:취직|입사|취업|합격)(?:했|해서|하게)",
        rf"(?:^|\s)(?:직장|회사)는 {WORD}{COPULA}",
        rf"(?:^|\s)(?P<value>\S+(?:병원|은행|전자|그룹|증권|화학|공사|연구소)) (?={ROLE_PREFIX}{ROLE}{COPULA})",
    ),
    rule(
        "work.role",
        8,
        rf"(?:^|\s)(?P<value>{ROLE_PREFIX}[가-힣A-Za-z]*?{ROLE})(?:로|으로) (?:\S+ )?(?:일하|일해|일합|근무|활동|취직|이직|전직|승진)",
        rf"(?:^|\s)(?P<value>{ROLE_PREFIX}[가-힣A-Za-z]*?{ROLE}){COPULA}",
        rf"(?:^|\s)(?:직업|하는 일)(?:은|이) {WORD}{COPULA}",
        rf"(?:^|\s){WORD}(?:으로|로) 승진(?:했|해서)",
    ),
    rule(
        "commute",
        5,
        rf"{WITHOUT_NOT}(?:^|\s)(?P<value>{RIDE})(?:으로|로|를 ?타고|을 ?타고| ?타고)?{ADVERBS} ?(?:출근|통근|출퇴근|회사에? ?[가다])",
    ),
    rule(
        "project",
        7,
        r"(?:^|\s)(?P<value>(?:[^\s,]{1,40} ){0,3}?[^\s,]{1,40}?) (?:만들고|개발하고|진행하고|작업하고) ?있",
    ),
)

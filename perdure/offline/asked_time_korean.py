"""Times in Korean questions: "작년에", "지난 3월에", "2020년 이전에", "2018년부터 2020년까지", "이사하기 전에"."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from perdure.asked_time import AskedTime
from perdure.offline.asked_events_korean import CHANGES, HISTORY
from perdure.offline.asked_points_korean import MONTH_DAY, NUMBER, PLAIN, POINT, UNIT, YEAR, read_ago, read_point
from perdure.offline.asked_reading import Grammar
from perdure.offline.asked_spans import Role, Tense, between, exactly, framed, lately, looking
from perdure.offline.asked_tense_korean import PRESENT, asks, tense_of

_ABOUT = r"(?: ?(?:쯤|경|무렵|즈음))?"
_END = r"(?=[\s,.?!~]|$)"
_START = r"(?<![가-힣\w])"
_RANGE = re.compile(
    rf"{_START}(?P<first>{POINT})(?: ?[~–-] ?|(?:부터|에서|과|와|이랑|랑|하고) )(?P<last>{POINT}|지금|현재|오늘)"
    rf"(?: ?(?:까지|사이|동안)(?:에는|에|는)?|에는|에|엔){_END}"
)
_ONE = re.compile(
    rf"{_START}(?:(?:지난|최근) (?P<lately>{NUMBER} ?{UNIT})(?: ?(?:동안|간|사이|새)(?:에)?)"
    rf"|(?P<ago>{NUMBER} ?{UNIT} ?전|(?:하루|이틀|사흘|나흘|열흘|보름) ?전)(?P<ago_role>부터|까지)?"
    rf"(?:(?:쯤|즈음)?(?:에는|에|엔)|쯤|(?<=[터지])|(?= (?:나|내|제|저|우리|어디|뭐|누구|무슨|직장|회사|집|주소)))|(?P<year_ago>작년 이맘때)(?:에는|에|엔)?"
    rf"|(?P<point>{POINT}){_ABOUT}(?P<role>부터|까지만| ?(?:이후|이래)| ?이전| ?전|까지| ?(?:기준|시점)| 현재)(?:으로|로|에|는|에는|엔|까지|부터)*"
    rf"|(?P<at>{POINT}){_ABOUT}(?:에는|에|엔|하고| ?(?:당시|때|동안|내내|중|사이)(?:에는|에|엔|는)?)|(?P<plain>{PLAIN})(?:은|는)?){_END}"
)
_ROLES: Final = {
    "": Role.AT,
    **dict.fromkeys(("부터", "이후", "이래"), Role.SINCE),
    **dict.fromkeys(("이전", "전"), Role.BEFORE),
    **dict.fromkeys(("기준", "시점", "현재"), Role.AS_OF),
    **dict.fromkeys(("까지", "까지만"), Role.UNTIL),
}
_CONTENT_BEFORE = re.compile(
    rf"(?:매년|매|매주|매달|소설|영화|책|드라마) ?$|(?:{POINT})(?:에|이)? ?(?:나|하고|랑|,|아니면|또는|말고) ?$"
)
_CONTENT_AFTER = re.compile(
    r"^ ?(?:비해|비하|대비|보다|목표|예산|다짐|결심|말고|빼고|처럼|태어)|태어[난났]|(?<!뭐)(?<!뭐이)[다라자냐]고 ?(?:(?:내|제)가 )?(?:말|얘기|이야기|했|그랬|하)"
)
"""What was born then, what was said to be then, "올해 목표": content, not the time that is asked about."""
_JOINT = re.compile(
    r"(?:(?<=[는은인한었았했던]데)|(?<=지만)(?<!까지만)|(?<=니까)|(?<=거든)|(?<=[았었했]고))[,\s]+|;\s*"
)
"""Where a statement may end and a question begin; what "뭐 하고 놀았지" joins is one question."""
_FILLER = re.compile(r"(?:그럼|그러면|그리고|근데|그런데|혹시|아|음|저기|나|내가|우리|에는|에|는|은)|[\W_]+")


def _time(match: re.Match[str], tense: Tense, now: datetime) -> AskedTime | None:
    """What the match names, or None if it is content."""
    words, head, tail = match[0], match.string[: match.start()], match.string[match.end() :]
    if _CONTENT_BEFORE.search(head) or _CONTENT_AFTER.search(tail):
        return None
    if match.re is _RANGE:
        return _range(match, tense, now)
    if match["lately"]:
        return framed(Role.AT, lately(exactly(f"{match['lately']} 전", now), now), words, tense, now)
    if match["year_ago"]:
        return framed(Role.AT, exactly("1년 전", now), words, tense, now)
    if match["ago"]:
        return framed(_ROLES[match["ago_role"] or ""], read_ago(match["ago"], now), words, tense, now)
    role = _ROLES[(match["role"] or "").strip()]
    told = read_point(match["point"] or match["at"] or match["plain"], now, looking(tense, role))
    return framed(role, told, words, tense, now)


def _range(match: re.Match[str], tense: Tense, now: datetime) -> AskedTime | None:
    first, last = match["first"], match["last"]
    began = read_point(first, now, tense)
    if last in {"지금", "현재", "오늘"}:
        return framed(Role.SINCE, began, match[0], tense, now)
    if re.fullmatch(MONTH_DAY, last) and (year := re.match(YEAR, first)):
        last = f"{year[0]} {last}"
    return between(began, read_point(last, now, tense), match[0], tense, now)


def _clauses(sentence: str) -> list[str]:
    return [part for piece in _JOINT.split(sentence) if (part := piece.strip(" ,;"))]


KOREAN: Final = Grammar(_clauses, CHANGES, (_RANGE, _ONE), _time, HISTORY, PRESENT, _FILLER, asks, tense_of)

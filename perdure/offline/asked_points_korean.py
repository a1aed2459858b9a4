"""Times as Korean words name them: "작년", "지난 3월", "2020년 여름", "5월 3일", "2주 전"."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from perdure.offline.asked_spans import (
    Stretch,
    Tense,
    any_date,
    any_season,
    any_weekday,
    any_weekend,
    decade,
    exactly,
    months,
    stretch,
    weekend,
)
from perdure.offline.dates import Unit, ago, on_date
from perdure.offline.korean_dates import read_korean

_YEARS_AGO: Final = {"재작년": 2, "작년": 1, "지난해": 1, "올해": 0, "금년": 0, "올": 0, "내년": -1, "내후년": -2}
_SEASONS: Final = {"봄": 3, "여름": 6, "가을": 9, "겨울": 12}
_PARTS: Final = {"초": (1, 4), "중반": (5, 8), "말": (9, 12), "상반기": (1, 6), "하반기": (7, 12)} | {
    f"{quarter}분기": (3 * quarter - 2, 3 * quarter) for quarter in range(1, 5)
}
_WHICH: Final = {"지난": "last", "저번": "last", "이번": "this", "올": "this", "다음": "next", "": ""}
_DAYS_AHEAD: Final = {"모레": 2, "내일모레": 2, "글피": 3}
_WEEKDAYS: Final = "월화수목금토일"

NUMBER = r"(?:[0-9]{1,3}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|일|이|삼|사|오|육|칠|팔|구|십)"
UNIT = r"(?:년|해|달|개월|주일|주|일|시간|분)"
_SEASON = r"(?:봄|여름|가을|겨울)"
YEAR = r"(?:(?:19|20)[0-9]{2} ?년도?|내후년|재작년|작년|지난해|올해|금년|내년)"
MONTH_DAY = r"[0-9]{1,2} ?월(?: ?[0-9]{1,2} ?일)?"
PLAIN = "|".join(
    (
        r"(?:재작년|작년|지난해|올해|금년|내년|내후년)",
        rf"(?:지난|저번|이번|다음) ?(?:주말|주(?: ?[{_WEEKDAYS}]요일)?|달|해|[{_WEEKDAYS}]요일|{_SEASON}|[0-9]{{1,2}} ?월)|올 ?{_SEASON}",
        r"(?:지지난|저저번|다다음) ?(?:주|달)|(?:지난|저번|이번|다음) ?달 ?[0-9]{1,2} ?일",
        r"(?:그저께|그제|엊그제|어제|어젯밤|오늘|내일모레|내일|모레|글피)(?: ?(?:아침|점심|저녁|밤|새벽|오전|오후))?",
    )
)
"""What may stand without a particle; the rest needs one."""
POINT = "|".join(
    (
        rf"(?:{YEAR}|[0-9]{{2}} ?년) ?{MONTH_DAY}|{YEAR} ?(?:{_SEASON}|초|중반|말|상반기|하반기|[1-4] ?분기)",
        r"(?:19|20)[0-9]{2}(?:[-./][0-9]{1,2}){1,2}|(?:(?:19|20)[0-9]|[0-9])0년대",
        YEAR,
        PLAIN,
        rf"{MONTH_DAY}|(?:19|20)[0-9]{{2}}|[{_WEEKDAYS}]요일|주말|{_SEASON}",
    )
)


def read_ago(words: str, now: datetime) -> Stretch | None:
    """So many units back: of days and weeks that whole day or week, else that very moment."""
    if re.search(r"(?:주|주일|일|하루|이틀|사흘|나흘|열흘|보름) ?전$", words):
        return stretch(read_korean(words, now))
    return exactly(words, now)


def read_point(point: str, now: datetime, tense: Tense) -> Stretch | None:
    """The time that these words name; where they leave the year open, the one that goes with the tense."""
    text = point.replace(" ", "")
    if (found := re.fullmatch(r"([0-9]{2})년(.+)", text)) and now.year >= 2000:
        text = f"{2000 + int(found[1]) - (100 if int(found[1]) > now.year % 100 + 10 else 0)}년{found[2]}"
    text = text.replace("년도", "년")
    if text in _DAYS_AHEAD:
        return stretch(ago(now, -_DAYS_AHEAD[text], Unit.DAY))
    if found := re.fullmatch(r"(지지난|저저번|다다음)(주|달)", text):
        return stretch(ago(now, -2 if found[1] == "다다음" else 2, Unit.WEEK if found[2] == "주" else Unit.MONTH))
    if found := re.fullmatch(r"([0-9]+)년대", text):
        return decade(now, int(found[1]))
    if found := re.fullmatch(r"([0-9]{4})[-./]([0-9]+)(?:[-./]([0-9]+))?", text):
        return stretch(on_date(now, int(found[1]), int(found[2]), int(found[3]) if found[3] else None))
    if found := re.fullmatch(r"(지난|저번|이번|다음)달([0-9]+)일", text):
        month = ago(now, {"last": 1, "this": 0, "next": -1}[_WHICH[found[1]]], Unit.MONTH)
        return stretch(on_date(now, month.day.year, month.day.month, int(found[2]))) if month else None
    if re.fullmatch(r"[0-9]{4}", text):
        return stretch(read_korean(f"{text}년", now))
    if found := re.fullmatch(r"(지난|저번|이번|다음)?주말", text):
        weeks = {"last": 1, "next": -1}.get(_WHICH[found[1] or ""])
        return weekend(now, weeks) if weeks else any_weekend(now, tense)
    if found := re.fullmatch(
        rf"({'|'.join(_YEARS_AGO)}|[0-9]{{4}}(?=년))년?(초|중반|말|상반기|하반기|[1-4]분기)", text
    ):
        year = int(found[1]) if found[1].isdigit() else now.year - _YEARS_AGO[found[1]]
        return months(now, year, *_PARTS[found[2]])
    if found := re.fullmatch(rf"(지난|저번|이번|다음|올)?({_SEASON})", text):
        return any_season(now, _SEASONS[found[2]], _WHICH[found[1] or ""], tense)
    if found := re.fullmatch(r"(지난|저번|이번|다음)?([0-9]+)월(?:([0-9]+)일)?", text):
        when = Tense.PAST if found[1] in {"지난", "저번"} else Tense.PLANNED if found[1] == "다음" else tense
        return any_date(now, int(found[2]), int(found[3]) if found[3] else None, when)
    if text[0] in _WEEKDAYS and text[1:] == "요일":
        return any_weekday(now, _WEEKDAYS.index(text[0]), tense)
    return stretch(read_korean(text, now))

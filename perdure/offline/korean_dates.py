"""Korean dates: "지난달", "재작년", "3년 전", "2019년에", "5월부터", "2018년부터 2021년까지", "올해 초", "산 지 3년"."""

from __future__ import annotations

import re
from datetime import datetime

from perdure.offline.dates import (
    Dates,
    Moment,
    Unit,
    ago,
    latest,
    latest_season,
    on_date,
    season,
    weekday,
    year_part,
)

_NATIVE = ("한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_SINO = ("일", "이", "삼", "사", "오", "육", "칠", "팔", "구", "십")
_NUMBERS = {word: 1 + index for words in (_NATIVE, _SINO) for index, word in enumerate(words)}
_DAY_COUNTS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "열흘": 10, "보름": 15}
_DAY_WORDS = {"그저께": 2, "그제": 2, "엊그제": 2, "어젯밤": 1, "어제": 1, "오늘": 0, "내일": -1}
_YEAR_WORDS = {"재작년": 2, "작년": 1, "지난해": 1, "올해": 0, "금년": 0, "올": 0, "내년": -1}
_UNITS = {"년": Unit.YEAR, "해": Unit.YEAR, "달": Unit.MONTH, "개월": Unit.MONTH}
_UNITS |= {"주일": Unit.WEEK, "주": Unit.WEEK, "일": Unit.DAY}
_WEEKS_AGO = {"지난": 1, "저번": 1, "이번": 0, "다음": -1}
_SEASONS = {"봄": 3, "여름": 6, "가을": 9, "겨울": 12}
_PARTS = {"초": "early", "중반": "mid", "말": "late"}
_WEEKDAYS = "월화수목금토일"

_NUMBER = rf"(?:\d{{1,3}}|{'|'.join((*_NATIVE, *_SINO))})"
_UNIT = r"(?:년|해|달|개월|주일|주|일)"
_SEASON = r"(?:봄|여름|가을|겨울)"
_YEAR = r"(?:(?:19|20)\d\d ?년|재작년|작년|지난해|올해|금년|내년)"
_MONTH_DAY = r"\d{1,2} ?월(?: ?\d{1,2} ?일)?"
_ALONE = "|".join(
    (
        rf"{_YEAR}(?: ?(?:{_MONTH_DAY}|{_SEASON}|초|중반|말))?",
        rf"(?:지난|저번|이번|다음) ?(?:[{_WEEKDAYS}]요일|주(?: ?[{_WEEKDAYS}]요일)?|달|해|{_SEASON})",
        rf"올 ?{_SEASON}",
        rf"{_NUMBER} ?{_UNIT} ?전",
        rf"(?:{'|'.join(_DAY_COUNTS)}) ?전",
        rf"(?:{'|'.join(_DAY_WORDS)})(?: ?(?:아침|점심|저녁|밤|새벽))?",
        r"(?:19|20)\d\d-\d\d(?:-\d\d)?",
    )
)
_SINGLE = re.compile(
    rf"(?<![가-힣\d])(?:(?P<alone>{_ALONE})(?:쯤|경|무렵)?(?P<role>부터|이후로?|이래로?|까지|에는|에|엔|은|는)?"
    rf"|(?P<when>{_MONTH_DAY})(?:쯤|경|무렵)?(?P<needed>부터|이후로?|까지|에는|에|엔))(?:는|만)?(?=[\s,.!~]|$)"
)
_LASTING = re.compile(
    rf"(?:\s(?:지|지는|지가)\s*(?:벌써|이제|약|한|거의|딱)?\s*)(?P<count>{_NUMBER}) ?(?P<unit>{_UNIT})"
    r"(?:\s*(?:정도|쯤|가량|째))*\s*(?:됐|되|된|넘|이야|예요|째)\S*"
    rf"|(?<![가-힣\d])(?P<nth>{_NUMBER}) ?(?P<nth_unit>{_UNIT})째(?=\s|$)"
)
_VAGUE = re.compile(
    rf"(?<![가-힣\d])(?:(?:예전|옛날|한때|어릴 ?때|어렸을 때)(?:에|에는|엔|는)?|전에는?|(?:몇 ?(?:년|달|개월|주)|며칠|얼마) ?전(?:에|부터)?"
    rf"|{_NUMBER} ?{_UNIT} ?(?:동안|간))(?=[\s,.]|$)"
)


def korean_dates(clause: str, at: datetime) -> Dates:
    """The dates that the clause names, resolved against `at`, and the clause without them."""
    since = until = on = None
    rest = clause
    if lasting := _LASTING.search(rest):
        since = ago(at, _number(lasting["count"] or lasting["nth"]), _UNITS[lasting["unit"] or lasting["nth_unit"]])
        rest = _without(rest, lasting)
    while found := _SINGLE.search(rest):
        moment = read_korean(found["alone"] or found["when"], at)
        role = found["role"] or found["needed"] or ""
        if role.startswith(("부터", "이후", "이래")):
            since = since or moment
        elif role == "까지":
            until = until or moment
        else:
            on = on or moment
        rest = _without(rest, found)
    rest = _VAGUE.sub(" ", rest)
    return Dates(" ".join(rest.split()), since, until, on)


def read_korean(text: str, at: datetime) -> Moment | None:
    """The moment that this expression names, or None if there is no such day."""
    text = text.replace(" ", "")
    if found := re.match("|".join(_DAY_WORDS), text):
        return ago(at, _DAY_WORDS[found[0]], Unit.DAY)
    if found := re.fullmatch(rf"({'|'.join(_DAY_COUNTS)})전", text):
        return ago(at, _DAY_COUNTS[found[1]], Unit.DAY)
    if found := re.fullmatch(rf"({_NUMBER})({_UNIT})전", text):
        return ago(at, _number(found[1]), _UNITS[found[2]])
    if found := re.fullmatch(r"(지난|저번|이번|다음)(.+)", text):
        return _relative(_WEEKS_AGO[found[1]], found[2], at) if found[0] != "지난해" else ago(at, 1, Unit.YEAR)
    if found := re.fullmatch(r"(\d{4})-(\d\d)(?:-(\d\d))?", text):
        return on_date(at, int(found[1]), int(found[2]), int(found[3]) if found[3] else None)
    if found := re.fullmatch(r"(\d{1,2})월(?:(\d{1,2})일)?", text):
        return _month_day(at, int(found[1]), found[2])
    return _within_year(text, at)


def _within_year(text: str, at: datetime) -> Moment | None:
    found = re.fullmatch(
        rf"(?:(\d{{4}})년|({'|'.join(_YEAR_WORDS)}))(?:(\d+)월(?:(\d+)일)?|({_SEASON})|(초|중반|말))?", text
    )
    if not found:
        return None
    year = int(found[1]) if found[1] else at.year - _YEAR_WORDS[found[2]]
    if found[5]:
        return season(at, year, _SEASONS[found[5]])
    if found[6]:
        return year_part(at, year, _PARTS[found[6]])
    return on_date(at, year, int(found[3]) if found[3] else None, int(found[4]) if found[4] else None)


def _relative(count: int, what: str, at: datetime) -> Moment | None:
    if what in {"달", "해", "주"}:
        return ago(at, count, _UNITS[what])
    if what in _SEASONS:
        return latest_season(at, _SEASONS[what]) if count == 1 else season(at, at.year - count, _SEASONS[what])
    day = _WEEKDAYS.index(what[-3])
    in_week = what.startswith("주")
    return weekday(at, day, 0 if count == 1 and not in_week and day < at.weekday() else count)


def _month_day(at: datetime, month: int, day: str | None) -> Moment | None:
    return latest(at, month, int(day) if day else None) if 1 <= month <= 12 else None


def _number(text: str) -> int:
    return _NUMBERS.get(text) or int(text)


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"

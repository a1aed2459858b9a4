"""English dates: "last month", "in 2019", "since May", "from 2018 to 2021", "two years ago", "for three years"."""

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

_NUMBERS = dict(
    zip(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        range(1, 13),
        strict=True,
    )
)
_NUMBERS |= {"a": 1, "an": 1, "couple of": 2, "a couple of": 2}
_MONTHS = {
    name: 1 + index
    for index, name in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"])
}
_WEEKDAYS = {name: index for index, name in enumerate(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_DAY_WORDS = {
    "the day before yesterday": 2,
    "yesterday": 1,
    "last night": 1,
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "tomorrow": -1,
}
_WEEKS_AGO = {"last": 1, "past": 1, "this": 0, "next": -1, "this coming": 0}
_PARTS = {"early": "early", "beginning": "early", "start": "early", "mid": "mid", "middle": "mid"}

_NUMBER = r"(?:\d{1,3}|a couple of|couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_UNIT = r"(?:day|week|month|year)s?"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SEASON = r"(?:spring|summer|autumn|fall|winter)"
_YEAR = r"(?:19|20)\d\d"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = (
    rf"(?:{_MONTH} {_DAY}(?:,? {_YEAR})?|(?:the )?{_DAY} (?:of )?{_MONTH}(?:,? {_YEAR})?|{_YEAR}-\d\d(?:-\d\d)?(?!\d))"
)
_PART = r"(?:early|mid|late|the (?:beginning|start|middle|end) of)[ -](?:last year|this year|" + _YEAR + ")"
_ALONE = "|".join(
    (
        "|".join(_DAY_WORDS),
        rf"(?:last|past|next|this(?: coming)?) (?:week|month|year|{_SEASON}|{_WEEKDAY}|{_MONTH})",
        rf"{_NUMBER} {_UNIT} ago",
        _PART,
        _DATE,
        rf"{_MONTH}(?: of)?,? {_YEAR}",
        rf"(?:the )?{_SEASON}(?: of)? {_YEAR}",
    )
)
_ANY = rf"(?:{_ALONE}|{_MONTH}|{_YEAR})"
_SINCE = r"(?:ever )?since|from|starting(?: from| in| on)?|beginning(?: in| on)?|as of"
_RANGE = re.compile(
    rf"\b(?:(?:from|between) )?(?P<since>{_ANY}) ?(?:to|until|till|through|and|-|–) ?(?P<until>{_ANY})\b", re.IGNORECASE
)
_SINGLE = re.compile(
    rf"\b(?:(?:(?P<since>{_SINCE})|(?P<until>until|till|up to)|(?:back )?in|on|around|during) (?P<when>{_ANY})"
    rf"|(?P<alone>{_ALONE}))\b(?!-)",
    re.IGNORECASE,
)
_LASTING = re.compile(
    rf"\bfor (?:(?:about|around|over|almost|nearly|more than|the|last|past) )*(?P<count>{_NUMBER}) (?P<unit>{_UNIT})\b"
    r"(?: now| already)?",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    rf"\b(?:(?:a )?(?:few|several|some|many) {_UNIT} ago|{_UNIT} ago|a while ago|the other day"
    rf"|for (?:a few|several|many|some) {_UNIT}|a long time ago)\b",
    re.IGNORECASE,
)
_PERFECT = re.compile(r"\b(?:I|we)(?:'ve| have)\b", re.IGNORECASE)


def english_dates(clause: str, at: datetime) -> Dates:
    """The dates that the clause names, resolved against `at`, and the clause without them."""
    since = until = on = None
    rest = clause
    if (found := _RANGE.search(rest)) and (since := read_english(found["since"], at)):
        until, rest = read_english(found["until"], at), _without(rest, found)
    if (lasting := _LASTING.search(rest)) and not since:
        if _PERFECT.search(clause):
            since = ago(at, _number(lasting["count"]), _unit(lasting["unit"]))
        rest = _without(rest, lasting)
    while found := _SINGLE.search(rest):
        moment = read_english(found["when"] or found["alone"], at)
        if found["since"]:
            since = since or moment
        elif found["until"]:
            until = until or moment
        else:
            on = on or moment
        rest = _without(rest, found)
    rest = _VAGUE.sub(" ", rest)
    return Dates(" ".join(rest.split()), since, until, on)


def read_english(text: str, at: datetime) -> Moment | None:
    """The moment that this expression names, or None if there is no such day."""
    text = text.lower().removeprefix("the ") if not text.lower().startswith("the day") else text.lower()
    if text in _DAY_WORDS:
        return ago(at, _DAY_WORDS[text], Unit.DAY)
    if found := re.fullmatch(rf"({_NUMBER}) ({_UNIT}) ago", text):
        return ago(at, _number(found[1]), _unit(found[2]))
    if found := re.fullmatch(r"(last|past|next|this|this coming) (\w+)", text):
        return _relative(found[1], found[2], at)
    if found := re.fullmatch(r"(\w+)(?: of)?[ -](last year|this year|(?:19|20)\d\d)", text):
        year = {"last year": at.year - 1, "this year": at.year}.get(found[2]) or int(found[2])
        if found[1] in _SEASONS:
            return season(at, year, _SEASONS[found[1]])
        if found[1][:3] in _MONTHS:
            return on_date(at, year, _MONTHS[found[1][:3]])
        return year_part(at, year, _PARTS.get(found[1], "late"))
    if re.fullmatch(_YEAR, text):
        return on_date(at, int(text))
    if found := re.fullmatch(rf"({_MONTH})(?: of)?(?:,? ({_YEAR}))?", text):
        month = _MONTHS[found[1][:3]]
        return on_date(at, int(found[2]), month) if found[2] else latest(at, month)
    return _calendar_day(text, at)


def _relative(which: str, what: str, at: datetime) -> Moment | None:
    count = _WEEKS_AGO[which]
    if what in {"week", "month", "year"}:
        return ago(at, count, Unit(what))
    if what in _SEASONS:
        return latest_season(at, _SEASONS[what]) if count == 1 else season(at, at.year - count, _SEASONS[what])
    if what[:3] in _WEEKDAYS:
        day = _WEEKDAYS[what[:3]]
        return weekday(at, day, 0 if count == 1 and day < at.weekday() else count)
    month = _MONTHS[what[:3]]
    if count == 1:
        return latest(at, month, before=1)
    return on_date(at, at.year + (1 if count == -1 and month <= at.month else 0), month)


def _calendar_day(text: str, at: datetime) -> Moment | None:
    if found := re.fullmatch(r"(\d{4})-(\d\d)(?:-(\d\d))?", text):
        return on_date(at, int(found[1]), int(found[2]), int(found[3]) if found[3] else None)
    import dateparser

    now = at.replace(tzinfo=None)
    day = dateparser.parse(text, languages=["en"], settings={"RELATIVE_BASE": now, "PREFER_DATES_FROM": "past"})
    return on_date(at, day.year, day.month, day.day) if day else None


def _number(text: str) -> int:
    return _NUMBERS.get(text.lower()) or int(text)


def _unit(text: str) -> Unit:
    return Unit(text.lower().rstrip("s"))


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}"

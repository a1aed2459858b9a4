"""Which time a question asks about, against a present of Thursday, 15 October 2026, 18:00 in Seoul."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from perdure.asked_time import AskedTime
from perdure.offline.asked_time import asked_time
from perdure.time import EARLIEST, LATEST
from perdure.turn import Language

SEOUL = ZoneInfo("Asia/Seoul")
NOW = datetime(2026, 10, 15, 18, tzinfo=SEOUL)
LANGUAGES: tuple[Language, ...] = ("en", "ko")
FILES = ("", "_heldout", "_unpractised")
"""Practised on; written before the rules; written after them."""


def cases(language: Language) -> list[dict[str, Any]]:
    folder = Path(__file__).parent / "cases"
    texts = [(folder / f"asked_time_{language}{name}.jsonl").read_text(encoding="utf-8") for name in FILES]
    return [json.loads(line) for text in texts for line in text.splitlines()]


def shown(asked: AskedTime | None, zone: ZoneInfo = SEOUL) -> dict[str, Any]:
    """In the form of the labels: times of that zone, without what is zero."""
    if asked is None:
        return {}
    since, until = (asked.during.since, asked.during.until) if asked.during else (None, None)
    times = {"as_of": asked.as_of, "since": since, "until": until}
    told: dict[str, Any] = {name: _local(time, zone) for name, time in times.items() if time}
    names = {"before": asked.before_event, "after": asked.after_event, "history": asked.history}
    return told | {name: value for name, value in names.items() if value}


def _local(time: datetime, zone: ZoneInfo) -> str:
    assert time.tzinfo is UTC
    return time.astimezone(zone).replace(tzinfo=None).isoformat().removesuffix(":00").removesuffix("T00:00")


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_enough_cases_and_enough_without_a_time(language: Language) -> None:
    labelled = cases(language)
    assert len({case["text"] for case in labelled}) == len(labelled) >= 120
    assert sum(len(case) == 1 for case in labelled) >= len(labelled) / 3


@pytest.mark.parametrize(
    ("language", "case"), [pytest.param(it, case, id=case["text"]) for it in LANGUAGES for case in cases(it)]
)
def test_asked_time(language: Language, case: dict[str, Any]) -> None:
    asked = asked_time(case["text"], NOW, language)
    assert shown(asked) == {name: value for name, value in case.items() if name not in {"text", "words"}}
    if "words" in case:
        assert asked and asked.words == case["words"]


def test_days_are_those_of_the_zone_of_the_present() -> None:
    zone = ZoneInfo("America/New_York")
    now = datetime(2026, 3, 9, 1, tzinfo=zone)  # the day after clocks were put forward
    assert shown(asked_time("What did I do yesterday?", now, "en"), zone) == {
        "since": "2026-03-08",
        "until": "2026-03-09",
    }
    asked = asked_time("어제 뭐 했지?", now, "ko")
    assert asked and asked.during and asked.during.since and asked.during.until
    assert (asked.during.until - asked.during.since).total_seconds() == 23 * 3600


def test_a_change_says_to_what_value_if_the_question_does() -> None:
    english = asked_time("Where did I live before I moved to New York?", NOW, "en")
    korean = asked_time("부산으로 이사하기 전에 어디 살았지?", NOW, "ko")
    assert english == AskedTime("before I moved to New York", before_event="home.city")
    assert korean == AskedTime("부산으로 이사하기 전에", before_event="home.city")


def test_typographic_quotation_marks_stay_as_they_were_typed() -> None:
    asked = asked_time("Where’d I live last year?", NOW, "en")
    assert asked and asked.words == "last year"


def test_it_is_plain_json() -> None:
    asked = asked_time("Where did I live last year?", NOW, "en")
    assert asked and json.loads(json.dumps(asked.to_json()))["during"] == {
        "since": "2024-12-31T15:00:00+00:00",
        "until": "2025-12-31T15:00:00+00:00",
    }


PIECES = sorted({word for language in LANGUAGES for case in cases(language) for word in case["text"].split()})
question_like = st.lists(st.sampled_from(PIECES), min_size=1, max_size=15).map(" ".join)
instants = st.datetimes(
    EARLIEST.replace(tzinfo=None), LATEST.replace(tzinfo=None), timezones=st.sampled_from((UTC, SEOUL))
)


@given(text=st.text(max_size=1000) | question_like, now=instants, language=st.sampled_from(LANGUAGES))
@example("thıs year laſt year where did I live ſince 2020?", NOW, "en")
@example("Where did I live next year?", LATEST.replace(year=8999), "en")
@example("Where did I live last year?", EARLIEST, "en")
@example("9999년에 어디 살았지? ９월에 뭐 했지?", NOW, "ko")
@settings(max_examples=600, deadline=None)
def test_any_text(text: str, now: datetime, language: Language) -> None:
    asked = asked_time(text, now, language)
    if asked is None:
        return
    assert asked.words and asked.words in text
    assert sum(map(bool, (asked.as_of, asked.during, asked.before_event, asked.after_event))) <= 1
    bounds = [time for time in (asked.during.since, asked.during.until) if time] if asked.during else []
    assert all(EARLIEST <= time < LATEST for time in [*bounds, *([asked.as_of] if asked.as_of else [])])
    assert not asked.during or (bounds and (len(bounds) == 1 or bounds[0] < bounds[1]))


@pytest.mark.parametrize(
    "unit", ["a", "last year ", "작년에 ", "in ", "from 2019 to ", "이사하기 ", "1", "? ", "the ", "산 "]
)
def test_only_the_beginning_is_read(unit: str) -> None:
    text = (unit * 1_000_000)[:1_000_000]
    for language in LANGUAGES:
        assert asked_time(text, NOW, language) == asked_time(text[:500], NOW, language)


def test_nothing_slow_is_imported() -> None:
    code = (
        "import sys; from datetime import datetime, UTC; from perdure.offline.asked_time import asked_time;"
        "asked_time('What did I do on 3 May 2024?', datetime.now(UTC), 'en'); sys.exit('dateparser' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0

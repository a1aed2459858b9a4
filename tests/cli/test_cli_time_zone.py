"""The command line in the user's time zone: the dates that it reads, and the days that it shows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perdure_process import Perdure

from perdure.cli.timeline_bars import Bar, Lane, timeline_bars
from perdure.time import EARLIEST, LATEST

SEOUL = ("--time-zone", "Asia/Seoul")


@pytest.fixture
def perdure(tmp_path: Path, local_database: str) -> Perdure:
    return Perdure(tmp_path, {"DATABASE_URL": local_database})


def test_dates_are_read_and_shown_where_the_user_is(perdure: Perdure) -> None:
    home = ("--attribute", "home.city", "--value", "부산", "--from", "2026-05-03")
    receipt = perdure("remember", "나는 부산에 살아.", *home, *SEOUL, "--json").json
    assert receipt["after"]["valid_from"] == "2026-05-02T15:00:00+00:00"
    for command in (("facts",), ("timeline",), ("recall", "부산")):
        assert "2026-05-03" in perdure(*command, *SEOUL).out
        assert "2026-05-02" in perdure(*command).out
    assert perdure("facts", "--as-of", "2026-05-03", *SEOUL, "--json").json != []
    assert perdure("facts", "--as-of", "2026-05-02", *SEOUL, "--json").json == []
    asked = perdure("ask", "나 어디 살아?", *SEOUL)
    assert "2026년 5월 3일부터" in asked.out and "(2026-05-03 →)" in asked.err
    ended = perdure("end", "home.city", "--at", "2026-06-01", *SEOUL, "--json").json
    assert ended["before"]["valid_from"] == "2026-05-02T15:00:00+00:00"
    assert "2026-06-01" in perdure("facts", "--history", *SEOUL).out
    told = perdure("ask", "어제 서울로 이사했어.", "--sent-at", "2026-07-02", *SEOUL, "--json").json
    assert told["written"][0]["after"]["valid_from"] == "2026-06-30T15:00:00+00:00"


def test_a_message_dated_with_an_offset_is_read_by_it(perdure: Perdure) -> None:
    told = perdure("ask", "오늘 서울로 이사했어.", "--sent-at", "2026-07-02T00:30+09:00", "--json").json
    assert told["written"][0]["after"]["valid_from"] == "2026-07-01T15:00:00+00:00"


@pytest.mark.parametrize("command", [("facts",), ("ask", "hi"), ("end", "home", "--at", "today"), ("timeline",)])
def test_an_unknown_zone_is_refused_before_a_database_is_opened(tmp_path: Path, command: tuple[str, ...]) -> None:
    refused = Perdure(tmp_path)(*command, "--time-zone", "Asia/Soul", "--json")
    assert (refused.code, refused.error["type"]) == (2, "InvalidTime")
    assert "Asia/Soul" in refused.error["message"]
    assert not (tmp_path / "home").exists()


def test_ticks_stand_at_local_midnights() -> None:
    now = datetime(2026, 6, 5, 3, tzinfo=ZoneInfo("Asia/Seoul"))
    begun = datetime(2026, 6, 1, tzinfo=now.tzinfo).astimezone(UTC)
    labels, marks, *_ = timeline_bars([Lane("a", (Bar("b", begun, None),))], now=now, width=80).plain.splitlines()
    assert labels.split()[:4] == ["06-01", "06-02", "06-03", "06-04"]
    assert marks.lstrip()[0] == "┬"


@given(
    st.datetimes(EARLIEST.replace(tzinfo=None), LATEST.replace(tzinfo=None) - timedelta(days=1)),
    st.sampled_from(["Pacific/Kiritimati", "Pacific/Honolulu", "America/Havana", "Europe/Dublin"]),
    st.booleans(),
)
def test_a_timeline_of_any_year_is_drawn_in_any_zone(start: datetime, zone: str, known: bool) -> None:
    begun = start.replace(tzinfo=UTC)
    bar = Bar("x", begun if known else None, begun + timedelta(hours=20))
    now = datetime(2026, 11, 29, tzinfo=ZoneInfo(zone))
    assert all(len(line) <= 80 for line in timeline_bars([Lane("a", (bar,))], now=now, width=80).plain.splitlines())

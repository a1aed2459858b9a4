"""Dates as people say them, against a message sent on Thursday, 15 October 2026."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from labelled import AT

from perdure.offline.dates import Dates, Moment, past_term_of, term_of
from perdure.offline.english_dates import english_dates
from perdure.offline.korean_dates import korean_dates
from perdure.time import UNKNOWN_START

ON, SINCE, UNTIL = "on", "since", "until"


def starts(dates: Dates) -> dict[str, str]:
    moments: dict[str, Moment | None] = {ON: dates.on, SINCE: dates.since, UNTIL: dates.until}
    return {part: moment.start.date().isoformat() for part, moment in moments.items() if moment}


@pytest.mark.parametrize(
    ("clause", "expected", "rest"),
    [
        ("I moved last month", {ON: "2026-09-01"}, "I moved"),
        ("two years ago I moved", {ON: "2024-01-01"}, "I moved"),
        ("I moved 3 weeks ago", {ON: "2026-09-21"}, "I moved"),
        ("I moved 10 days ago", {ON: "2026-10-05"}, "I moved"),
        ("In 2019 I moved", {ON: "2019-01-01"}, "I moved"),
        ("I work here since May", {SINCE: "2026-05-01"}, "I work here"),
        ("I work here since November", {SINCE: "2025-11-01"}, "I work here"),
        ("since 2020-03-15", {SINCE: "2020-03-15"}, ""),
        ("from 2018 to 2021 I lived there", {SINCE: "2018-01-01", UNTIL: "2021-01-01"}, "I lived there"),
        ("between May 2020 and June 2021", {SINCE: "2020-05-01", UNTIL: "2021-06-01"}, ""),
        ("I lived there until 2020", {UNTIL: "2020-01-01"}, "I lived there"),
        ("yesterday", {ON: "2026-10-14"}, ""),
        ("last week", {ON: "2026-10-05"}, ""),
        ("last Friday", {ON: "2026-10-09"}, ""),
        ("last Thursday", {ON: "2026-10-08"}, ""),
        ("last spring", {ON: "2026-03-01"}, ""),
        ("last winter", {ON: "2025-12-01"}, ""),
        ("in the summer of 2021", {ON: "2021-06-01"}, ""),
        ("last October", {ON: "2025-10-01"}, ""),
        ("this year", {ON: "2026-01-01"}, ""),
        ("next month", {ON: "2026-11-01"}, ""),
        ("in early 2020", {ON: "2020-01-01"}, ""),
        ("late 2020", {ON: "2020-12-01"}, ""),
        ("on March 5, 2021", {ON: "2021-03-05"}, ""),
        ("the 3rd of May", {ON: "2026-05-03"}, ""),
        ("December 24th", {ON: "2025-12-24"}, ""),
        ("I've lived here for about three years now", {SINCE: "2023-01-01"}, "I've lived here"),
        ("I lived there for three years", {}, "I lived there"),
        ("I moved a few years ago", {}, "I moved"),
        ("I may move", {}, "I may move"),
        ("on February 30th", {}, ""),
        ("999 years ago", {ON: "1027-01-01"}, ""),
    ],
)
def test_english(clause: str, expected: dict[str, str], rest: str) -> None:
    dates = english_dates(clause, AT)
    assert (starts(dates), dates.rest) == (expected, rest)


@pytest.mark.parametrize(
    ("clause", "expected", "rest"),
    [
        ("지난달에 이사했어", {ON: "2026-09-01"}, "이사했어"),
        ("작년에 이사했어", {ON: "2025-01-01"}, "이사했어"),
        ("재작년부터 살아", {SINCE: "2024-01-01"}, "살아"),
        ("3년 전에 이사했어", {ON: "2023-01-01"}, "이사했어"),
        ("두 달 전에 이사했어", {ON: "2026-08-01"}, "이사했어"),
        ("일주일 전에", {ON: "2026-10-05"}, ""),
        ("사흘 전에", {ON: "2026-10-12"}, ""),
        ("2019년에 이사했어", {ON: "2019-01-01"}, "이사했어"),
        ("2020년 3월 5일부터", {SINCE: "2020-03-05"}, ""),
        ("5월부터 일해", {SINCE: "2026-05-01"}, "일해"),
        ("11월부터 일했어", {SINCE: "2025-11-01"}, "일했어"),
        ("2018년부터 2021년까지 부산에 살았어", {SINCE: "2018-01-01", UNTIL: "2021-01-01"}, "부산에 살았어"),
        ("어제 샀어", {ON: "2026-10-14"}, "샀어"),
        ("그저께", {ON: "2026-10-13"}, ""),
        ("지난주에 샀어", {ON: "2026-10-05"}, "샀어"),
        ("지난 금요일에", {ON: "2026-10-09"}, ""),
        ("지난주 금요일에", {ON: "2026-10-09"}, ""),
        ("올해 초에", {ON: "2026-01-01"}, ""),
        ("작년 말까지", {UNTIL: "2025-12-01"}, ""),
        ("작년 봄에", {ON: "2025-03-01"}, ""),
        ("지난봄에", {ON: "2026-03-01"}, ""),
        ("올여름부터", {SINCE: "2026-06-01"}, ""),
        ("다음 달부터", {SINCE: "2026-11-01"}, ""),
        ("서울에서 산 지 3년 정도 됐어요", {SINCE: "2023-01-01"}, "서울에서 산"),
        ("5년째 살고 있어", {SINCE: "2021-01-01"}, "살고 있어"),
        ("3년 동안 살았어", {}, "살았어"),
        ("몇 년 전에 이사했어", {}, "이사했어"),
        ("생일은 11월 2일입니다", {}, "생일은 11월 2일입니다"),
        ("2월 30일에", {}, ""),
    ],
)
def test_korean(clause: str, expected: dict[str, str], rest: str) -> None:
    dates = korean_dates(clause, AT)
    assert (starts(dates), dates.rest) == (expected, rest)


def test_every_date_is_a_midnight_where_the_message_was_sent() -> None:
    seoul = timezone(timedelta(hours=9))
    sent = datetime(2026, 10, 15, 3, tzinfo=seoul)
    yesterday = english_dates("yesterday", sent).on
    assert yesterday and yesterday.start == datetime(2026, 10, 14, tzinfo=seoul)


def test_a_year_of_the_past_is_covered_whole() -> None:
    term = past_term_of(english_dates("in 2019", AT))
    assert term and (term.valid_from, term.valid_to) == (
        datetime(2019, 1, 1, tzinfo=UTC),
        datetime(2020, 1, 1, tzinfo=UTC),
    )


def test_a_term_of_which_only_the_end_is_told_began_nobody_knows_when() -> None:
    term = past_term_of(korean_dates("5월까지", AT))
    assert term and (term.valid_from, term.valid_to) == (UNKNOWN_START, datetime(2026, 5, 1, tzinfo=UTC))


def test_an_end_before_the_start_is_not_believed() -> None:
    assert term_of(english_dates("from 2021 to 2018", AT)).valid_to is None
    assert past_term_of(english_dates("from 2021 to 2018", AT)) is None


def test_a_past_without_dates_has_no_term() -> None:
    assert past_term_of(english_dates("I lived there", AT)) is None

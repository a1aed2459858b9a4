"""What a person sees of a search: which time it was about, why each memory stands where it does, and what was said."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from clock import START
from perdure_process import Perdure
from rich.cells import cell_len
from rich.console import Console, RenderableType

from perdure import Context, Memory
from perdure.asked import Found, TimeUsed
from perdure.asked_time import Span
from perdure.cli.conversations import LINES, exchanges_shown
from perdure.cli.recall import typed_span
from perdure.cli.render import asked_lines
from perdure.cli.why import why_shown
from perdure.errors import InvalidTime

SEOUL_TIME = ZoneInfo("Asia/Seoul")
MOVED = datetime(2026, 3, 31, 15, tzinfo=UTC)
"""The first of April, in Seoul."""


@pytest.fixture
def perdure(tmp_path: Path, local_database: str) -> Perdure:
    return Perdure(tmp_path, {"DATABASE_URL": local_database})


def printed(renderables: Iterable[RenderableType], width: int = 100) -> list[str]:
    file = StringIO()
    console = Console(file=file, width=width, markup=False, highlight=False)
    for renderable in renderables:
        console.print(renderable)
    return [line.rstrip() for line in file.getvalue().splitlines()]


async def settle(memory: Memory) -> None:
    await memory.remember(
        "I live in Busan.", attribute="home.city", value="Busan", valid_from=datetime(2020, 1, 1, tzinfo=UTC)
    )
    await memory.remember("I moved to Seoul.", attribute="home.city", value="Seoul", valid_from=MOVED)


def test_a_time_that_the_question_names_is_used_and_told(perdure: Perdure) -> None:
    for city, since in (("부산", "5 years ago"), ("서울", "today")):
        perdure("remember", f"나는 {city}에 살아.", "--attribute", "home.city", "--value", city, "--from", since)
    then = perdure("recall", "작년에 어디 살았지?", "--why", "-k", "1")
    assert re.search(r"^asked about: 작년에 \((\d{4})-01-01 → \1-12-31\)$", then.err, re.MULTILINE)
    assert "나는 부산에 살아." in then.out and "no longer true" in then.out and "서울" not in then.out
    assert re.search(r"^ *vector +1 ", then.out, re.MULTILINE)

    found = perdure("recall", "작년에 어디 살았지?", "--json", "--why").json
    assert found["time"]["words"] == "작년에" and [hit["value"] for hit in found["hits"]] == ["부산"]
    assert {leg["name"] for leg in found["hits"][0]["why"]["legs"]} >= {"vector", "lexical", "asked"}
    period, all_of = ("--from", "6 years ago", "--until", "1 year ago"), ("--attribute", "사는 곳", "--least", "0")
    before = perdure("recall", "anything", *period, *all_of, "--preset", "recent", "--json").json
    assert before["time"] is None and [hit["value"] for hit in before["hits"]] == ["부산"]
    refused = perdure("recall", "나 어디 살아?", "--preset", "newest", "--json").error
    assert refused["type"] == "InvalidInput" and "preset: 'newest' is no preset of ranking" in refused["message"]


async def test_why_tells_validity_provenance_and_legs_that_come_to_the_score(memory: Memory) -> None:
    await settle(memory)
    await memory.ask("I am learning the violin.", thread="music")
    found = await memory.recall("Where did I live last year, and the violin?", during=Span(None, None), explain=True)
    lines = printed(why_shown(found, SEOUL_TIME))
    text = "\n".join(lines)
    assert "home.city: Busan, 2020-01-01 → 2026-04-01, no longer true" in text
    assert f"id {found[0].id}; " in text and "told by hand" in text and "thread music, message" in text
    assert f"relevance {found[0].relevance:.3f}; preset balanced: threshold 0." in text
    for hit, table in zip(found, re.split(r"^ *leg .*$", text, flags=re.MULTILINE)[1:], strict=True):
        shares = [float(share) for share in re.findall(r"^   [a-z]+ .* (-?\d+\.\d{3})$", table, re.MULTILINE)]
        assert sum(shares[:-1]) == pytest.approx(shares[-1], abs=0.005)
        assert shares[-1] == pytest.approx(hit.score, abs=0.0006)


def test_a_period_is_told_by_its_first_and_last_day_in_the_users_time_zone() -> None:
    def told(since: datetime | None, until: datetime | None) -> list[str]:
        return asked_lines(TimeUsed("then\x1b", since, until).to_json(), SEOUL_TIME)

    assert told(MOVED, MOVED + timedelta(days=30)) == ["asked about: then\ufffd (2026-04-01 → 2026-04-30)"]
    assert told(MOVED, MOVED + timedelta(microseconds=1)) == ["asked about: then\ufffd (2026-04-01)"]
    assert told(MOVED, None) == ["asked about: then\ufffd (2026-04-01 →)"]
    assert told(None, MOVED) == ["asked about: then\ufffd (→ 2026-03-31)"]
    assert asked_lines(None) == []


def test_a_typed_period_begins_and_ends_in_the_users_time_zone() -> None:
    there = Context(time_zone="Asia/Seoul")
    assert typed_span("2026-04", None, there) == Span(MOVED, None)
    last_year = typed_span("last year", "last year", there)
    assert last_year and last_year.since and last_year.until
    assert timedelta(days=364) < last_year.until - last_year.since < timedelta(days=367)
    assert typed_span(None, None, there) is None
    with pytest.raises(InvalidTime):
        typed_span(None, "some day", there)


async def test_what_was_said_is_found_across_threads_by_words_and_time(memory: Memory) -> None:
    await memory.ask("I am learning the violin.", thread="music", sent_at=START - timedelta(days=60))
    await memory.ask("나는 부산에 살아.", thread="home", sent_at=START)
    latest = printed(exchanges_shown(await memory.conversations(), SEOUL_TIME, 100))
    assert latest[0].startswith("2026-11-30 18:00 KST") and latest[0].endswith("thread home")
    assert latest[1] == "  user      나는 부산에 살아." and latest[2].startswith("  assistant 알겠습니다.")
    assert [hit.thread for hit in await memory.conversations("violin")] == ["music"]
    assert await memory.conversations("violin", thread="home") == []
    nothing = await memory.conversations(during=Span(START + timedelta(days=1), None))
    assert printed(exchanges_shown(nothing, UTC, 100)) == ["no exchanges"]


@pytest.mark.parametrize("width", [40, 80])
async def test_long_and_hostile_words_stay_within_some_lines_of_the_terminal(memory: Memory, width: int) -> None:
    await memory.ask("긴 이야기 " * 400 + "\x1b[2J", thread="t")
    found = await memory.conversations()
    found = Found([*found, *found])
    lines = printed(exchanges_shown(found, UTC, width), width)
    assert max(map(cell_len, lines)) <= width and len(lines) <= 2 * (1 + 2 * (LINES + 1))
    assert "\x1b" not in "".join(lines) and "…" in "".join(lines)


def test_the_command_finds_what_was_said(perdure: Perdure) -> None:
    perdure("ask", "I am learning the violin.", "--thread", "music")
    assert "violin" in perdure("conversations", "the violin", "--thread", "music", "--from", "yesterday").out
    assert perdure("conversations", "--until", "yesterday", "--json").json == {"time": None, "hits": []}

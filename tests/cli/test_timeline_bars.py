from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from perdure.cli.timeline_bars import Bar, Lane, timeline_bars

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


def at(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


HOME = Lane("home.city", (Bar("부산", at(2018, 3), at(2026, 10)), Bar("서울", at(2026, 10), None)))
WORK = Lane("work.employer", (Bar("Acme", at(2020), at(2021, 6)), Bar("Globex", at(2022), at(2024))))


def drawn(*lanes: Lane, width: int = 100) -> list[str]:
    return timeline_bars(lanes, now=NOW, width=width).plain.splitlines()


def row(lines: list[str], label: str) -> str:
    return next(line for line in lines if line.strip().startswith(label))


def cells(line: str, mark: str) -> tuple[int, int]:
    """The columns of the first and of the last `mark` on a line."""
    return cell_len(line[: line.index(mark)]), cell_len(line[: line.rindex(mark)])


def test_one_row_for_each_interval_under_the_name_of_its_attribute() -> None:
    lines = drawn(HOME, WORK)
    assert [line.split()[0] for line in lines[2:]] == ["home.city", "부산", "서울", "work.employer", "Acme", "Globex"]


def test_all_bars_share_one_axis_whatever_the_width_of_their_labels() -> None:
    lines = drawn(HOME, WORK)
    busan, seoul, acme = (row(lines, label) for label in ("부산", "서울", "Acme"))
    assert cells(busan, "┤")[0] == cells(seoul, "━")[0]
    assert cells(busan, "━")[0] < cells(acme, "━")[0] < cells(acme, "━")[1] < cells(busan, "━")[1]


def test_what_still_holds_ends_in_an_arrow_and_what_is_over_is_dim() -> None:
    text = timeline_bars([HOME], now=NOW, width=80)
    assert row(text.plain.splitlines(), "서울").endswith("►")
    assert row(text.plain.splitlines(), "부산").endswith("┤")
    styles = {text.plain[span.start : span.end].strip()[:2]: str(span.style) for span in text.spans}
    assert styles["부산"] == "dim"
    assert styles["서울"] == "green"


def test_years_are_marked_where_they_begin() -> None:
    lines = drawn(Lane("x", (Bar("a", at(2024), at(2025)), Bar("b", at(2025), None))), width=60)
    labels, marks = lines[0], lines[1]
    column = cells(row(lines, "b"), "━")[0]
    assert labels[column:].startswith("2025")
    assert marks[column] == "┬"


@pytest.mark.parametrize(
    ("age", "label"),
    [
        (timedelta(hours=1), "11-29"),
        (timedelta(days=20), "11-11"),
        (timedelta(days=300), "2026-07"),
        (timedelta(days=4000), "2020"),
        (timedelta(days=300_000), "1500"),
    ],
)
def test_the_ticks_suit_the_span(age: timedelta, label: str) -> None:
    assert label in drawn(Lane("x", (Bar("a", NOW - age, None),)), width=80)[0]


def test_on_a_narrow_terminal_the_label_stands_above_its_bar() -> None:
    lines = drawn(HOME, width=30)
    below = lines[lines.index("  서울") + 1]
    assert below.strip().startswith("━")


def test_a_fact_of_the_future_is_drawn_too() -> None:
    line = row(drawn(HOME, Lane("goal", (Bar("마라톤", at(2027, 4), None),))), "마라톤")
    assert line.endswith("►")


def test_a_start_that_nobody_knows_is_open_and_before_all_that_are_known() -> None:
    lines = drawn(Lane("home.city", (Bar("부산", None, at(2026, 10)), Bar("서울", at(2026, 10), None))))
    busan, seoul = row(lines, "부산"), row(lines, "서울")
    assert busan.split()[1].startswith("◄")
    assert cells(busan, "◄")[0] < cells(busan, "┤")[0] == cells(seoul, "━")[0]


def test_nothing_to_draw_is_said() -> None:
    assert timeline_bars([], now=NOW, width=80).plain == "nothing to draw"


instants = st.datetimes(datetime(1000, 1, 1), datetime(8999, 1, 1)).map(lambda moment: moment.replace(tzinfo=UTC))  # noqa: DTZ001
labels = st.text(st.characters(exclude_categories=("Cc", "Cs", "Mn", "Me", "Cf", "Zl", "Zp")), max_size=50)


@st.composite
def bars(draw: st.DrawFn) -> Bar:
    start, end = sorted([draw(instants), draw(instants)])
    known = draw(st.booleans())
    return Bar(draw(labels), start if known else None, draw(st.sampled_from([end, None])) if start < end else None)


@given(st.lists(bars(), min_size=1, max_size=5), st.integers(12, 200))
def test_no_line_is_wider_than_the_terminal(some: list[Bar], width: int) -> None:
    for line in timeline_bars([Lane("무엇이든", tuple(some))], now=NOW, width=width).split("\n"):
        assert cell_len(line.plain) <= width

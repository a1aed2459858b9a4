"""A timeline drawn with characters: a row per interval, its bar on an axis that all rows share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from perdure.time import day_start, zone_at

NARROW = 48
"""Below this many columns a label stands on a line of its own, above its bar."""
_MONTH_STEPS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000)
_DAY_STEPS = (1, 2, 7, 14)
_FIRST = datetime(2, 1, 1, tzinfo=UTC)
"""As far back as an axis reaches: in no time zone before the first year."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A value's term. `start` of None: nobody knows since when; `end` of None: it still holds, or will."""

    label: str
    start: datetime | None
    end: datetime | None


@dataclass(frozen=True, slots=True)
class Lane:
    """The bars of one attribute."""

    title: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class _Axis:
    start: datetime
    end: datetime
    columns: int
    zone: tzinfo

    def column(self, instant: datetime) -> int:
        share = (instant - self.start) / (self.end - self.start)
        return min(self.columns - 1, max(0, round(share * (self.columns - 1))))


def timeline_bars(lanes: Sequence[Lane], *, now: datetime, width: int) -> Text:
    """Draw the lanes into `width` columns. Wide characters count as two columns; bars that are over are dim.

    ``now`` is in the user's time zone: the ticks of the axis stand at midnights of there.
    """
    bars = [bar for lane in lanes for bar in lane.bars]
    if not bars:
        return Text("nothing to draw")
    narrow = width < NARROW
    margin = 0 if narrow else min(max(cell_len(bar.label) for bar in bars) + 4, 2 * width // 5)
    axis = _axis(bars, now, max(8, width - margin - 1))
    lines = [Text(" " * margin) + line for line in _scale(axis)]
    for lane in lanes:
        lines.append(Text(_fit(lane.title, width), style="bold"))
        for bar in lane.bars:
            style = "dim" if bar.end is not None and bar.end <= now else "green"
            drawn = Text(_bar(bar, axis), style=style)
            label = Text(_fit(f"  {bar.label}", (width if narrow else margin) - 1), style=style)
            lines += [label, drawn] if narrow else [Text(set_cell_size(label.plain, margin), style=style) + drawn]
    return Text("\n").join(lines)


def _axis(bars: Sequence[Bar], now: datetime, columns: int) -> _Axis:
    moments = [now.astimezone(UTC), *(bar.start for bar in bars if bar.start), *(bar.end for bar in bars if bar.end)]
    start, end = min(moments), max(moments)
    if any(bar.start is None for bar in bars):  # room for what held before the first moment that is known
        room = max((end - start) / 4, timedelta(days=30))
        start = max(start, _FIRST + room) - room
    if end - start < timedelta(days=1):  # everything was said just now: an axis needs some length
        start = end - timedelta(days=1)
    return _Axis(start, end, columns, zone_at(now))


def _bar(bar: Bar, axis: _Axis) -> str:
    first = axis.column(bar.start) if bar.start else 0
    length = axis.columns - first if bar.end is None else max(1, axis.column(bar.end) - first)
    line = "━" * length if bar.start else "◄" + "━" * (length - 1)
    return " " * first + line + ("►" if bar.end is None else "┤")


def _scale(axis: _Axis) -> list[Text]:
    """The line of labels and the line of marks, with as many ticks as have room."""
    labels, marks = "", "─" * axis.columns
    for instant, label in _ticks(axis):
        column = axis.column(instant)
        if column < len(labels) or column + len(label) > axis.columns + 1:
            continue
        labels = labels.ljust(column) + label + " "
        marks = marks[:column] + "┬" + marks[column + 1 :]
    return [Text(labels.rstrip(), style="dim"), Text(marks, style="dim")]


def _ticks(axis: _Axis) -> list[tuple[datetime, str]]:
    """Instants at round dates: of the steps whose labels have room, the finest; at least the axis' own start."""
    start, end = axis.start.astimezone(axis.zone), axis.end.astimezone(axis.zone)
    days = (axis.end - axis.start).days + 1
    for step in _DAY_STEPS if days <= 70 else ():
        if days / step * len("11-03 ") <= axis.columns:
            dates = [start.date() + timedelta(days=n) for n in range(0, days + 1, step)]
            return [
                (moment, f"{day:%m-%d}")
                for day in dates
                if axis.start <= (moment := day_start(day, axis.zone)) <= axis.end
            ]
    for step in _MONTH_STEPS:
        room = len("2025-11 ") if step < 12 else len("2025 ")
        if days / 30.4 / step * room <= axis.columns and (ticks := list(_months(axis, start, end, step))):
            return ticks
    return [(axis.start, start.date().isoformat())]


def _months(axis: _Axis, start: datetime, end: datetime, step: int) -> Iterator[tuple[datetime, str]]:
    first, last = start.year * 12 + start.month - 1, end.year * 12 + end.month - 1
    for month in range(-(-first // step) * step, last + 1, step):
        day = date(month // 12, month % 12 + 1, 1)
        if axis.start <= (instant := day_start(day, axis.zone)) <= axis.end:
            yield instant, f"{day:%Y-%m}" if step < 12 else f"{day:%Y}"


def _fit(text: str, columns: int) -> str:
    if cell_len(text) <= columns:
        return text
    return set_cell_size(text, max(0, columns - 1)).rstrip() + "…"

"""What people see of facts, hits, receipts and threads. Instants are shown as days of the user's time zone."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from perdure.facts import CORE_EDITS, Fact, Statement
from perdure.period import ARROWS, period
from perdure.recall import Hit
from perdure.time import UNKNOWN_START
from perdure.timeline import standing

if TYPE_CHECKING:  # rich.table is slow to import, and `--help` does without it
    from rich.table import Table

    from perdure.answer import ThreadSummary

Json = Mapping[str, Any]

_WHOLE = {"id", "recorded", "since", "until", "updated", "set", "action", "version", "fill", "score", "strength"}
_WHOLE |= {"calls", "input", "cached", "output", "USD", "ms", "slowest", "texts", "known"}
"""Columns of ids, dates, numbers and single words."""

RECALLED = 3
"""So many memories are shown beside a reply."""

PASSED_OVER = 3
"""So many things that were not kept are told, with the reason of each."""

EXCERPT = 80
"""Characters of a memory that a remark repeats: an exchange may be long."""


def without_controls(text: str) -> str:
    """The text without the control characters by which it could write to the terminal; line ends stay."""
    return "".join(c if c == "\n" or unicodedata.category(c) != "Cc" else "\N{REPLACEMENT CHARACTER}" for c in text)


def shown(text: str) -> str:
    """Text on one line, safe for the terminal."""
    return without_controls(" ".join(text.split()))


def day(instant: datetime | str, zone: tzinfo = UTC) -> str:
    """The day, or a question mark for a start that nobody knows."""
    if isinstance(instant, str):
        instant = datetime.fromisoformat(instant)
    if instant == UNKNOWN_START:
        return "?"
    return instant.astimezone(zone).date().isoformat()


def minute(instant: datetime, zone: tzinfo) -> str:
    """The minute, and in which zone that is: who reads it may be in another one."""
    return f"{instant.astimezone(zone):%Y-%m-%d %H:%M %Z}"


def term(valid_from: datetime | str, valid_to: datetime | str | None, zone: tzinfo = UTC) -> str:
    return f"{day(valid_from, zone)} → {day(valid_to, zone) if valid_to else ''}".rstrip()


def held(source: str, valid_from: datetime | str, valid_to: datetime | str | None, zone: tzinfo = UTC) -> str:
    """The term of a fact, or the day on which something happened."""
    return term(valid_from, valid_to, zone) if source == "fact" else day(valid_from, zone)


def short(identity: UUID | str) -> str:
    """Enough of an id to name a fact on the command line."""
    return str(identity)[:8]


def facts_table(facts: Sequence[Fact], now: datetime, zone: tzinfo) -> Table | str:
    if not facts:
        return "no facts"
    table = table_of("id", "attribute", "value", "since", "until", "content")
    for fact in facts:
        table.add_row(
            short(fact.id),
            shown(fact.attribute),
            shown(fact.value) if fact.attribute else "",
            day(fact.valid_from, zone),
            day(fact.valid_to, zone) if fact.valid_to else "",
            shown(fact.content),
            style="" if fact.holds_at(now) else "dim",
        )
    return table


def statements_table(statements: Sequence[Statement], zone: tzinfo) -> Table | str:
    if not statements:
        return "no statements"
    counting = {statement.id for statement in standing(statements)}
    table = table_of("id", "recorded", "action", "attribute", "value", "since", "by", "words")
    for statement in statements:
        table.add_row(
            short(statement.id),
            day(statement.recorded_at, zone),
            statement.action.value,
            shown(statement.attribute),
            shown(statement.said or statement.value) if statement.attribute else "",
            day(statement.valid_from, zone),
            shown(statement.author),
            shown(statement.evidence or statement.content) or _taken_back(statement),
            style="" if statement.id in counting else "dim",
        )
    return table


def _taken_back(statement: Statement) -> str:
    return f"takes back {', '.join(map(short, statement.targets))}" if statement.targets else ""


def hits_table(hits: Sequence[Hit], zone: tzinfo) -> Table | str:
    if not hits:
        return "nothing relevant is remembered"
    table = table_of("score", "id", "what", "term", "content")
    for hit in hits:
        table.add_row(
            f"{hit.score:.2f}",
            short(hit.id),
            shown(hit.attribute or hit.kind),
            held(hit.source, hit.valid_from, hit.valid_to, zone),
            shown(hit.content) + (" (no longer true)" if hit.past else ""),
            style="dim" if hit.past else "",
        )
    return table


def threads_table(threads: Sequence[ThreadSummary], zone: tzinfo) -> Table | str:
    if not threads:
        return "no threads"
    table = table_of("thread", "updated", "checkpoints", "state")
    for thread in threads:
        state = "waits for a decision" if thread.interrupted else "unfinished" if thread.next else "done"
        table.add_row(shown(thread.thread), minute(thread.updated_at, zone), str(thread.checkpoints), state)
    return table


def asked_lines(time: Json | None, zone: tzinfo = UTC) -> list[str]:
    """The time that a question speaks of (`TimeUsed.to_json`), as it was understood; nothing if it speaks of none."""
    if not time:
        return []
    since, until = (time[end] and datetime.fromisoformat(time[end]) for end in ("since", "until"))
    return [f"asked about: {shown(time['words'])} ({period(since, until, partial(day, zone=zone), ARROWS)})"]


def recalled_lines(recalled: Sequence[Json], zone: tzinfo = UTC) -> list[str]:
    """The first of what was recalled, and how much more it was."""
    lines = [
        f"recalled: {_excerpt(hit['content'])} ({held(hit['source'], hit['valid_from'], hit['valid_to'], zone)})"
        for hit in recalled[:RECALLED]
    ]
    return [*lines, f"recalled: {len(recalled) - RECALLED} more"] if len(recalled) > RECALLED else lines


def receipt_line(receipt: Json, zone: tzinfo = UTC) -> str:
    """What became of one operation, such as `assert home.city: Busan → Seoul, since 2026-10-01`."""
    before, after = receipt["before"], receipt["after"]
    named = after or before or {"attribute": receipt.get("attribute", "")}
    if receipt["outcome"] != "applied":
        outcome = "not kept" if receipt["outcome"] == "dropped" else receipt["outcome"]
        return f"{outcome}: {receipt['action']} {named['attribute']}".rstrip() + f" ({shown(receipt['why'])})"
    if receipt["action"] in CORE_EDITS:
        wrote = f": “{_excerpt(text)}”" if (text := receipt.get("text")) else ""
        return f"{receipt['action']} {shown(receipt['why'])}{wrote}"
    values = " → ".join(shown(fact["value"] or fact["content"]) for fact in (before, after) if fact)
    since = f", since {day(after['valid_from'], zone)}" if after else ""
    expires = (
        f", expires {minute(datetime.fromisoformat(expiry), zone)}"
        if after and (expiry := after.get("expires_at"))
        else ""
    )
    identity = f" [{short(named['id'])}]" if "id" in named else ""
    return f"{receipt['action']} {shown(named['attribute']) or 'note'}: {values or 'nothing'}{since}{expires}{identity}"


def written_lines(written: Iterable[Json], zone: tzinfo = UTC) -> list[str]:
    """What became of each operation; only what was applied is said to be written."""
    lines = ((receipt["outcome"], receipt_line(receipt, zone)) for receipt in written)
    return [f"wrote: {line}" if outcome == "applied" else line for outcome, line in lines]


def passed_over_lines(gate: Json, decisions: Sequence[Json]) -> list[str]:
    """What was said and holds nothing to remember, and why; nothing where all of it was taken up."""
    passed = [decision for decision in decisions if not decision["should_save"]]
    if gate and not gate["remember"] and not passed:
        return [f"nothing new to remember: {gate['why']}"]
    lines = [f"not kept: {_excerpt(one['what'])} ({shown(one['reason'])})" for one in passed[:PASSED_OVER]]
    return [*lines, f"not kept: {len(passed) - PASSED_OVER} more"] if len(passed) > PASSED_OVER else lines


def _excerpt(text: str) -> str:
    line = shown(text)
    return line if len(line) <= EXCERPT else f"{line[: EXCERPT - 1]}…"


def table_of(*headings: str) -> Table:
    """A table whose text is folded to the width of the terminal, but for ids, dates and numbers: in two parts they are none."""
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold", no_wrap=heading in _WHOLE)
    return table

"""What a turn leaves besides its reply: what it recalled, what it wrote, and what it asks a person."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from perdure.cli.output import Output
from perdure.cli.render import recalled_lines, shown, written_lines
from perdure.pending import Json, expiry_of, requests_of

if TYPE_CHECKING:
    from perdure.answer import Answer


def report_turn(answer: Answer, thread: str, output: Output, zone: tzinfo) -> None:
    """Remark on the memories of the turn, and on the decisions that it waits for."""
    for line in (
        *recalled_lines(answer.recalled, zone),
        *written_lines(answer.written, zone),
        *questions(answer.interrupts, thread, zone),
    ):
        output.remark(line)


def questions(interrupts: Sequence[Json], thread: str, zone: tzinfo) -> list[str]:
    """The changes that wait, numbered, until when, and how to decide; nothing if none does."""
    requests = requests_of(interrupts)
    if not requests:
        return []
    how = f"Decide with `perdure resume {shlex.quote(thread)}` and --approve all, or for each --approve N, --reject N"
    waiting = f"These changes of memory wait for a decision{until(expiry_of(interrupts), zone)}:"
    return [waiting, *numbered(requests), f"{how} or --edit N.value=TEXT"]


def numbered(requests: Sequence[Json]) -> list[str]:
    """The changes that a thread waits with, and why each needs a person."""
    return [f"  {number}. {shown(request['description'])}" for number, request in enumerate(requests, 1)]


def until(expiry: datetime | None, zone: tzinfo) -> str:
    return f" until {expiry.astimezone(zone):%Y-%m-%d %H:%M}" if expiry else ""

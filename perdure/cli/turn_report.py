"""What a turn leaves besides its reply: which time it was about, what it recalled, what it wrote and what not, and what it asks a person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from perdure.cli.next_command import next_command
from perdure.cli.output import Output
from perdure.cli.render import asked_lines, minute, passed_over_lines, recalled_lines, shown, written_lines
from perdure.graph.context import Context
from perdure.pending import Json, expiry_of, requests_of

if TYPE_CHECKING:
    from perdure.answer import Answer


def report_turn(answer: Answer, thread: str, output: Output, context: Context) -> None:
    """Remark on the memories of the turn, and on the decisions that it waits for."""
    for line in (
        *asked_lines(answer.time, context.zone),
        *recalled_lines(answer.recalled, context.zone),
        *unwritten_lines(answer, context),
        *written_lines(answer.written, context.zone),
        *questions(answer.interrupts, thread, context),
    ):
        output.remark(line)


def unwritten_lines(answer: Answer, context: Context) -> list[str]:
    """What of the turn is not kept and why, or what is to be done to have it extracted."""
    if answer.unextracted:
        later = next_command("backfill", context)
        return [f"not extracted yet: {shown(answer.unextracted)}; what was said is kept, and `{later}` takes it up"]
    return passed_over_lines(answer.gate, answer.decisions)


def questions(interrupts: Sequence[Json], thread: str, context: Context) -> list[str]:
    """The changes that wait, numbered, until when, and how to decide; nothing if none does."""
    requests = requests_of(interrupts)
    if not requests:
        return []
    resume = next_command("resume", context, thread)
    how = f"Decide with `{resume}` and --approve all, or for each --approve N, --reject N"
    waiting = f"These changes of memory wait for a decision{until(expiry_of(interrupts), context.zone)}:"
    return [waiting, *numbered(requests), f"{how} or --edit N.value=TEXT"]


def numbered(requests: Sequence[Json]) -> list[str]:
    """The changes that a thread waits with, and why each needs a person."""
    return [f"  {number}. {shown(request['description'])}" for number, request in enumerate(requests, 1)]


def until(expiry: datetime | None, zone: tzinfo) -> str:
    return f" until {minute(expiry, zone)}" if expiry else ""

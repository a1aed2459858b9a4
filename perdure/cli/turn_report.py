"""What a turn leaves besides its reply: what it recalled, what it wrote, and what it asks a person."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from perdure.cli.output import Output
from perdure.cli.render import recalled_lines, shown, written_lines

if TYPE_CHECKING:
    from perdure.answer import Answer

Json = dict[str, Any]


def report_turn(answer: Answer, thread: str, output: Output) -> None:
    """Remark on the memories of the turn, and on the decisions that it waits for."""
    lines = (*recalled_lines(answer.recalled), *written_lines(answer.written), *questions(answer.interrupts, thread))
    for line in lines:
        output.remark(line)


def requests_of(interrupts: Iterable[Mapping[str, Any]]) -> list[Json]:
    """The changes of memory that wait for a decision, in order."""
    return [request for interrupt in interrupts for request in interrupt["action_requests"]]


def questions(interrupts: Iterable[Mapping[str, Any]], thread: str) -> list[str]:
    """The changes that wait, numbered, and how to decide; nothing if none does."""
    requests = [shown(request["description"]) for request in requests_of(interrupts)]
    if not requests:
        return []
    numbered = [f"  {number}. {description}" for number, description in enumerate(requests, 1)]
    how = f"Decide with `perdure resume {shlex.quote(thread)}` and --approve all, or for each --approve N, --reject N"
    return ["These changes of memory wait for a decision:", *numbered, f"{how} or --edit N.value=TEXT"]

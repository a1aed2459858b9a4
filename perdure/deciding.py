"""Many threads decided in one pass: one that fails does not cost the others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from perdure.answer import Answer
from perdure.errors import InvalidScope, PerdureError
from perdure.pending import Json, Pending, check_fitted, expiry_of, requests_of, waits
from perdure.plain import Record
from perdure.stores.pending import ThreadHead
from perdure.threads import parse_thread_key

AT_ONCE = 8
"""Threads that are decided side by side."""

Resume = Callable[[str, list[dict[str, Any]]], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Decided(Record):
    """What became of a thread's decisions: the finished turn, or why it still waits."""

    thread: str
    answer: Answer | None
    error: Exception | None

    def to_json(self) -> dict[str, Any]:
        error = self.error and {"type": type(self.error).__name__, "message": self.why}
        return {"thread": self.thread, "answer": self.answer and self.answer.to_json(), "error": error}

    @property
    def why(self) -> str:
        """What went wrong, if anything did, without what an error that is not Perdure's may tell of a memory."""
        if isinstance(self.error, PerdureError):
            return str(self.error)
        return f"unexpected {type(self.error).__name__}" if self.error else ""


def pending_of(heads: Iterable[ThreadHead], now: datetime) -> list[Pending]:
    """The threads that wait for a decision about memory, the latest first."""
    return [
        Pending(name, requests, head.updated_at, expiry_of(head.questions))
        for head, name in named(heads)
        if waits(head.questions, now) and (requests := requests_of(head.questions))
    ]


def named(heads: Iterable[ThreadHead]) -> list[tuple[ThreadHead, str]]:
    """The threads with the names that the user gave them, without those that only look like the user's."""
    found: list[tuple[ThreadHead, str]] = []
    for head in heads:
        try:
            found.append((head, parse_thread_key(head.thread)[1]))
        except InvalidScope:
            continue
    return found


async def decide_all(decisions: Mapping[str, Sequence[Json]], resume: Resume) -> list[Decided]:
    """Resume each thread with its decisions, some side by side; in the order given, each with its answer or error."""
    places = asyncio.Semaphore(AT_ONCE)

    async def decide(thread: str, chosen: Sequence[Json]) -> Decided:
        async with places:
            try:
                answer = await resume(thread, [dict(decision) for decision in chosen])
                check_fitted(answer.interrupts)
                return Decided(thread, answer, None)
            except Exception as error:  # noqa: BLE001  # whatever it is, it is this thread's alone
                return Decided(thread, None, error)

    return await asyncio.gather(*(decide(thread, chosen) for thread, chosen in decisions.items()))

"""Those who search and write while the model is changed under them, and what they met."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from bench.reembed_corpus import Asked
from bench.synthetic import K
from perdure.memory import Memory
from perdure.plain import Record
from perdure.stores.pool import connect
from perdure.stores.reembedding import model_in_force

THINKING = 0.1
"""Seconds between two calls of a client: without any, they take all of a small machine."""
AROUND = 1.0
"""Seconds before and after the switch that count as at it."""
Phase = Literal["before", "during", "at the switch", "after"]
PHASES: tuple[Phase, ...] = ("before", "during", "at the switch", "after")


@dataclass(frozen=True, slots=True)
class Call:
    began: float
    ended: float
    recall: float | None
    """None of a write, after which what was written was found."""


@dataclass(frozen=True, slots=True)
class Row(Record):
    """Of one phase. Times in milliseconds."""

    phase: Phase
    seconds: float
    searches: int
    recall: float
    worst: float
    """The least recall of a single search."""
    p50: float
    p99: float
    slowest: float
    writes: int
    write_p50: float
    slowest_write: float
    errors: int


@dataclass(slots=True)
class Clients:
    """So many at once, by turns in each of the memories, as processes of their own have them; every fourth one writes."""

    memories: Sequence[Memory]
    questions: Sequence[Asked]
    number: int
    calls: list[Call] = field(default_factory=list)
    failed: list[tuple[float, str]] = field(default_factory=list)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        questions = itertools.cycle(self.questions)
        async with asyncio.TaskGroup() as tasks:
            for number in range(self.number):
                memory = self.memories[number % len(self.memories)]
                writes = number % 4 == 3
                tasks.create_task(self._write(memory, number) if writes else self._search(memory, questions))

    async def _search(self, memory: Memory, questions: Iterator[Asked]) -> None:
        while not self.over.is_set():
            asked, began = next(questions), time.monotonic()
            try:
                found = await memory.recall(asked.text, user=asked.user, k=K, threshold=0, preset="vector")
                right = asked.recall([hit.content for hit in found])
                self.calls.append(Call(began, time.monotonic(), right))
            except Exception as error:  # noqa: BLE001  # whatever it is, it is what must not happen
                self.failed.append((began, f"{type(error).__name__}: {error}"))
            await asyncio.sleep(THINKING)

    async def _write(self, memory: Memory, client: int) -> None:
        user = f"writer{client}"
        for number in itertools.count():
            if self.over.is_set():
                return
            content, began = f"word{client} word{number} word{number * number}", time.monotonic()
            try:
                await memory.remember(content, user=user)
                self.calls.append(Call(began, time.monotonic(), None))
                found = await memory.recall(content, user=user, k=1, threshold=0, preset="vector")
                if [hit.content for hit in found] != [content]:
                    self.failed.append((began, "what was just written is not found"))
            except Exception as error:  # noqa: BLE001
                self.failed.append((began, f"{type(error).__name__}: {error}"))
            await asyncio.sleep(THINKING)

    def table(self, begun: float, switched: float) -> list[Row]:
        """What they met, phase by phase, given when the change began and when it came about."""
        bounds = (0.0, begun, switched - AROUND, switched + AROUND, time.monotonic())
        return [self._row(phase, *bounds[place : place + 2]) for place, phase in enumerate(PHASES)]

    def _row(self, phase: Phase, since: float, until: float) -> Row:
        calls = [call for call in self.calls if since <= call.began < until]
        searches = [call for call in calls if call.recall is not None]
        writes = [1000 * (call.ended - call.began) for call in calls if call.recall is None] or [0.0]
        took = [1000 * (call.ended - call.began) for call in searches]
        recalls = [call.recall for call in searches if call.recall is not None]
        first = max(since, min(call.began for call in self.calls))
        return Row(
            phase,
            seconds=round(until - first, 1),
            searches=len(searches),
            recall=round(float(np.mean(recalls)), 4),
            worst=min(recalls),
            p50=round(float(np.percentile(took, 50)), 1),
            p99=round(float(np.percentile(took, 99)), 1),
            slowest=round(max(took), 1),
            writes=len(calls) - len(searches),
            write_p50=round(float(np.percentile(writes, 50)), 1),
            slowest_write=round(max(writes), 1),
            errors=sum(since <= began < until for began, _ in self.failed),
        )


async def moment_of(dsn: str, model: str) -> float:
    """When the database was first seen to be of this model."""
    async with await connect(dsn) as connection:
        while (await model_in_force(connection)).model != model:  # noqa: ASYNC110  # another process changes it
            await asyncio.sleep(0.01)
    return time.monotonic()

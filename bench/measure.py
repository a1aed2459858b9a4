"""Times of a repeated call, and the load of the machine that they were measured under."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from perdure.plain import Record


@dataclass(frozen=True, slots=True)
class Times(Record):
    """Milliseconds per call."""

    name: str
    calls: int
    p50: float
    p95: float


async def measured(name: str, calls: int, call: Callable[[int], Awaitable[object]], tick: Callable[[], None]) -> Times:
    """Time `call(0)`, `call(1)`, …, one after the other; `tick` is told of each. Two calls before are not counted."""
    for number in range(2):
        await call(number)
    taken = []
    for number in range(calls):
        start = time.perf_counter()
        await call(number)
        taken.append((time.perf_counter() - start) * 1000)
        tick()
    cuts = statistics.quantiles(taken, n=20)
    return Times(name, calls, round(statistics.median(taken), 2), round(cuts[18], 2))


def load() -> str:
    """What else the machine does: its cores and the one-minute load."""
    return f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"

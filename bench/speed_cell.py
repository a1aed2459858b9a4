"""One measured cell: a contestant under so many callers at once, its latencies, its rate, and whose CPU it takes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from os import sysconf
from pathlib import Path
from typing import Any

import numpy as np
import psycopg

from bench.synthetic import Question
from perdure.errors import PerdureError
from perdure.plain import Record

Search = Callable[[Question], Awaitable[Sequence[Any]]]


@dataclass(frozen=True, slots=True)
class Cell(Record):
    """Times in milliseconds. CPU is per call: of this process, callers included, and of all the server's processes."""

    contestant: str
    users: int
    memories: int
    """Of each user."""
    concurrency: int
    calls: int
    failures: int
    """Calls that raised, as when no connection becomes free; they are in the times."""
    p50: float
    p95: float
    p99: float
    per_second: float
    client_cpu: float
    server_cpu: float
    found: float
    """Memories per search."""
    recall: float | None
    """Part of the ten that an exact search finds; None if the contestant's ranking has no exact counterpart here."""


class Server:
    """The processes of a PostgreSQL server on this machine, from a process id of one of its backends. Linux only."""

    def __init__(self, backend: int) -> None:
        self._postmaster = _process(backend).parent

    def cpu(self) -> float:
        """Seconds that all its processes have ever used, in ticks of 10 ms per process.

        Those that have exited, such as parallel workers, are in the time of the children that the postmaster waited for.
        """
        postmaster = _process(self._postmaster)
        living = sum(process.own for process in _processes() if process.parent == self._postmaster)
        return postmaster.own + postmaster.waited_for + living


@dataclass(slots=True)
class Measurement:
    """What the visits to one cell have measured."""

    milliseconds: list[float] = field(default_factory=list)
    failures: int = 0
    seconds: float = 0.0
    client: float = 0.0
    server: float = 0.0

    async def visit(
        self, search: Search, questions: Iterator[Question], server: Server, concurrency: int, seconds: float
    ) -> None:
        """Ask what comes next for so many seconds with so many callers, and add what it took."""
        start, client, on_server = time.perf_counter(), time.process_time(), server.cpu()

        async def ask() -> None:
            while (before := time.perf_counter()) - start < seconds:
                try:
                    await search(next(questions))
                except (PerdureError, psycopg.Error):  # asked for more than it has connections, as a rule
                    self.failures += 1
                self.milliseconds.append((time.perf_counter() - before) * 1000)

        await asyncio.gather(*(ask() for _ in range(concurrency)))
        self.client += time.process_time() - client
        self.server += server.cpu() - on_server
        self.seconds += time.perf_counter() - start

    def cell(
        self, contestant: str, users: int, memories: int, concurrency: int, found: float, recall: float | None
    ) -> Cell:
        calls = len(self.milliseconds)
        p50, p95, p99 = (round(float(cut), 2) for cut in np.percentile(self.milliseconds, (50, 95, 99)))
        client, server = (round(1000 * seconds / calls, 2) for seconds in (self.client, self.server))
        rate = round(calls / self.seconds, 1)
        return Cell(
            contestant,
            users,
            memories,
            concurrency,
            calls,
            self.failures,
            *(p50, p95, p99),
            per_second=rate,
            client_cpu=client,
            server_cpu=server,
            found=found,
            recall=recall,
        )


@dataclass(frozen=True, slots=True)
class _Process:
    """CPU in seconds: its own, and of the children that have exited and that it has waited for."""

    parent: int
    own: float
    waited_for: float


def _process(number: int | str) -> _Process:
    """As `/proc/<pid>/stat` says (proc_pid_stat(5)), whose second field, a name in brackets, may hold anything."""
    values = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    user, system, children_user, children_system = (int(value) / sysconf("SC_CLK_TCK") for value in values[11:15])
    return _Process(int(values[1]), user + system, children_user + children_system)


def _processes() -> Iterator[_Process]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                yield _process(folder.name)
            except (FileNotFoundError, ProcessLookupError):  # it has exited meanwhile
                continue

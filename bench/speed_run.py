"""Measuring: a database per size, everybody's tables filled from one corpus, then the cells in a random order."""

from __future__ import annotations

import gc
import itertools
import random
import statistics
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from psycopg import sql
from psycopg.conninfo import make_conninfo

from bench.measure import load
from bench.speed_cell import Cell, Measurement, Server
from bench.speed_contestants import CONTESTANTS, Contestant
from bench.speed_fill import fill, stage
from bench.synthetic import DIMENSION, Corpus, draw
from perdure.plain import Record
from perdure.stores.migrations import migrate
from perdure.stores.pool import connect

QUESTIONS = 500
"""Of each size, asked in turn."""
VISITS = 3
"""To each cell, so that what else the machine does meanwhile meets all of them."""
WARM_UP = 0.3
"""Part of a visit's time for which, before it, the same is asked and nothing measured."""
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Size(Record):
    users: int
    memories: int
    """Of each user."""
    concurrency: tuple[int, ...]
    """Callers at once, each number a cell."""

    def __str__(self) -> str:
        return f"{self.users} users × {self.memories} memories"


@dataclass(frozen=True, slots=True)
class Plan:
    sizes: Sequence[Size]
    contestants: Sequence[str]
    """Keys of `CONTESTANTS`."""
    seconds: float
    """Of each cell."""
    seed: int


@dataclass(frozen=True, slots=True)
class Findings(Record):
    """Of one size, with the load of the machine after it was measured."""

    size: Size
    machine: str
    cells: tuple[Cell, ...]


async def compare(dsn: str, plan: Plan, tell: Tell) -> list[Findings]:
    """Measure on the server of `dsn`, which must be on this machine and have nothing else to do."""
    findings = []
    for number, size in enumerate(plan.sizes):
        name = f"speed{number}"
        async with await connect(dsn) as administrator:
            server = Server(administrator.info.backend_pid)
            await administrator.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
            try:
                cells = await _measure(make_conninfo(dsn, dbname=name), server, size, plan, tell)
            finally:
                await administrator.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))
        findings.append(Findings(size, load(), tuple(cells)))
    return findings


async def _measure(dsn: str, server: Server, size: Size, plan: Plan, tell: Tell) -> list[Cell]:
    tell(f"{size}: writing memories")
    corpus = draw(size.users, size.memories, QUESTIONS, plan.seed)
    await migrate(dsn, "synthetic", DIMENSION)
    await stage(dsn, corpus)
    await fill(dsn, "facts")
    async with AsyncExitStack() as stack:
        present: list[Contestant] = []
        for name in plan.contestants:
            tell(f"{size}: writing memories for {name}")
            present += await stack.enter_async_context(CONTESTANTS[name](dsn, corpus))
        cells = {(one.name, callers): Measurement() for one in present for callers in size.concurrency}
        visits = [(one, callers) for one in present for callers in size.concurrency] * VISITS
        random.Random(plan.seed).shuffle(visits)
        seconds, questions = plan.seconds / VISITS, itertools.cycle(corpus.questions)
        gc.freeze()  # or the collector would walk over the corpus in the middle of somebody's calls
        for number, (one, callers) in enumerate(visits, start=1):
            tell(f"{size}: {one.name}, {callers} at once (visit {number} of {len(visits)})")
            await Measurement().visit(one.search, questions, server, callers, WARM_UP * seconds)
            await cells[one.name, callers].visit(one.search, questions, server, callers, seconds)
        gc.unfreeze()
        tell(f"{size}: judging recall")
        judged = {one.name: await _judge(one, corpus) for one in present}
    return [
        measured.cell(name, size.users, size.memories, callers, *judged[name])
        for (name, callers), measured in cells.items()
    ]


async def _judge(contestant: Contestant, corpus: Corpus) -> tuple[float, float | None]:
    """How many memories a search finds, and which part of the right ones are among them."""
    found, right = [], []
    for question in corpus.judged:
        ids = {contestant.id(one) for one in await contestant.search(question)}
        found.append(len(ids))
        if contestant.exact:
            exact = contestant.exact(question)
            right.append(len(ids.intersection(exact)) / len(exact))
    return round(statistics.mean(found), 2), round(statistics.mean(right), 3) if right else None

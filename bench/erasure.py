"""`python -m bench.erasure`: one user of many is erased, another by a process that is killed twice; is nothing left, and
is nobody else touched?

Every user has threads and memories (`bench.copied_users`). Checksums of what is not the user's are taken
before and after, without the code that erases (`bench.untouched`).
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import psycopg
import typer
from rich.progress import Progress
from rich.table import Table

from bench.copied_users import copy_user
from bench.measure import load
from bench.untouched import untouched
from bench.writes_run import temporary_home
from perdure import Memory, open_memory
from perdure.attributes import Cardinality
from perdure.cli.output import console
from perdure.embedded import EmbeddedPostgres
from perdure.facts import Operation, Source
from perdure.graph.context import Context
from perdure.plain import Record
from perdure.scope import Scope
from perdure.settings import LOCAL_EMBEDDER, Settings
from perdure.stores.sql import statements
from perdure.threads import thread_key

THREADS = 2
PATIENCE = 60.0
KILLED_AT = ("the second thread", "the memories")


@dataclass(frozen=True, slots=True)
class Measured(Record):
    """Seconds of each step, what the proof searched, and whether every row of the others is as it was."""

    user: str
    runs: int
    deleted: int
    erase_seconds: float | None
    statistics_seconds: float | None
    scan_seconds: float | None
    rows_searched: int
    texts: int
    hits: int
    complete: bool
    others_identical: bool


def main(
    users: Annotated[int, typer.Option(min=4, help="How many users there are.")] = 1_000,
    memories: Annotated[int, typer.Option(min=THREADS, help="How many memories each has.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    with temporary_home() as home, EmbeddedPostgres(home, ephemeral=True) as server:
        asyncio.run(_fill(server.dsn, users, memories))
        found = [asyncio.run(_erased(server.dsn, _name(users // 3))), _killed(server.dsn, _name(users // 2))]
        server.destroy()
    if as_json:
        sys.stdout.write(json.dumps([one.to_json() for one in found]) + "\n")
    else:
        console().print(_table(users, memories, found))
    if not all(one.complete and one.others_identical and not one.hits for one in found):
        raise typer.Exit(1)


async def _fill(dsn: str, users: int, memories: int) -> None:
    """One user by the application, and all the others as that one."""
    first = _name(0)
    async with open_memory(_settings(dsn)) as memory:
        context = Context(user=first)
        for thread in range(THREADS):
            await memory.ask(f"I am {first}. I live in Gyeongju.", thread=f"talk {thread}", context=context)
        told = [_told(first, item) for item in range(memories)]
        await memory.layer.save(context.scope, told, Source(at=memory.layer.clock.now(), thread="talk 0"))
    with Progress(console=console(stderr=True), transient=True) as progress:
        task = progress.add_task("filling", total=users - 1)
        names = [_name(number) for number in range(1, users)]
        await copy_user(dsn, first, names, lambda: progress.advance(task))


def _told(user: str, item: int) -> Operation:
    text = f"Volume {item} of the series is on the desk of {user}."
    return Operation(attribute="book.read", value=f"{user}, {item}", content=text, cardinality=Cardinality.MANY)


async def _erased(dsn: str, user: str) -> Measured:
    """In this process, each step timed."""
    before, began = untouched(dsn, Scope(user=user)), dict[str, float]()

    def begins(doing: str) -> None:
        began.setdefault(doing.split()[0], time.perf_counter())

    async with open_memory(_settings(dsn)) as memory:
        await memory.recall("stamps", user=user)  # so that no connection has to be made, and no model loaded
        start = time.perf_counter()
        receipt = await memory.erase(user=user, tell=begins)
        end = time.perf_counter()
        await _check_unknown(memory, user)
    return Measured(
        user=user,
        runs=receipt.runs,
        deleted=sum(receipt.counts.values()),
        erase_seconds=round(began["sampling"] - start, 3),
        statistics_seconds=round(began["searching"] - began["sampling"], 3),
        scan_seconds=round(end - began["searching"], 3),
        rows_searched=receipt.proof.rows,
        texts=receipt.proof.texts,
        hits=receipt.proof.hits,
        complete=receipt.complete,
        others_identical=untouched(dsn, Scope(user=user)) == before,
    )


async def _check_unknown(memory: Memory, user: str) -> None:
    """What is erased is not there for whoever asks."""
    assert not await memory.threads(user=user) and not await memory.facts.facts(Scope(user=user), history=True)


def _killed(dsn: str, user: str) -> Measured:
    """By processes that are killed, the one at a thread and the other at the memories, and one that is not."""
    before = untouched(dsn, Scope(user=user))
    thread = thread_key(Scope(user=user), f"talk {THREADS - 1}")
    _kill(dsn, user, statements("checkpoints")["try_lock_thread"], {"thread": thread}, _thread_is_gone(dsn, user))
    _kill(dsn, user, statements("facts")["lock_user"], {"tenant": "default", "user": user}, _somebody_waits(dsn))
    ended = subprocess.run(_command(user), env=_environment(dsn), capture_output=True, text=True, check=False)
    receipt = json.loads(ended.stdout)
    return Measured(
        user=user,
        runs=receipt["runs"],
        deleted=sum(receipt["counts"].values()),
        erase_seconds=None,
        statistics_seconds=None,
        scan_seconds=None,
        rows_searched=receipt["proof"]["rows"],
        texts=receipt["proof"]["texts"],
        hits=receipt["proof"]["hits"],
        complete=receipt["complete"],
        others_identical=untouched(dsn, Scope(user=user)) == before,
    )


def _kill(dsn: str, user: str, lock: Any, of: dict[str, str], reached: Callable[[], bool]) -> None:
    """Kill a process that erases the user, once it has reached the step at which the lock holds it up."""
    with psycopg.connect(dsn) as holder:
        holder.execute(lock, of)
        process = subprocess.Popen(
            _command(user), env=_environment(dsn), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        until = time.monotonic() + PATIENCE
        while not reached():
            assert process.poll() is None and time.monotonic() < until, process.communicate()
            time.sleep(0.02)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL


def _thread_is_gone(dsn: str, user: str) -> Callable[[], bool]:
    first = thread_key(Scope(user=user), "talk 0")
    return lambda: _one(dsn, "select not exists (select from checkpoints where thread_id = %s)", first)


def _somebody_waits(dsn: str) -> Callable[[], bool]:
    return lambda: _one(dsn, "select exists (select from pg_locks where locktype = 'advisory' and not granted)")


def _one(dsn: str, question: Any, *told: str) -> bool:
    with psycopg.connect(dsn, autocommit=True) as connection:
        return connection.execute(question, told).fetchone() == (True,)


def _command(user: str) -> list[str]:
    return [sys.executable, "-m", "perdure", "erase", "--all", "--yes", "--json", "--user", user]


def _environment(dsn: str) -> dict[str, str]:
    told = {name: value for name, value in os.environ.items() if not name.startswith(("PERDURE_", "OPENAI_"))}
    return {**told, "DATABASE_URL": dsn}


def _settings(dsn: str) -> Settings:
    return Settings(
        database_url=dsn,  # type: ignore[arg-type]  # pydantic makes a secret of it
        memory_url=None,
        checkpoint_url=None,
        openai_api_key=None,
        openai_base_url=None,
        embedding_model=LOCAL_EMBEDDER,
        embedding_dimensions=None,
    )


def _name(number: int) -> str:
    return f"user-{number:05}"


def _table(users: int, memories: int, found: list[Measured]) -> Table:
    title = f"{users:,} users, {memories} memories and {THREADS} threads each; one erased, one killed at {' and at '.join(KILLED_AT)}"
    table = Table("", *(one.user for one in found), title=f"{title} ({load()})")
    for field in list(found[0].to_json())[1:]:
        table.add_row(field.replace("_", " "), *(_cell(getattr(one, field)) for one in found))
    return table


def _cell(value: Any) -> str:
    return (
        "—" if value is None else f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    )


if __name__ == "__main__":
    typer.run(main)

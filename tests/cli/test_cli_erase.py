"""`perdure erase` as a person runs it: counts, proof, and what happens when it is killed half-way."""

from __future__ import annotations

import asyncio
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from perdure_process import Perdure
from typer.testing import CliRunner

from bench.untouched import untouched
from perdure import Settings, open_memory
from perdure.cli.commands import app
from perdure.errors import InvalidInput, NotFound
from perdure.graph.context import Context
from perdure.stores.sql import statements

ADA, BEN = Context(user="ada"), Context(user="ben")
PATIENCE = 60.0


def test_killed_half_way_it_is_finished_by_another_run(local_database: str, tmp_path: Path) -> None:
    said = {thread: f"I live in Gyeongju. This is {thread}." for thread in ("t1", "t2", "t3")}
    asyncio.run(_fill(local_database, said, ADA, BEN))
    before = untouched(local_database, ADA.scope)
    perdure = Perdure(tmp_path, {"DATABASE_URL": local_database})
    command = ("erase", "--all", "--user", "ada", "--yes", "--json")
    with psycopg.connect(local_database) as holder:
        # Whoever writes for the user waits: the threads are gone by then, and the memories are not.
        holder.execute(statements("facts")["lock_user"], {"tenant": "default", "user": "ada"})
        with perdure.started(*command) as process:
            _wait(lambda: _is_waiting(holder), process.poll)
            process.kill()
        assert process.returncode == -signal.SIGKILL
        assert holder.execute("select count(*) from checkpoints where thread_id like 'default/ada/%'").fetchone() == (
            0,
        )
        assert holder.execute("select count(*) > 0 from perdure.episodes where user_id = 'ada'").fetchone() == (True,)
    receipt = perdure(*command).json
    assert (receipt["what"], receipt["complete"], receipt["runs"]) == ("user", True, 2)
    assert receipt["counts"]["threads"] == receipt["counts"]["episodes"] == 3
    assert receipt["counts"]["checkpoints"] > 0 and receipt["proof"]["hits"] == 0 and receipt["proof"]["texts"] > 0
    assert untouched(local_database, ADA.scope) == before


def test_it_tells_counts_and_proof_and_searches_alone(local_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(_fill(local_database, {"t1": "I live in Gyeongju.", "t2": "I live in Mokpo now."}))
    monkeypatch.setenv("DATABASE_URL", local_database)
    code, out = _run("--verify")
    assert code == 1 and "statements.user_id holds user in 2 rows" in out
    code, out = _run("--thread", "t2", "--yes")
    assert code == 0 and re.search(r"threads +1\n", out) and ": 0 hits" in out
    code, out = _run("--all", "--yes")
    assert code == 0 and re.search(r"statements +1\n", out) and "for the user and" in out and ": 0 hits" in out
    assert _run("--verify")[0] == 0
    assert _run("--thread", "t2", "--yes")[0] == NotFound.exit_code
    assert _run("--thread", "t2", "--all", "--yes")[0] == InvalidInput.exit_code


async def _fill(dsn: str, said: dict[str, str], *contexts: Context) -> None:
    settings = Settings(database_url=dsn)  # type: ignore[arg-type]  # pydantic makes a secret of it
    async with open_memory(settings) as memory:
        for context in contexts or (ADA,):
            for thread, text in said.items():
                await memory.ask(text, thread=thread, context=context)


def _run(*arguments: str) -> tuple[int, str]:
    ended = CliRunner().invoke(app, ["erase", "--user", "ada", *arguments])
    return ended.exit_code, ended.stdout


def _is_waiting(connection: psycopg.Connection[tuple[object, ...]]) -> bool:
    waiting = "select exists (select from pg_locks where locktype = 'advisory' and not granted)"
    return connection.execute(waiting).fetchone() == (True,)


def _wait(condition: Callable[[], bool], ended: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE
    while not condition():
        assert ended() is None and time.monotonic() < until
        time.sleep(0.02)

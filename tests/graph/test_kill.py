"""A process that is killed in mid-turn: `perdure resume` finishes it, with one reply, and no fact lost or doubled."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from scripted_openai import Hang, Say, ScriptedOpenAI

from perdure.stores.checkpoints import open_saver
from perdure.stores.sql import statements

SAID = "I moved to Seoul and I have a cat."
OPERATIONS = json.dumps(
    {
        "operations": [
            {"action": "assert", "attribute": "home.city", "value": "Seoul", "content": SAID, "evidence": SAID},
            {"action": "assert", "attribute": "pet", "value": "cat", "content": SAID, "evidence": SAID},
        ]
    }
)
PATIENCE = 60.0


@pytest.fixture
def environment(local_database: str, openai_server: ScriptedOpenAI) -> dict[str, str]:
    environment = {**os.environ, "DATABASE_URL": local_database, "OPENAI_BASE_URL": openai_server.url}
    asyncio.run(_make_tables(local_database))
    return environment


@pytest.mark.parametrize("during", ["reply", "extract"])
def test_killed_while_a_model_is_asked(during: Any, environment: dict[str, str], openai_server: ScriptedOpenAI) -> None:
    openai_server.script("extract", *([Hang()] if during == "extract" else []), Say(OPERATIONS))
    openai_server.script("reply", *([Hang()] if during == "reply" else []), "Noted.")
    _kill_when(environment, lambda: bool(openai_server.asked(during)))
    _check_resumed(environment)


def test_killed_in_the_midst_of_the_write(environment: dict[str, str], openai_server: ScriptedOpenAI) -> None:
    openai_server.script("extract", OPERATIONS)
    openai_server.script("reply", "Noted.")
    with _writing_blocked(environment["DATABASE_URL"]) as is_waiting:
        _kill_when(environment, is_waiting)
    _check_resumed(environment)
    assert len(openai_server.asked("reply")) == len(openai_server.asked("extract")) == 1


def test_killed_again_and_again(environment: dict[str, str], openai_server: ScriptedOpenAI) -> None:
    openai_server.script("extract", Hang(), Say(OPERATIONS))
    openai_server.script("reply", Hang(), "Noted.")
    _kill_when(environment, lambda: len(openai_server.asked("reply")) == 1)
    _kill_when(environment, lambda: len(openai_server.asked("extract")) == 1, command=("resume", "t1"))
    with _writing_blocked(environment["DATABASE_URL"]) as is_waiting:
        _kill_when(environment, is_waiting, command=("resume", "t1"))
    _check_resumed(environment)


def test_a_new_message_finishes_what_was_killed_first(
    environment: dict[str, str], openai_server: ScriptedOpenAI
) -> None:
    openai_server.script("extract", Hang(), Say(OPERATIONS))
    _kill_when(environment, lambda: bool(openai_server.asked("extract")))
    answer = _perdure(environment, "ask", "Hello?", "--thread", "t1")
    assert answer["text"] == "as scripted"
    assert _current(environment) == [("Seoul", 1), ("cat", 1)]


async def _make_tables(dsn: str) -> None:
    """Those of the checkpointer: making them waits for open transactions, and these tests have some."""
    async with open_saver(dsn):
        pass


def _check_resumed(environment: dict[str, str]) -> None:
    answer = _perdure(environment, "resume", "t1")
    assert answer["text"] == "Noted." and len(answer["written"]) == 2
    assert _current(environment) == [("Seoul", 1), ("cat", 1)]
    with psycopg.connect(environment["DATABASE_URL"]) as connection:
        assert connection.execute("select count(*) from perdure.statements").fetchone() == (2,)
        assert connection.execute("select count(*) from perdure.episodes").fetchone() == (1,)


def _current(environment: dict[str, str]) -> list[tuple[str, int]]:
    """The values that are believed to hold, and how often each was said."""
    believed = "select value, corroboration from perdure.facts where known_to is null and valid_to is null order by 1"
    with psycopg.connect(environment["DATABASE_URL"]) as connection:
        return list(connection.execute(believed))


def _kill_when(
    environment: dict[str, str],
    condition: Callable[[], bool],
    command: tuple[str, ...] = ("ask", SAID, "--thread", "t1"),
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "perdure", *command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    until = time.monotonic() + PATIENCE
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL


@contextmanager
def _writing_blocked(dsn: str) -> Iterator[Callable[[], bool]]:
    """Whoever writes for the user waits until the end of the block; calling what it gives tells whether somebody does."""
    waiting = "select exists (select from pg_locks where locktype = 'advisory' and not granted)"
    with psycopg.connect(dsn) as holder:
        holder.execute(statements("facts")["lock_user"], {"tenant": "default", "user": "default"})
        yield lambda: holder.execute(waiting).fetchone() == (True,)


def _perdure(environment: dict[str, str], *arguments: str) -> Any:
    ran = subprocess.run(
        [sys.executable, "-m", "perdure", *arguments, "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)

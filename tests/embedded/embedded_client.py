"""Processes for the tests of the embedded server: clients that start and stop it, and a look at what runs.

Run as a file, it is such a client: it starts the server of the folder that it is given, prints what it has got as one
line of JSON, and leaves when its standard input ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

from perdure.embedded import EmbeddedPostgres, reaper
from perdure.embedded.place import digest

ROOT = Path(__file__).parents[2]


class Client:
    """A process that uses the server of `home`. `run_as` are arguments of subprocess that choose an account."""

    def __init__(self, home: Path, python: str = sys.executable, **run_as: Any) -> None:
        paths = [str(ROOT), str(Path(psycopg.__file__).parents[1])]
        self._process = subprocess.Popen(
            [python, __file__, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(paths)},
            **run_as,
        )

    def answer(self) -> dict[str, Any]:
        """What the client has got, once it has it: `postmaster`, `uid` and `dsn`, or `error`."""
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def leave(self) -> None:
        self._process.communicate(timeout=60)

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate(timeout=60)


def postmaster_of(server: EmbeddedPostgres) -> int | None:
    return reaper.postmaster(server.data_directory, cluster_of(server))


def processes_of(server: EmbeddedPostgres) -> list[int]:
    return reaper.processes(cluster_of(server))


def cluster_of(server: EmbeddedPostgres) -> str:
    return f"perdure-{digest(server.data_directory.parent)}"


def eventually(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait for something that must happen; how long it takes decides nothing."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def _main(home: Path) -> None:
    from perdure.errors import PerdureError

    try:
        with EmbeddedPostgres(home, ephemeral=True) as server:
            answer = {"postmaster": postmaster_of(server), "uid": os.geteuid(), "dsn": server.dsn}
            print(json.dumps(answer), flush=True)  # noqa: T201
            sys.stdin.read()
    except PerdureError as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)  # noqa: T201


if __name__ == "__main__":
    _main(Path(sys.argv[1]))

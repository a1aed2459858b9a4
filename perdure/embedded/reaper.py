"""The processes of a server: finding them, and ending them when no client is left.

Run as a file, this is the reaper: a small process that outlives its clients, waits until the last of them is gone
(also after `kill -9`) and then stops the server. It runs without site-packages, so only the standard library is used.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PATIENCE = 15
"""Seconds that a server may take to stop in an orderly way. PostgreSQL 18 can hang for ever when it is asked to while it
recovers from the crash of a backend; stopping it at once costs a recovery at the next start, but no data."""


def processes(cluster: str) -> list[int]:
    """The ids of the living processes of the server whose `cluster_name` this is, as far as this process sees them."""
    marks = f"cluster_name={cluster} ", f"postgres: {cluster}:"
    return [process for process, command in _commands() if any(mark in f"{command} " for mark in marks)]


def postmaster(data: Path, cluster: str) -> int | None:
    """The process that heads the server on `data`; None when it is dead, or its id is somebody else's by now."""
    try:
        recorded = int((data / "postmaster.pid").read_bytes().split()[0])
    except (OSError, ValueError, IndexError):
        return None
    return recorded if recorded in processes(cluster) else None


def send(process: int, number: signal.Signals) -> None:
    """Signal a process that may be gone already."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)


def _commands() -> list[tuple[int, str]]:
    """Every process with its command line. (A zombie has none.)"""
    proc = Path("/proc")
    if (proc / "self").exists():
        found: list[tuple[int, str]] = []
        for entry in proc.iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    command = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
                    found.append((int(entry.name), command.decode(errors="replace")))
        return found
    listing = ["ps", "-axww", "-o", "pid=,command="]
    listed = subprocess.run(listing, check=False, capture_output=True, text=True, errors="replace").stdout
    rows = (line.split(maxsplit=1) for line in listed.splitlines())
    return [(int(row[0]), row[1]) for row in rows if len(row) == 2]


def _reap(data: Path, cluster: str, clients: int, running: int, alone: int, uid: int, gid: int) -> None:
    """Wait for the last client, then stop the server. `clients`, `running` and `alone` are open lock files."""
    import fcntl  # exists on Unix only, and this module must import anywhere

    if os.fork():
        os._exit(0)  # whoever started the reaper need not wait for it, now or at its end
    if os.geteuid() != uid:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    fcntl.flock(clients, fcntl.LOCK_EX)
    patient_until = time.monotonic() + PATIENCE
    while _is_held(running) and time.monotonic() < patient_until + PATIENCE:
        # Asked again and again: the last client may have died while the server was still coming up.
        head = postmaster(data, cluster)
        if head is not None:
            send(head, signal.SIGINT if time.monotonic() < patient_until else signal.SIGQUIT)
        time.sleep(0.05)
    os.close(alone)  # before `clients`: a client that is let in must not take this reaper for one that watches


def _is_held(lock: int) -> bool:
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


if __name__ == "__main__":
    _reap(Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:]))

"""Locks between processes, released by the kernel when their holder is gone, however it went.

clients.lock   shared: every process that uses the server; exclusive: whoever stops it
starting.lock  exclusive: while a server is made, started or recovered
running.lock   exclusive: the server itself and its backends inherit it, so that it is free only when all have died,
               also those that this process cannot see (a container shares the folder but not the process ids)
reaper.lock    exclusive: the reaper, of which there is one
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from perdure.embedded.account import Account

PAUSE = 0.02


class Lock:
    """An open lock file (flock); each object excludes the others, also within one process."""

    def __init__(self, path: Path, account: Account) -> None:
        self.path = path
        self.fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        if account.is_other:
            os.fchown(self.fd, account.uid, account.gid)  # the account's own user may be the next client

    def try_exclusive(self) -> bool:
        return self._try(shared=False)

    def exclusive(self, seconds: float) -> bool:
        """Wait for the lock at most so long; whether it was granted. A shared lock held before is lost meanwhile."""
        return self._wait(seconds, shared=False)

    def shared(self, seconds: float) -> bool:
        return self._wait(seconds, shared=True)

    def close(self) -> None:
        """Let go, unless a child has inherited the lock: then it is the child's."""
        os.close(self.fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _wait(self, seconds: float, *, shared: bool) -> bool:
        deadline = time.monotonic() + seconds
        while not self._try(shared=shared):
            if time.monotonic() > deadline:
                return False
            time.sleep(PAUSE)
        return True

    def _try(self, *, shared: bool) -> bool:
        import fcntl  # exists on Unix only, and this module must import anywhere

        try:
            fcntl.flock(self.fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

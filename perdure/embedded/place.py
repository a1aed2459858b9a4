"""Where a cluster lives.

It lives in `home/postgres`. When root starts it and the unprivileged account cannot get there (root's own home is
closed to everybody else), it lives in a folder of its own below SHELTER instead: no folder's mode is ever changed.
A cluster that exists is always preferred to making a new one, so that memories never seem to vanish.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from perdure.embedded.account import Account, account_for
from perdure.embedded.failures import REMEDY
from perdure.errors import EmbeddedPostgresError
from perdure.logs import logger_named

logger = logger_named(__name__)

SHELTER = Path("/var/lib/perdure")

LONGEST_SOCKET_FOLDER = 80
"""Bytes: a socket's whole path may have 104 (macOS) or 108 (Linux)."""


@dataclass(frozen=True, slots=True)
class Place:
    folder: Path
    """Holds everything of one cluster: data, log, locks and, if its name is short and plain, the socket."""
    account: Account

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def cluster_name(self) -> str:
        """What the server's processes are called: `ps` shows it to every account."""
        return f"perdure-{digest(self.folder)}"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    @property
    def socket_folder(self) -> Path:
        inside = self.folder / "run"
        # Both ends split a list of folders at commas, and other odd characters need quoting: avoid them all.
        if len(os.fsencode(inside)) <= LONGEST_SOCKET_FOLDER and re.fullmatch(r"[\w./-]+", str(inside), re.ASCII):
            return inside
        return Path("/tmp") / f"perdure-socket-{digest(self.folder)}"  # not TMPDIR: every client must find it

    def prepare(self) -> None:
        """Make the folders that are missing. Raises EmbeddedPostgresError or OSError."""
        for parent in reversed([parent for parent in self.folder.parents if not parent.exists()]):
            parent.mkdir(exist_ok=True)
            if self.account.is_other:
                parent.chmod(0o755)  # whatever the umask: the account must pass
        self.account.claim(self.folder)
        self.account.claim(self.socket_folder)


def locate(home: Path) -> Place:
    """The place of the cluster that belongs to `home`. Raises EmbeddedPostgresError when it could not be used."""
    inside = (home.expanduser() / "postgres").resolve()
    if os.geteuid() != 0:
        return Place(inside, account_for(None))
    sheltered = SHELTER / digest(inside)
    existing = next((folder for folder in (inside, sheltered) if (folder / "data" / "PG_VERSION").exists()), None)
    account = account_for(existing and existing / "data")
    if existing == sheltered:
        return Place(sheltered, account)
    above = next(parent for parent in inside.parents if parent.exists())
    if not above.is_dir():
        raise EmbeddedPostgresError(f"{above} is not a folder: set PERDURE_HOME to one, or {REMEDY}.")
    open_to_account = account.can_enter(above)
    if existing and not open_to_account:
        raise EmbeddedPostgresError(
            f"the cluster in {existing} cannot be reached by its account {account.name!r}: a folder above it is closed. "
            f"Open that folder (chmod o+x), move {existing} to {sheltered}, or {REMEDY}."
        )
    if not open_to_account:
        logger.warning(
            "%s cannot be entered by the account %s: the cluster will be in %s", home, account.name, sheltered
        )
        return Place(sheltered, account)
    return Place(inside, account)


def digest(path: Path) -> str:
    """Twelve hexadecimal digits that stand for a path."""
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]

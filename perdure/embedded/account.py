"""The account that the server runs under: one's own, and for root an unprivileged one that exists already.

PostgreSQL refuses to run as root. No account is made for it, and no folder of somebody else's is opened up.
"""

from __future__ import annotations

import os
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perdure.embedded.failures import REMEDY
from perdure.errors import EmbeddedPostgresError

UNPRIVILEGED = ("postgres", "nobody")


@dataclass(frozen=True, slots=True)
class Account:
    name: str
    uid: int
    gid: int

    @property
    def is_other(self) -> bool:
        """Whether this process (then root's) has to change to the account."""
        return self.uid != os.geteuid()

    @property
    def spawn(self) -> dict[str, Any]:
        """The keyword arguments that make `subprocess` start a child under this account."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []} if self.is_other else {}

    def can_enter(self, folder: Path) -> bool:
        """Whether the account may pass through an existing folder; tried, since mode bits are not the whole truth."""
        enter = ["/bin/sh", "-c", 'cd "$1"', "sh", str(folder)]
        return subprocess.run(enter, check=False, cwd="/", capture_output=True, **self.spawn).returncode == 0

    def claim(self, folder: Path) -> None:
        """Make `folder`, or take an own one that exists, as a private folder of this account.

        Raises EmbeddedPostgresError when somebody else was there first, OSError when it cannot be made.
        """
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            # Not stat: a link that a stranger laid in a public folder must not be followed by root.
            found = folder.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (self.uid, os.geteuid()):
                raise EmbeddedPostgresError(
                    f"{folder} belongs to somebody else. Remove it, set PERDURE_HOME to another folder, or {REMEDY}."
                ) from None
        if self.is_other:
            os.chown(folder, self.uid, self.gid)
        folder.chmod(0o700)


def account_for(cluster: Path | None) -> Account:
    """The account to run a server under: for root, the owner of the existing `cluster`, else one of UNPRIVILEGED.

    Raises EmbeddedPostgresError when there is none.
    """
    import pwd  # exists on Unix only, and this module must import anywhere

    uid = os.geteuid()
    if uid == 0 and cluster is not None:
        uid = cluster.stat().st_uid
    candidates = [uid] if uid else UNPRIVILEGED
    for candidate in candidates:
        try:
            entry = pwd.getpwuid(candidate) if isinstance(candidate, int) else pwd.getpwnam(candidate)
        except KeyError:
            continue
        return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
    if uid:
        raise EmbeddedPostgresError(
            f"user id {uid} has no entry among the accounts of this machine, and PostgreSQL needs one. "
            f"Add one (container images: `useradd`), or {REMEDY}."
        )
    raise EmbeddedPostgresError(
        "PostgreSQL does not run as root, and there is no account `postgres` or `nobody` to change to. "
        f"Run as another user, or {REMEDY}."
    )

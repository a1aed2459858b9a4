"""The real command line in a process of its own, as a user's shell runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Ended:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout of a command that went well."""
        assert self.code == 0, self.err
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, str]:
        error: dict[str, str] = json.loads(self.err)["error"]
        return error


@dataclass(frozen=True, slots=True)
class Perdure:
    """Runs `python -m perdure` in an empty folder, with this and nothing else of Perdure's in the environment."""

    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str | bytes, stdin: str | bytes = "") -> Ended:
        told = stdin.encode() if isinstance(stdin, str) else stdin
        with self.started(*arguments) as process:
            out, err = process.communicate(told)
        return Ended(process.returncode, out.decode(), err.decode())

    def started(self, *arguments: str | bytes) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "perdure", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env={**os.environ, "PERDURE_HOME": str(self.folder / "home"), "COLUMNS": "120", **self.environment},
        )

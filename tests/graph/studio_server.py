"""The LangGraph server as `langgraph dev` runs it: a process of its own, which a test may kill."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
START_SECONDS = 120


@dataclass(slots=True)
class StudioServer:
    """`langgraph dev` in a folder of its own, so that what it flushes to disk is not in the repository."""

    folder: Path
    environment: dict[str, str]
    port: int = 0
    _process: subprocess.Popen[bytes] | None = field(default=None)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def start(self) -> None:
        self.port = _free_port()
        quiet = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGGRAPH_NO_VERSION_CHECK": "true", "LANGSMITH_TRACING": "false"}
        command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--port", str(self.port), "--config", str(ROOT / "langgraph.json")],
                cwd=self.folder,
                env={**os.environ, **quiet, **self.environment},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait_until_ready(self._process)

    def kill(self) -> None:
        """As a power cut would: nothing gets a chance to finish."""
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/ok", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        raise AssertionError(f"the server did not start:\n{self.log.read_text(errors='replace')[-3000:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

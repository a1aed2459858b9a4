"""A database server of the bench's own, thrown away afterwards."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from perdure.embedded import EmbeddedPostgres


@contextmanager
def throwaway_server() -> Iterator[EmbeddedPostgres]:
    with tempfile.TemporaryDirectory(prefix="perdure-") as folder:
        home = Path(folder)
        home.chmod(0o755)  # for root: the account that the server runs under must pass
        with EmbeddedPostgres(home, ephemeral=True) as server:
            yield server

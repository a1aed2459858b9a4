"""Vectors that are computed once and kept in a file, so that a second run of a benchmark is quick."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path

import numpy
from numpy import float32
from numpy.typing import NDArray

from perdure.ports import Embedder

Row = NDArray[float32]
BATCH = 64
"""Texts that are embedded between two ticks, and lost at most if the run is broken off."""


class CachedVectors:
    """Vectors of one embedder by text; of questions and of documents apart, since they are embedded differently."""

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self.embedder = embedder
        folder.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(folder / "vectors.sqlite")
        self._file.execute("create table if not exists vectors (key blob primary key, vector blob not null)")
        self._known: dict[bytes, Row] = {}

    async def prepare(self, texts: Iterable[str], tick: Callable[[int], object], *, query: bool) -> None:
        """Read the vectors of these texts from the file, or compute them; `tick` is told how many are done."""
        wanted = {self._key(text, query): text for text in texts}
        for key in wanted.keys() - self._known.keys():
            row = self._file.execute("select vector from vectors where key = ?", (key,)).fetchone()
            if row:
                self._known[key] = numpy.frombuffer(row[0], float32)
        missing = [text for key, text in wanted.items() if key not in self._known]
        tick(len(wanted) - len(missing))
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            await self._compute(batch, query)
            tick(len(batch))

    def document(self, text: str) -> Row:
        """The vector of a prepared document; raises `KeyError` for another."""
        return self._known[self._key(text, query=False)]

    def query(self, text: str) -> Row:
        """The vector of a prepared question; raises `KeyError` for another."""
        return self._known[self._key(text, query=True)]

    def is_query(self, text: str) -> bool:
        """Whether it is a prepared question."""
        return self._key(text, query=True) in self._known

    def close(self) -> None:
        self._file.close()

    async def _compute(self, texts: list[str], query: bool) -> None:
        if query:
            vectors = [await self.embedder.embed_query(text) for text in texts]
        else:
            vectors = await self.embedder.embed_documents(texts)
        rows = {self._key(t, query): numpy.asarray(v, float32) for t, v in zip(texts, vectors, strict=True)}
        with self._file:
            self._file.executemany(
                "insert or replace into vectors values (?, ?)", [(key, row.tobytes()) for key, row in rows.items()]
            )
        self._known |= rows

    def _key(self, text: str, query: bool) -> bytes:
        return sha256(f"{self.embedder.model}\n{query}\n{text}".encode()).digest()

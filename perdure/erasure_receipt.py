"""What an erasure tells: what was deleted, and the proof by which nothing of it is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Self

from perdure.plain import Record

Erased = Literal["user", "thread", "fact"]
PLACES_NAMED = 5
"""So many rows of a trace are named."""


@dataclass(frozen=True, slots=True)
class Scanned(Record):
    """A table that was searched. ``rows`` are those that were read, in ``columns``: all that hold text, JSON or bytes."""

    table: str
    columns: tuple[str, ...]
    rows: int


@dataclass(frozen=True, slots=True)
class Trace(Record):
    """A column that still holds what was looked for: the user's id, or text that was erased. It never tells the text."""

    table: str
    column: str
    holds: Literal["user", "text"]
    rows: int
    where: tuple[str, ...]
    """The first rows: the id of each, or its thread."""


@dataclass(frozen=True, slots=True)
class Proof(Record):
    """A scan of every table, by the database's own catalogue. ``texts`` is how many erased texts were looked for."""

    scanned: tuple[Scanned, ...]
    rows: int
    texts: int
    hits: int
    traces: tuple[Trace, ...]

    @classmethod
    def of(cls, scanned: Sequence[Scanned], texts: int, traces: Sequence[Trace]) -> Self:
        rows, hits = sum(table.rows for table in scanned), sum(trace.rows for trace in traces)
        return cls(tuple(scanned), rows, texts, hits, tuple(traces))


@dataclass(frozen=True, slots=True)
class ErasureReceipt(Record):
    """The receipt of an erasure, with the counts of all its runs, where one was cut short.

    ``counts`` are the rows that were deleted (of costs: unnamed) per table, and threads. Of a thread or a fact, the
    traces of the proof are what is left to be erased by itself: other memories that hold the same words.
    """

    what: Erased
    counts: Mapping[str, int]
    proof: Proof
    runs: int
    started_at: datetime
    finished_at: datetime
    complete: bool
    """All is deleted; and of a user, nothing is left by the proof."""

"""Where the threads of a user stand: what runs next on each, and what it asks. One statement for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langgraph.checkpoint.serde.base import SerializerProtocol
from psycopg.rows import dict_row

from perdure.stores.pool import Pool, borrowed
from perdure.stores.sql import statements

SQL = statements("checkpoints")


@dataclass(frozen=True, slots=True)
class ThreadHead:
    """The latest checkpoint of a thread. ``thread`` is the checkpointer's thread id (see `threads.thread_key`)."""

    thread: str
    checkpoints: int
    updated_at: datetime
    """When that checkpoint was made, UTC."""
    next: tuple[str, ...]
    """Nodes that have not run yet, or whose result is not in a checkpoint yet."""
    questions: tuple[Any, ...]
    """Values of the interrupts that nobody has answered, whether or not they have lapsed."""


async def thread_heads(pool: Pool, serde: SerializerProtocol, prefix: str) -> list[ThreadHead]:
    """The threads whose id begins with `prefix`, taken literally; the latest first.

    What it tells is what `aget_state` tells of each thread, without reading their messages.
    """
    async with borrowed(pool) as connection, connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(SQL["thread_heads"], {"prefix": prefix})
        rows = await cursor.fetchall()
    return [
        ThreadHead(
            thread=row["thread"],
            checkpoints=row["checkpoints"],
            updated_at=row["updated_at"],
            next=tuple(row["next"]),
            questions=_questions(serde, row["types"], row["blobs"]),
        )
        for row in rows
    ]


def _questions(serde: SerializerProtocol, types: list[str] | None, blobs: list[bytes] | None) -> tuple[Any, ...]:
    written = [serde.loads_typed(typed) for typed in zip(types or (), blobs or (), strict=True)]
    return tuple(interrupt.value for interrupts in written for interrupt in interrupts)

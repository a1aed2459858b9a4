"""The blocks of core memory: every version is kept, and an edit is made on the block as it is when it is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from psycopg import AsyncCursor
from psycopg.rows import DictRow

from perdure.core import Block, BlockVersion, blocks_of
from perdure.core_edits import CoreWriting, Origin
from perdure.facts import Operation, Receipt, Source, statement_id
from perdure.scope import Scope, check_name
from perdure.stores.pool import Connection, Pool, borrowed, transaction
from perdure.stores.recording import recorded_after
from perdure.stores.rows import Row
from perdure.stores.scoped import ScopedStatements
from perdure.time import Clock, check_instant

_SQL, _FACTS = (ScopedStatements(file) for file in ("core_blocks", "facts"))

Change = Callable[[Sequence[Block]], Block | None]
"""Given the blocks that there are, what one of them becomes; None removes it."""


class PostgresCoreStore:
    """Core memory read, and changed by hand. Edits that a turn asks for are part of its write (`save_edits`)."""

    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool = pool
        self._clock = clock

    async def blocks(self, scope: Scope, *, as_known_at: datetime | None = None) -> list[Block]:
        """The blocks that the scope sees, as they are or were: the built-in ones first, then by label."""
        async with borrowed(self._pool) as connection:
            return await read_blocks(await ask_for_blocks(connection, scope, as_known_at))

    async def history(self, scope: Scope, label: str) -> list[BlockVersion]:
        """Every version of a block that the scope has seen, the newest first."""
        async with borrowed(self._pool) as connection:
            return await _versions(await _SQL.run(connection, scope, "history", label=label))

    async def change(self, scope: Scope, label: str, change: Change, origin: Origin) -> Block | None:
        """The block as it then is. Where nothing changes, no version is made.

        Whatever `change` raises, nothing is written then. Raises `InvalidScope` for an author without a name.
        """
        check_name(origin.author, "author")
        async with transaction(self._pool) as connection:
            await _FACTS.run(connection, scope, "lock_user")
            last = await _FACTS.run(connection, scope, "last_recorded")
            newest = await _SQL.run(connection, scope, "newest", known=None)
            recorded_at = recorded_after(await last.fetchone(), self._clock.now())
            writing = CoreWriting(scope, await _versions(newest), recorded_at)
            block = writing.put(label, change(writing.blocks), origin)
            await _save(connection, scope, writing)
        return block


async def ask_for_blocks(connection: Connection, scope: Scope, as_known_at: datetime | None) -> AsyncCursor[DictRow]:
    """Ask for what `read_blocks` reads, within the pipeline of the caller."""
    known = as_known_at and check_instant(as_known_at, "as_known_at")
    return await _SQL.run(connection, scope, "newest", known=known)


async def read_blocks(asked: AsyncCursor[DictRow]) -> list[Block]:
    return blocks_of(await _versions(asked))


@dataclass(frozen=True, slots=True)
class AskedForEdits:
    """The edits of a write, and the answers that they wait for."""

    operations: Sequence[Operation]
    newest: AsyncCursor[DictRow]
    recorded: AsyncCursor[DictRow]


async def ask_for_edits(
    connection: Connection, scope: Scope, operations: Sequence[Operation], source: Source
) -> AskedForEdits | None:
    """Lock the user, and ask for what edits by checked operations are made on; None if there are none.

    Nothing is waited for: it is one round trip with what the caller asks for next.
    """
    if not operations:
        return None
    await _FACTS.run(connection, scope, "lock_user")
    newest = await _SQL.run(connection, scope, "newest", known=None)
    edits = [statement_id(scope, source, operation) for operation in operations]
    return AskedForEdits(operations, newest, await _SQL.run(connection, scope, "recorded", edits=edits))


async def save_edits(
    connection: Connection, scope: Scope, asked: AskedForEdits | None, source: Source, recorded_at: datetime
) -> list[Receipt]:
    """Make the edits, each on what the one before it left; one receipt for each. What does not fit is dropped."""
    if asked is None:
        return []
    recorded = {row["edit"] for row in await asked.recorded.fetchall()}
    writing = CoreWriting(scope, await _versions(asked.newest), recorded_at, recorded)
    receipts = [writing.apply(operation, source) for operation in asked.operations]
    await _save(connection, scope, writing)
    return receipts


async def _save(connection: Connection, scope: Scope, writing: CoreWriting) -> None:
    await _SQL.run_many(connection, scope, "insert_version", map(_row, writing.made))


async def _versions(asked: AsyncCursor[DictRow]) -> list[BlockVersion]:
    return [_version_of(row) for row in await asked.fetchall()]


def _version_of(row: Row) -> BlockVersion:
    block = Block(
        row["label"],
        row["content"],
        row["char_limit"],
        row["description"],
        row["version"],
        row["agent"],
        row["author"],
        row["recorded_at"],
    )
    return BlockVersion(block, row["action"], row["removed"], row["edit"], row["thread"], row["message"])


def _row(version: BlockVersion) -> Row:
    block = version.block
    return {
        "label": block.label,
        "version": block.version,
        "content": block.content,
        "char_limit": block.limit,
        "description": block.description,
        "removed": version.removed,
        "edit": version.edit,
        "action": version.action,
        "thread": version.thread,
        "message": version.message,
        "author": block.author,
        "recorded_at": block.recorded_at,
    }

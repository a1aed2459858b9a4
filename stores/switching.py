"""The moment in which the new vectors take the place of the old ones, for every process at once."""

from __future__ import annotations

from enum import Enum, auto

from psycopg import errors

from perdure.stores.next_indexes import rename_next, unindexed
from perdure.stores.pool import Connection
from perdure.stores.sql import statements

_SQL = statements("reembedding")
WRITERS_WAIT = 10.0
"""Seconds after which writers go on if whoever stopped them has died."""


class Outcome(Enum):
    SWITCHED = auto()
    LACKING = auto()
    """A writer who had begun before the others were stopped has left rows without their new vectors."""
    UNINDEXED = auto()
    """A user has become large meanwhile, and has no index of the new vectors."""
    BUSY = auto()
    """Somebody reads for so long that the others should not be kept waiting for it."""


async def stop_writers(connection: Connection) -> None:
    """Whoever begins to write is sent away, for a few seconds at most; reads go on."""
    await connection.execute(_SQL["writers_wait"], {"seconds": WRITERS_WAIT})


async def let_writers_go_on(connection: Connection) -> None:
    await connection.execute(_SQL["writers_go_on"])


async def switch(connection: Connection) -> Outcome:
    """Put the new vectors in the place of the old, if none is missing: one transaction, of milliseconds once it has its
    locks. Anything but SWITCHED has changed nothing."""
    try:
        async with connection.transaction():
            await connection.execute(_SQL["be_quick"])
            await connection.execute(_SQL["lock_all"])
            await connection.execute(_SQL["lock_tables"])
            row = await (await connection.execute(_SQL["is_any_left"])).fetchone()
            if row is None or row["left"]:
                return Outcome.LACKING
            if await unindexed(connection):
                return Outcome.UNINDEXED
            await connection.execute(_SQL["switch_columns"].encode())
            await rename_next(connection)
    except (errors.LockNotAvailable, errors.DeadlockDetected):
        return Outcome.BUSY
    return Outcome.SWITCHED

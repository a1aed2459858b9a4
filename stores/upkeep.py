"""What the upkeep of a tenant needs of the database: who its users are, that nobody else does it, vectors of no text."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import quote

from perdure.errors import AlreadyRunning, InvalidScope
from perdure.scope import Scope
from perdure.stores.pool import Pool, Revive, borrowed, connect, is_shared, translate_errors
from perdure.stores.scoped import ScopedStatements
from perdure.stores.sql import statements
from perdure.threads import parse_thread_key

_UPKEEP = statements("upkeep")
_CHECKPOINTS = statements("archived_checkpoints")
_VECTORS, _FACTS = (ScopedStatements(file) for file in ("embeddings", "facts"))


class PostgresUpkeep:
    def __init__(self, pool: Pool, checkpoints: Pool, dsn: str, revive: Revive | None) -> None:
        self._pool = pool
        self._checkpoints = checkpoints
        self._dsn = dsn
        self._revive = revive

    async def users(self, tenant: str) -> list[str]:
        """The users of whom anything is stored, by name."""
        async with borrowed(self._pool) as connection:
            cursor = await connection.execute(_UPKEEP["users"], {"tenant": tenant})
            users = {row["user_id"] async for row in cursor}
        async with borrowed(self._checkpoints) as connection:
            prefix = {"prefix": f"{quote(tenant, safe='')}/"}
            cursor = await connection.execute(_CHECKPOINTS["threads_of_tenant"], prefix)
            users.update([user async for row in cursor if (user := _owner(row["thread_id"]))])
        return sorted(users)

    @asynccontextmanager
    async def alone(self, tenant: str) -> AsyncIterator[None]:
        """Nobody else keeps the tenant's memory up meanwhile; the lock ends with the process. Raises `AlreadyRunning`.

        On a connection of its own: one of the pool would be missing for as long as the upkeep takes. Behind a transaction
        pooler there is no lock; two who do the same work do it once all the same.
        """
        if self._revive:
            await self._revive()
        async with await connect(self._dsn) as connection:
            with translate_errors():
                shared = await is_shared(connection)
                row = await (await connection.execute(_UPKEEP["try_lock"], {"tenant": tenant})).fetchone()
            if not shared and row and not row["locked"]:
                raise AlreadyRunning(
                    f"another process keeps the memory of tenant {tenant!r} up: it does what is due; try again later"
                )
            yield

    async def count_orphaned_vectors(self, scope: Scope) -> int:
        """How many vectors of the user are of a text that no statement and no episode has."""
        async with borrowed(self._pool) as connection:
            row = await (await _VECTORS.run(connection, scope, "count_orphans")).fetchone()
        assert row
        return int(row["orphans"])

    async def forget_orphaned_vectors(self, scope: Scope) -> int:
        """Delete them. No writer of the user's is in between saving a vector and what it is of."""
        async with borrowed(self._pool) as connection, connection.transaction():
            await _FACTS.run(connection, scope, "lock_user")
            return (await _VECTORS.run(connection, scope, "forget_orphans")).rowcount


def _owner(thread: str) -> str:
    """The user whose thread it is; empty for one that Perdure did not name."""
    try:
        return parse_thread_key(thread)[0].user
    except InvalidScope:
        return ""

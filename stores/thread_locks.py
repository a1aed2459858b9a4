"""Locks on threads, across processes: two runs on one thread would each save a state without the other's message."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import psycopg

from perdure.errors import BusyThread, DatabaseUnavailable
from perdure.stores.pool import Connection, Revive, connect, is_shared, translate_errors
from perdure.stores.sql import statements
from perdure.threads import known_name

SQL = statements("checkpoints")
POLL_SECONDS = 0.1
PATIENCE = 120.0
"""Seconds that a turn waits for another process to finish one on its thread."""


class PostgresThreadLocks:
    """Implements `ports.ThreadLocks` with one connection, on which the locks of all this process's runs are held.

    They end with the process, however it dies. The connection is no pooled one: holding it while a model is called
    takes it from nobody. Behind a transaction pooler, where a session lock would be a stranger's, there is no lock.
    """

    def __init__(self, dsn: str, revive: Revive | None) -> None:
        self._dsn = dsn
        self._revive = revive
        self._connection: Connection | None = None
        self._shared = False
        self._opening = asyncio.Lock()

    @asynccontextmanager
    async def hold(self, thread_id: str) -> AsyncIterator[None]:
        """Hold the thread's lock. Raises `BusyThread` if another process does not let go of it in time."""
        connection = await self._locked(thread_id)
        try:
            yield
        finally:
            with suppress(psycopg.OperationalError):  # a connection that is lost has taken its locks along
                await connection.execute(SQL["unlock_thread"], {"thread": thread_id})

    async def close(self) -> None:
        if self._connection:
            await self._connection.close()

    async def _locked(self, thread_id: str) -> Connection:
        """The connection that holds the lock; one that turns out to be broken is replaced, once."""
        connection = await self._opened()
        try:
            await self._take(connection, thread_id)
        except DatabaseUnavailable:
            connection = await self._opened()
            await self._take(connection, thread_id)
        return connection

    async def _opened(self) -> Connection:
        async with self._opening:
            if self._connection is None or self._connection.closed:
                if self._revive:
                    await self._revive()
                self._connection = await connect(self._dsn)
                self._shared = await is_shared(self._connection)
            return self._connection

    async def _take(self, connection: Connection, thread_id: str) -> None:
        """Polled: waiting in the database would keep this connection from the other threads of the process."""
        until = time.monotonic() + PATIENCE
        while not self._shared:
            with translate_errors():
                row = await (await connection.execute(SQL["try_lock_thread"], {"thread": thread_id})).fetchone()
            if row and row["locked"]:
                return
            if time.monotonic() > until:
                raise BusyThread(
                    f"another process has been running a turn on thread {known_name(thread_id)!r} for {PATIENCE:.0f} seconds:"
                    " try again when it is done"
                )
            await asyncio.sleep(POLL_SECONDS)

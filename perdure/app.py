"""The application: settings in, a memory out. What it needs is opened here, and closed when it is left."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from types import TracebackType

from perdure.assembly import Opened, memory_over
from perdure.database import Databases, open_databases
from perdure.graph.turns import Turns
from perdure.ledger import CostLedger
from perdure.memory import Memory
from perdure.models.embedder import open_embedder
from perdure.prices import Prices
from perdure.settings import Settings
from perdure.stores.checkpoints import saver_over
from perdure.stores.costs import PostgresCostStore
from perdure.stores.migrations import migrate
from perdure.stores.pool import Pool, open_pool
from perdure.stores.thread_locks import PostgresThreadLocks
from perdure.time import Clock, SystemClock


@asynccontextmanager
async def open_memory(
    settings: Settings | None = None, *, clock: Clock | None = None, ephemeral: bool = False
) -> AsyncIterator[Memory]:
    """Open the memory: start the embedded PostgreSQL if need be, migrate, and build the graph.

    ``ephemeral`` gives up durability for speed, for data that is thrown away. On leaving, turns that nobody waits for
    are finished first. Raises `ConfigurationError` (`EmbedderMismatch`) or `DatabaseError`; nothing is written then.
    """
    settings, clock = settings or Settings(), clock or SystemClock()
    async with AsyncExitStack() as stack:
        databases = await stack.enter_async_context(open_databases(settings, ephemeral=ephemeral))
        embedder = await open_embedder(settings)
        await migrate(databases.memory, embedder.model, embedder.dimension)
        pool = await stack.enter_async_context(
            open_pool(databases.memory, size=settings.pool_size, revive=databases.revive)
        )
        ledger = CostLedger(PostgresCostStore(pool), Prices(settings.prices), settings.budget, clock)
        await stack.enter_async_context(ledger.kept())
        checkpoints = await _checkpoint_pool(stack, databases, pool, settings.pool_size)
        checkpointer = await saver_over(checkpoints)
        locks = PostgresThreadLocks(databases.checkpoints, databases.revive)
        stack.push_async_callback(locks.close)
        memory = memory_over(
            Opened(
                settings=settings,
                clock=clock,
                databases=databases,
                pool=pool,
                checkpoints=checkpoints,
                checkpointer=checkpointer,
                locks=locks,
                embedder=embedder,
                ledger=ledger,
            )
        )
        stack.push_async_exit(partial(_leave, memory.turns))
        yield memory


async def _leave(
    turns: Turns, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
) -> None:
    """Finish what nobody waits for; but a process that was told to stop (a cancelled task, Ctrl-C) stops."""
    if kind is None or issubclass(kind, Exception):
        await turns.drain()
    else:
        await turns.abandon()


async def _checkpoint_pool(stack: AsyncExitStack, databases: Databases, memory: Pool, size: int) -> Pool:
    """One pool serves both where they are one database."""
    if databases.checkpoints == databases.memory:
        return memory
    return await stack.enter_async_context(open_pool(databases.checkpoints, size=size, revive=databases.revive))

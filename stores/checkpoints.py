"""Checkpoints in PostgreSQL: LangGraph's saver over a pool, with what it lacks for many threads at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncCursor
from psycopg.rows import DictRow

from perdure.errors import DatabaseUnsuitable
from perdure.redaction import withheld
from perdure.stores.pool import Connection, Pool, borrowed, is_shared, open_pool, replacing_broken, without_limit
from perdure.stores.sql import statements
from perdure.stores.thread_secrets import ThreadSecrets

SQL = statements("checkpoints")
LOCK_POLL_SECONDS = 0.1


class PooledSaver(AsyncPostgresSaver):
    """A saver whose operations run side by side, each on a connection of its own.

    Messages and plain values come back as they were. An object of any other class comes back as plain data, or is
    refused when it is saved: no class is imported because a checkpoint names it. Credentials are taken out of whatever
    is saved: channels (those too that are kept inside the checkpoint itself), writes, interrupts and metadata.
    """

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        self._pool = pool
        self._secrets = ThreadSecrets()
        # The stock lock keeps operations from sharing one connection; with a pool it makes them wait for nothing.
        self.lock = nullcontext()  # type: ignore[assignment]

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint. One made by an edit of the state keeps the custom metadata of the one it edits."""
        if metadata.get("source") == "update":
            metadata = await self._inherit(config, metadata)
        if metadata.get("source") == "input":
            self._secrets.begin(_place(config))
        checkpoint = checkpoint.copy()
        checkpoint["channel_values"] = self._secrets.out_of_values(
            _place(config), checkpoint["channel_values"], changed=new_versions
        )
        config = {**config, "metadata": withheld(config.get("metadata", {}))}
        return await super().aput(config, checkpoint, withheld(metadata), new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what a node wrote."""
        kept = self._secrets.out_of_writes(_place(config), writes)
        await super().aput_writes(config, kept, task_id, task_path)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete the checkpoints that these runs made, with their writes and the values that only they refer to."""
        async with self._cursor() as cursor:
            await cursor.execute(SQL["delete_for_runs"], {"runs": [str(run) for run in run_ids]})

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy all checkpoints of a thread. What the target has already stays."""
        async with self._cursor() as cursor:
            await cursor.execute(SQL["copy_thread"], {"source": str(source_thread_id), "target": str(target_thread_id)})

    def forget(self, thread_id: str) -> None:
        """Forget what this process knows of a thread that is erased."""
        self._secrets.forget(thread_id)

    async def _inherit(self, config: RunnableConfig, metadata: CheckpointMetadata) -> CheckpointMetadata:
        configurable = config.get("configurable", {})
        async with self._cursor() as cursor:
            await cursor.execute(
                SQL["custom_metadata"],
                {
                    "thread": configurable["thread_id"],
                    "namespace": configurable.get("checkpoint_ns", ""),
                    "checkpoint": configurable.get("checkpoint_id"),
                },
            )
            row = await cursor.fetchone()
        said_now = {**configurable, **config.get("metadata", {}), **metadata}
        inherited = {key: value for key, value in row["metadata"].items() if key not in said_now} if row else {}
        return CheckpointMetadata(**inherited, **metadata)

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        async with replacing_broken(self._pool), super()._cursor(pipeline=pipeline) as cursor:
            yield cursor


def _place(config: RunnableConfig) -> tuple[str, str]:
    """The thread, and the graph or subgraph of it."""
    configurable = config.get("configurable", {})
    return str(configurable.get("thread_id")), str(configurable.get("checkpoint_ns", ""))


@asynccontextmanager
async def open_saver(dsn: str, *, size: int = 10) -> AsyncIterator[PooledSaver]:
    """A saver over a pool of its own, its tables made if need be. Raises as `open_pool` does."""
    async with open_pool(dsn, size=size) as pool:
        yield await saver_over(pool)


async def saver_over(pool: Pool) -> PooledSaver:
    """A saver over a pool that others use too, its tables made if need be."""
    await setup_once(pool)
    return PooledSaver(pool)


async def setup_once(pool: Pool) -> None:
    """Make the tables and indexes of the checkpoints, however many processes do so at once."""
    async with borrowed(pool) as connection:
        # Looking first lets a user in who may not create tables, and readers of a standby.
        if await _is_set_up(connection):
            return
        if await is_shared(connection):
            raise DatabaseUnsuitable(
                "the checkpoint tables cannot be made through a connection pooler: run `perdure migrate` once with a"
                " database URL that leads to PostgreSQL itself"
            )
        async with _setup_lock(connection), without_limit(connection):
            await AsyncPostgresSaver(connection).setup()
            await connection.execute(SQL["index_runs"])


async def _is_set_up(connection: Connection) -> bool:
    row = await (await connection.execute(SQL["has_tables"])).fetchone()
    if not row or not row["found"]:
        return False
    row = await (await connection.execute(SQL["setup_version"])).fetchone()
    return row is not None and row["version"] >= len(AsyncPostgresSaver.MIGRATIONS) - 1


@asynccontextmanager
async def _setup_lock(connection: Connection) -> AsyncIterator[None]:
    # Waiting inside pg_advisory_lock would hold a snapshot, for which the holder's CREATE INDEX CONCURRENTLY waits.
    while True:
        row = await (await connection.execute(SQL["try_lock_setup"])).fetchone()
        if row and row["locked"]:
            break
        await asyncio.sleep(LOCK_POLL_SECONDS)
    try:
        yield
    finally:
        if not connection.closed:
            await connection.execute(SQL["unlock_setup"])

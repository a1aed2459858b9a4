"""Archives in the database: which there are, the rows that go to their files, and the rows that come back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any
from uuid import UUID

from pgvector import Vector as PgVector
from psycopg.types.json import Jsonb

from perdure.archive_file import ArchiveRecord, Row, State
from perdure.errors import ArchivedThread, InvalidScope
from perdure.model_vector import model_of
from perdure.ports import Vector
from perdure.scope import Scope
from perdure.stores.pool import Connection, Pool, borrowed
from perdure.stores.rebuild import rebuild_slot
from perdure.stores.rows import statement_of
from perdure.stores.scoped import ScopedStatements
from perdure.stores.sql import statements
from perdure.stores.vectors import save_vectors
from perdure.threads import parse_thread_key

_SQL, _FACTS = (ScopedStatements(file) for file in ("archives", "facts"))
_EMBEDDER = statements("embedder")
OF_A_THREAD = ["exchange", "tool_result"]
"""What is archived with a thread. What was learned from it stays: sessions, tasks, decisions, events, and all facts."""


class PostgresArchives:
    """Implements `ports.ThreadArchive`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def find(self, scope: Scope, name: str) -> ArchiveRecord | None:
        async with borrowed(self._pool) as connection:
            row = await (await _SQL.run(connection, scope, "of_name", archive=name)).fetchone()
        return ArchiveRecord(**row) if row else None

    async def check(self, thread_id: str) -> None:
        """Raise `ArchivedThread` if the checkpoints of this thread are in the archive."""
        try:
            scope, name = parse_thread_key(thread_id)
        except InvalidScope:  # Perdure did not make it, nor archive it
            return
        record = await self.find(scope, name)
        if record and record.state != "restored":
            raise ArchivedThread(
                f"thread {name!r} was archived on {record.archived_at:%Y-%m-%d}: `perdure archive restore` and its name"
                " bring it back, as does Memory.archives.restore"
            )

    async def of_user(self, scope: Scope) -> list[ArchiveRecord]:
        """The latest first; those that were restored, too."""
        async with borrowed(self._pool) as connection:
            return [ArchiveRecord(**row) async for row in await _SQL.run(connection, scope, "of_user")]

    async def model(self) -> str:
        """The embedder that is in force."""
        async with borrowed(self._pool) as connection:
            return await _model(connection)

    async def idle_threads(self, scope: Scope, before: datetime) -> list[str]:
        """Threads with exchanges, the last of which was recorded before, all of them extracted."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "idle_threads", kinds=OF_A_THREAD)
            return [row["thread"] async for row in cursor if row["recorded_at"] < before and not row["busy"]]

    async def is_idle(self, scope: Scope, thread: str, before: datetime) -> bool:
        """Whether nothing of the thread was recorded since, and nothing still has to be extracted."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "idle_threads", kinds=OF_A_THREAD)
            found = [row async for row in cursor if row["thread"] == thread]
        return all(row["recorded_at"] < before and not row["busy"] for row in found)

    async def thread_rows(self, scope: Scope, thread: str) -> tuple[list[Row], str]:
        """The rows, and the embedder whose vectors they have."""
        async with borrowed(self._pool) as connection, connection.transaction():
            # The table is read until the end: meanwhile its vectors do not become another embedder's.
            rows = await _rows(connection, scope, "thread_episodes", thread=thread, kinds=OF_A_THREAD)
            return rows, await _model(connection)

    async def put(self, scope: Scope, record: ArchiveRecord) -> None:
        async with borrowed(self._pool) as connection:
            await _put(connection, scope, record, record.state)

    async def take_out(self, scope: Scope, record: ArchiveRecord, episodes: Sequence[UUID]) -> None:
        """Delete the episodes that the archive has: from now on it alone has them."""
        async with borrowed(self._pool) as connection, connection.transaction():
            await _FACTS.run(connection, scope, "lock_user")
            await _SQL.run(connection, scope, "delete_episodes", ids=list(episodes))
            await _SQL.run(connection, scope, "set_state", archive=record.name, state="archived", restored_at=None)

    async def take_out_faded(
        self,
        scope: Scope,
        episodes: Sequence[UUID],
        slots: Sequence[UUID],
        write: Callable[[Sequence[Row], str], ArchiveRecord],
    ) -> ArchiveRecord:
        """Archive episodes, and slots with all that was ever said in them, in one transaction; `write` makes the file."""
        async with borrowed(self._pool) as connection, connection.transaction():
            await _FACTS.run(connection, scope, "lock_user")
            rows = await _rows(connection, scope, "faded_episodes", ids=list(episodes))
            rows += await _rows(connection, scope, "faded_statements", slots=list(slots))
            rows += await _rows(connection, scope, "faded_vectors", slots=list(slots))
            record = await asyncio.to_thread(write, rows, await _model(connection))
            await _put(connection, scope, record, "archived")
            await _SQL.run(connection, scope, "delete_episodes", ids=list(episodes))
            await _SQL.run(connection, scope, "delete_slots", slots=list(slots))
        return record

    async def put_back(
        self,
        scope: Scope,
        record: ArchiveRecord,
        rows: Sequence[Row],
        vectors: Mapping[str, Vector],
        now: datetime,
    ) -> None:
        """Insert the rows again, where they are not there. ``vectors`` are those of the present embedder, where the
        archive has another one's; by content. Raises `EmbedderChanged`, and nothing is inserted."""
        async with borrowed(self._pool) as connection, connection.transaction():
            await _FACTS.run(connection, scope, "lock_user")
            for model in {model_of(vector) for vector in vectors.values()} or {record.model for _ in contents_of(rows)}:
                await connection.execute(_EMBEDDER["stay"], {"model": model})
            await save_vectors(connection, scope, _of_statements(rows, vectors))
            for table in ("embeddings", "statements", "episodes"):
                kept = [row for row in rows if row[0] == table and not (vectors and table == "embeddings")]
                told = ({"row": _with_vector(text, vectors) if table == "episodes" else text} for _, text in kept)
                await _SQL.run_many(connection, scope, f"restore_{table}", told)
            await self._believe_again(connection, scope, rows, record, now)
            await _SQL.run(connection, scope, "set_state", archive=record.name, state="restored", restored_at=now)

    async def forget(self, scope: Scope, name: str | None = None) -> int:
        """Forget that there is such an archive, or any; how many there were."""
        async with borrowed(self._pool) as connection:
            return (await _SQL.run(connection, scope, "forget", archive=name)).rowcount

    async def _believe_again(
        self, connection: Connection, scope: Scope, rows: Sequence[Row], record: ArchiveRecord, now: datetime
    ) -> None:
        """The facts follow from the statements, those that came since among them."""
        statements = _ids(rows, "statements")
        slots = [r["slot"] async for r in await _SQL.run(connection, scope, "slots_of_statements", ids=statements)]
        for slot in slots:
            cursor = await _FACTS.run(connection, scope, "slot_statements", slots=[slot], facts=[], alike=[])
            told = [statement_of(row) async for row in cursor]
            await rebuild_slot(connection, scope, slot, told)
        if record.kind == "faded":
            ids = _ids(rows, "episodes")
            await _SQL.run(connection, scope, "use_restored", ids=ids, slots=slots, now=now)


def ids_of(rows: Sequence[Row]) -> list[UUID]:
    """The ids of the episodes among the rows."""
    return _ids(rows, "episodes")


def contents_of(rows: Sequence[Row]) -> list[str]:
    """The texts that have vectors."""
    told = (json.loads(text)["content"] for table, text in rows if table in {"episodes", "statements"})
    return [text for text in told if text]


def _ids(rows: Sequence[Row], table: str) -> list[UUID]:
    return [UUID(json.loads(text)["id"]) for of, text in rows if of == table]


def _of_statements(rows: Sequence[Row], vectors: Mapping[str, Vector]) -> dict[str, Vector]:
    told = {json.loads(text)["content"] for table, text in rows if table == "statements"}
    return {text: vector for text, vector in vectors.items() if text in told}


def _with_vector(text: str, vectors: Mapping[str, Vector]) -> str:
    if not vectors:
        return text
    row = json.loads(text)
    return json.dumps(row | {"embedding": PgVector(list(vectors[row["content"]])).to_text()}, ensure_ascii=False)


async def _rows(connection: Connection, scope: Scope, name: str, **parameters: Any) -> list[Row]:
    cursor = await _SQL.run(connection, scope, name, **parameters)
    return [(row["table"], row["row"]) async for row in cursor]


async def _model(connection: Connection) -> str:
    row = await (await connection.execute(_EMBEDDER["model"])).fetchone()
    return row["model"] if row else ""


async def _put(connection: Connection, scope: Scope, record: ArchiveRecord, state: State) -> None:
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    values |= {"archive": values.pop("name"), "rows": Jsonb(record.rows), "state": state}
    await _SQL.run(connection, scope, "put", **values)

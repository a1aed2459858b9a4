"""Going over to another embedding model while the memory is in use: `perdure reembed`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from perdure.errors import InvalidInput, ReembeddingUnderWay
from perdure.models.succession import open_model
from perdure.plain import Record
from perdure.ports import Embedder, Vector
from perdure.settings import Settings
from perdure.stores.next_indexes import drop_where_too_long, index_next, unindexed
from perdure.stores.pool import Connection, connect, translate_errors
from perdure.stores.reembedding import (
    Reembedding,
    alone,
    begin,
    count_left,
    count_rows,
    drop,
    fill,
    finish,
    forget_others,
    index_lacking,
    lacking,
    model_in_force,
    reembedding,
    require_vectors,
)
from perdure.stores.switching import Outcome, let_writers_go_on, stop_writers, switch
from perdure.time import Clock

BATCH = 256
"""Rows that are embedded and filled at a time: their user does not write meanwhile, nor is more lost by a kill."""
BUSY_PAUSE = 0.5
"""Seconds for those who were kept waiting, before the next attempt to switch."""

Phase = Literal["embedding", "indexing", "switching", "tidying"]


@dataclass(frozen=True, slots=True)
class Step(Record):
    """Where it is. ``done`` of ``total`` rows have their new vectors."""

    phase: Phase
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class ReembeddingStatus(Record):
    """The model in force, and the one that the database goes over to; ``left`` of ``total`` rows lack its vectors, both
    0 where none is under way or only tidying is left."""

    in_force: str
    under_way: Reembedding | None
    left: int
    total: int


@dataclass(frozen=True, slots=True)
class ReembeddingReport(Record):
    """``embedded`` counts the texts that the model was asked for by this run, ``rows`` those that it filled."""

    before: str
    after: str
    embedded: int
    rows: int


@dataclass(frozen=True, slots=True)
class Reembed:
    """New vectors beside the old, switched at once, for all users of a database.

    Searches and writes go on, in every process: until the switch in the old model, after it in the new one. Whoever is
    killed goes on where it was when run again.
    """

    dsn: str
    settings: Settings
    clock: Clock

    async def run(
        self,
        model: str | None = None,
        dimensions: int | None = None,
        tell: Callable[[Step], None] = lambda _: None,
    ) -> ReembeddingReport:
        """Go over to the model that settings call `model`, or on with what was begun.

        Raises `InvalidInput` if neither is there, `ReembeddingUnderWay` if another process is at it or it goes to
        another model, `ConfigurationError`, `ModelUnavailable` or `DatabaseError`; it can be run again then.
        """
        async with alone(self.dsn) as connection:
            before, begun = (await model_in_force(connection)).model, await reembedding(connection)
            if begun and begun.decided:
                await self._tidy(connection, begun, tell)
                begun = None
                if model is None:
                    return ReembeddingReport(before, before, 0, 0)
            to, embedder = await self._wanted(begun, model, dimensions)
            if to.model == before:
                return ReembeddingReport(before, before, 0, 0)
            if begun is None:
                await begin(connection, to)
            work = _Work(connection, to, embedder, tell)
            await work.go_over()
            await self._tidy(connection, to, tell)
        return ReembeddingReport(before, to.model, work.embedded, work.rows)

    async def status(self) -> ReembeddingStatus:
        """How far it is; nothing is changed."""
        async with await connect(self.dsn) as connection:
            with translate_errors():
                in_force, under_way = await model_in_force(connection), await reembedding(connection)
                if under_way is None or under_way.decided:
                    return ReembeddingStatus(in_force.model, under_way, 0, 0)
                left, total = await count_left(connection), await count_rows(connection)
                return ReembeddingStatus(in_force.model, under_way, left, total)

    async def abort(self) -> Reembedding | None:
        """Drop what was begun, and return it; None if there is nothing to drop. The old vectors stay in force.

        Raises `ReembeddingUnderWay` while a process is at it.
        """
        async with alone(self.dsn) as connection:
            if (begun := await reembedding(connection)) is None:
                return None
            if not begun.decided:
                await drop(connection)
            await self._tidy(connection, begun, lambda _: None)
            return None if begun.decided else begun

    async def _tidy(self, connection: Connection, decided: Reembedding, tell: Callable[[Step], None]) -> None:
        """What is left to do once the new vectors have taken the place of the old, or have been dropped."""
        await require_vectors(connection)
        if (await model_in_force(connection)).model == decided.model:
            await drop_where_too_long(connection, decided.dimension)
        gone = 0
        async for forgotten in forget_others(connection):
            gone += forgotten
            tell(Step("tidying", gone, 0))
        await finish(connection)

    async def _wanted(
        self, begun: Reembedding | None, name: str | None, dimensions: int | None
    ) -> tuple[Reembedding, Embedder]:
        """What to go over to, and its embedder; what was begun is gone on with, if that is not another."""
        if name is None:
            if begun is None:
                raise InvalidInput("no re-embedding has begun: name the model to go over to with --model")
            name, dimensions = begun.name, begun.dimensions
        embedder = await open_model(self.settings, name, dimensions)
        if begun and begun.model != embedder.model:
            raise ReembeddingUnderWay(
                f"a re-embedding with {begun.model} has begun, not with {embedder.model}: finish it with `perdure reembed`,"
                " or drop it with `perdure reembed --abort`"
            )
        wanted = Reembedding(embedder.model, name, dimensions, embedder.dimension, self.clock.now(), decided=False)
        return wanted, embedder


class _Work:
    """One run, from the first vector to the switch."""

    def __init__(
        self, connection: Connection, to: Reembedding, embedder: Embedder, tell: Callable[[Step], None]
    ) -> None:
        self._connection = connection
        self._to = to
        self._embedder = embedder
        self._tell = tell
        self._total = 0
        self.embedded = 0
        self.rows = 0

    async def go_over(self) -> None:
        await index_lacking(self._connection)
        self._total = await count_left(self._connection)
        await self._fill(enough=BATCH)
        try:
            while (outcome := await self._attempt()) is not Outcome.SWITCHED:
                if outcome is Outcome.BUSY:
                    await let_writers_go_on(self._connection)
                    await asyncio.sleep(BUSY_PAUSE)
        finally:
            if not self._connection.closed:
                await let_writers_go_on(self._connection)

    async def _attempt(self) -> Outcome:
        """Fill what writers have left since, while none writes: else those who write fast would never be caught up with."""
        if users := await unindexed(self._connection):
            await let_writers_go_on(self._connection)
            for scope in users:
                self._tell(Step("indexing", self.rows, self._total))
                await index_next(self._connection, scope)
            await self._fill(enough=BATCH)
        self._tell(Step("switching", self.rows, self._total))
        await stop_writers(self._connection)
        await self._fill(enough=1)
        return await switch(self._connection)

    async def _fill(self, *, enough: int) -> None:
        """Batch by batch, until fewer rows than `enough` lack their vector."""
        while len(rows := await lacking(self._connection, self._to.model, BATCH)) >= enough:
            vectors: dict[str, Vector] = {row.content: row.vector for row in rows if row.vector}
            if unknown := [text for text in dict.fromkeys(row.content for row in rows) if text not in vectors]:
                vectors.update(zip(unknown, await self._embedder.embed_documents(unknown), strict=True))
            await fill(self._connection, self._to.model, rows, vectors)
            self.embedded += len(unknown)
            self.rows += len(rows)
            self._total = max(self._total, self.rows)
            self._tell(Step("embedding", self.rows, self._total))

"""Records in, batches out: each record checked and placed, each batch embedded and saved in one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterable, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from perdure.errors import InvalidInput
from perdure.layer import MemoryLayer
from perdure.model_in_force import with_vectors
from perdure.moving.destination import Destination
from perdure.moving.records import Incoming, Json
from perdure.plain import Record
from perdure.ports import Vector
from perdure.scope import Scope
from perdure.stores.moved_kinds import KINDS, OWN, SHARED, MovedKind
from perdure.stores.moving import PAGE, MovingStore

SHOWN = 10
"""Of what is skipped for one reason, so many places are told."""
Progress = Callable[[int], None]
"""Is told, after each batch, how many records have been read."""


class Reader(Protocol):
    @property
    def begun(self) -> bool:
        """Until then nothing is left out: it would be another sort of file altogether."""
        ...

    async def records(self, found: bytes | Json, /) -> list[Incoming]: ...

    def finish(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Skipped(Record):
    """What was left out for one reason, and the numbers of the first lines or items that it was."""

    why: str
    count: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ImportReport(Record):
    """By type: how many records were read, and how many of them were new. The others were there already."""

    read: dict[str, int]
    new: dict[str, int]
    skipped: tuple[Skipped, ...]


@dataclass(slots=True)
class _Batch:
    kind: MovedKind
    scope: Scope
    shared: bool
    first: int
    records: list[Any] = field(default_factory=list)

    def takes(self, kind: MovedKind, scope: Scope, shared: bool) -> bool:
        same = (kind, scope.tenant, scope.user, shared) == (self.kind, self.scope.tenant, self.scope.user, self.shared)
        return same and len(self.records) < PAGE


@dataclass(slots=True)
class Importing:
    """One import. What is saved before something is refused stays; run again, it goes on behind it."""

    store: MovingStore
    layer: MemoryLayer
    destination: Destination
    skip_bad: bool
    tell: Progress
    _read: Counter[str] = field(default_factory=Counter)
    _new: Counter[str] = field(default_factory=Counter)
    _skipped: dict[str, list[int]] = field(default_factory=dict)
    _batch: _Batch | None = None

    async def run(self, items: AsyncIterable[bytes | Json], reader: Reader, unit: str) -> ImportReport:
        """Raises `InvalidInput` with the number of the `unit` (line, memory, item) that is refused."""
        number = 0
        async for item in items:
            number += 1
            try:
                placed = [(one, *await self._placed(one)) for one in await reader.records(item)]
            except InvalidInput as error:
                if not (self.skip_bad and reader.begun):
                    raise type(error)(f"{unit} {number}: {error}") from None
                self._skipped.setdefault(str(error), []).append(number)
                continue
            for incoming, record, scope in placed:
                await self._take(incoming, record, scope, number, unit)
        await self._save(number, unit)
        reader.finish()
        skipped = tuple(Skipped(why, len(at), tuple(at[:SHOWN])) for why, at in self._skipped.items())
        return ImportReport(dict(self._read), {kind: self._new[kind] for kind in self._read}, skipped)

    async def _placed(self, incoming: Incoming) -> tuple[Any, Scope]:
        kind, shared = KINDS[incoming.type], not incoming.user
        if kind not in (SHARED if shared else OWN):
            raise InvalidInput(f"no {kind.name} is {'of all users' if shared else 'of one user'}")
        agent = getattr(incoming.record, "agent", "")
        move = self.destination.shared(agent) if shared else self.destination.move(incoming.user, agent)
        vocabulary = await self.layer.vocabularies.of(move.to)
        return kind.place(incoming.record, move, vocabulary, self.layer.clock.now()), move.to

    async def _take(self, incoming: Incoming, record: Any, scope: Scope, number: int, unit: str) -> None:
        kind, shared = KINDS[incoming.type], not incoming.user
        if self._batch and not self._batch.takes(kind, scope, shared):
            await self._save(number - 1, unit)
        if not self._batch:
            self._batch = _Batch(kind, scope, shared, number)
        self._batch.records.append(record)
        self._read[kind.name] += 1

    async def _save(self, last: int, unit: str) -> None:
        """Save what has been gathered. Vectors come first: no connection is held while a model is called."""
        batch, self._batch = self._batch, None
        if batch is None:
            return
        try:
            texts = [text for record in batch.records if (text := batch.kind.text(record))]
            keep = partial(self._keep, batch)
            new = await with_vectors(self.layer.embeddings, batch.scope, texts, keep)
        except InvalidInput as error:
            raise type(error)(f"one of {unit}s {batch.first} to {last}: {error}; none of these is imported") from None
        self._new[batch.kind.name] += new
        self.tell(self._read.total())

    def _keep(self, batch: _Batch, vectors: Mapping[str, Vector]) -> Awaitable[int]:
        return self.store.save(batch.scope, batch.kind, batch.records, vectors, shared=batch.shared)

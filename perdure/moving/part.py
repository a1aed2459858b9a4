"""The part of `Memory` that moves memories between databases. The format is described in `perdure.moving`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from langgraph.store.base import BaseStore

from perdure.graph.context import Context, run_context
from perdure.layer import MemoryLayer
from perdure.moving.destination import Destination
from perdure.moving.foreign import ForeignItems
from perdure.moving.importing import Importing, ImportReport, Progress, Reader
from perdure.moving.lines import FORMAT, VERSION, Header, PerdureLines, Tally, line_of
from perdure.moving.mem0 import item_of, mem0_items
from perdure.moving.records import Json
from perdure.moving.store_items import StoreItems
from perdure.scope import Scope
from perdure.stores.expiry import PostgresExpiry
from perdure.stores.foreign_store import stored_items
from perdure.stores.moved_kinds import KINDS, OWN, SHARED, MovedKind
from perdure.stores.moving import PAGE, MovingStore
from perdure.time import EARLIEST

Origin = Literal["perdure", "mem0", "langgraph-store"]


def _unheard(_: int) -> None:
    """Progress that nobody listens to."""


@dataclass(frozen=True, slots=True)
class Moving:
    layer: MemoryLayer
    store: MovingStore
    expiry: PostgresExpiry

    async def export(
        self, *, all_users: bool = False, user: str | None = None, context: Context | None = None
    ) -> AsyncIterator[bytes]:
        """The lines of a file: of the user with every agent, or of all users of the tenant and what they share.

        A user's statements are those that were recorded before the first of them is read; what has expired is erased
        first, and what is in the archive is left there. Raises `DatabaseError`.
        """
        scope = replace(run_context(user, context).scope, agent="")
        header = Header(FORMAT, VERSION, self.layer.clock.now(), scope.tenant, None if all_users else scope.user)
        tally = Tally()
        yield tally.add(line_of(header.to_json()))
        if all_users:
            for kind in SHARED:
                async for line in self._lines(scope, kind, shared=True):
                    yield tally.add(line, kind.name)
        async for owner in self.store.users(scope) if all_users else _only(scope):
            while await self.expiry.erase(owner, PAGE):
                pass
            for kind in OWN:
                async for line in self._lines(owner, kind):
                    yield tally.add(line, kind.name)
        yield line_of(tally.end().to_json())

    async def import_(
        self,
        lines: Iterable[bytes],
        *,
        origin: Origin = "perdure",
        into: Destination | None = None,
        items: StoreItems | None = None,
        skip_bad: bool = False,
        tell: Progress = _unheard,
        user: str | None = None,
        context: Context | None = None,
    ) -> ImportReport:
        """Store what the lines of a file hold; what is stored already stays as it is.

        ``into`` says what may be written (default: what is the context's user's, where it is), ``items`` how those of a
        LangGraph store are read. What cannot be used is refused, with the number of its line, or left out and reported
        (``skip_bad``). The batches before it are stored: once it is corrected, the same import goes on behind them.
        Raises `InvalidInput`, `ModelUnavailable` (the embedder) or `DatabaseError`.
        """
        into = into or _own(run_context(user, context))
        read = partial(item_of, default_user=into.user or "", tenant=into.tenant)
        match origin:
            case "perdure":
                reader: Reader = PerdureLines({name: kind.record for name, kind in KINDS.items()}, into)
                return await self._run(_each(lines), reader, "line", into, skip_bad, tell)
            case "mem0":
                return await self._run(_each(mem0_items(lines)), ForeignItems(read), "memory", into, skip_bad, tell)
            case _:
                found = _each(line for line in lines if line.strip())
                return await self._items(found, items or StoreItems(), into, skip_bad, tell)

    async def import_store(
        self,
        store: BaseStore | str,
        namespace_prefix: tuple[str, ...] = (),
        *,
        field: str = "",
        into: Destination | None = None,
        skip_bad: bool = False,
        tell: Progress = _unheard,
        user: str | None = None,
        context: Context | None = None,
    ) -> ImportReport:
        """Store the items of a LangGraph store, or of the database of one (a DSN), whose namespaces begin so.

        A label `{user}` in the prefix tells the user. Otherwise as `import_`.
        """
        items = StoreItems(namespace_prefix, field)
        found = stored_items(store, items.prefix) if isinstance(store, str) else _searched(store, items.prefix)
        return await self._items(found, items, into or _own(run_context(user, context)), skip_bad, tell)

    async def _items(
        self,
        found: AsyncGenerator[bytes | Json, None],
        items: StoreItems,
        into: Destination,
        skip_bad: bool,
        tell: Progress,
    ) -> ImportReport:
        read = ForeignItems(partial(items.item_of, default_user=into.user or "", tenant=into.tenant), items.wants)
        return await self._run(found, read, "item", into, skip_bad, tell)

    async def _run(
        self,
        found: AsyncGenerator[bytes | Json, None],
        reader: Reader,
        unit: str,
        into: Destination,
        skip_bad: bool,
        tell: Progress,
    ) -> ImportReport:
        async with aclosing(found):
            return await Importing(self.store, self.layer, into, skip_bad, tell).run(found, reader, unit)

    async def _lines(self, scope: Scope, kind: MovedKind, *, shared: bool = False) -> AsyncIterator[bytes]:
        until = EARLIEST if shared else await self.store.last_recorded(scope)
        async for record in self.store.read(scope, kind, until, shared=shared):
            yield line_of({"type": kind.name, "user": "" if shared else scope.user, **record.to_json()})


def _own(context: Context) -> Destination:
    return Destination(tenant=context.tenant, user=context.user)


async def _only(scope: Scope) -> AsyncIterator[Scope]:
    yield scope


async def _each(found: Iterable[bytes | Json]) -> AsyncGenerator[bytes | Json, None]:
    for one in found:
        yield one


async def _searched(store: BaseStore, prefix: tuple[str, ...]) -> AsyncGenerator[bytes | Json, None]:
    """The items of a store, a page at a time; it must not be written to meanwhile."""
    offset = 0
    while page := await store.asearch(prefix, limit=PAGE, offset=offset, refresh_ttl=False):
        for item in page:
            yield item.dict()
        offset += len(page)

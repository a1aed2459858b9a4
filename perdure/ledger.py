"""What every model call cost, for whom and what for: counted at once, saved a little later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date
from decimal import Decimal
from functools import reduce
from operator import add
from uuid import UUID, uuid4

from perdure.budget import SAVING_FROM, Budget, Spent, free_again
from perdure.calls import Call, Counts
from perdure.errors import BudgetExceeded, DatabaseError, DatabaseUnavailable
from perdure.logs import logger_named
from perdure.prices import Prices
from perdure.scope import NAME_LIMIT, Scope
from perdure.spending import Account
from perdure.stores.costs import CostLine, PostgresCostStore
from perdure.time import Clock

INTERVAL = 5.0
"""Seconds after which what was counted is saved: a process that is killed loses no more than this."""
LAST_SECONDS = 8.0
"""So long an application that ends waits for a database that is away."""
MOST_LINES = 10_000
"""So many lines wait for the database at most, before threads are no longer told apart."""

_LOG = logger_named("perdure")


@dataclass(frozen=True, slots=True)
class _Batch:
    """Lines that are saved together. A save of which nobody knows whether it succeeded is repeated under the same id."""

    lines: dict[CostLine, Counts] = field(default_factory=dict)
    id: UUID = field(default_factory=uuid4)


class CostLedger:
    """Implements `ports.Ledger`. It belongs to one event loop; counting never waits."""

    def __init__(self, store: PostgresCostStore, prices: Prices, budget: Budget, clock: Clock) -> None:
        self._store = store
        self._prices = prices
        self._budget = budget
        self._clock = clock
        self._pending: dict[CostLine, Counts] = {}
        self._batch = _Batch()
        self._saving = asyncio.Lock()

    def record(self, account: Account, call: Call) -> None:
        model, thread = _name(call.model), _name(account.thread)
        line = CostLine(account.scope, thread, self._today(), _name(call.purpose), model)
        if line not in self._pending and len(self._pending) >= MOST_LINES:
            line = replace(line, thread="")
        price = self._prices.cost(call.model, call.tokens)
        self._pending[line] = self._pending.get(line, Counts()) + Counts.of(call, price)

    async def admit(self, scope: Scope) -> None:
        """Raises `BudgetExceeded` if the day's budget of the user is used up. Without a budget nothing is asked."""
        if used := await self._used(scope, Decimal(1)):
            again = free_again(self._today())
            raise BudgetExceeded(
                f"today's budget of this user is used up ({used}): nothing was asked or written; it is free again at"
                f" {again:%Y-%m-%dT%H:%MZ}; raise PERDURE_DAILY_BUDGET or PERDURE_DAILY_TOKENS to go on before"
            )

    async def saving(self, scope: Scope) -> str:
        """Why no extraction is paid for, as of `SAVING_FROM`; empty if it is."""
        if used := await self._used(scope, SAVING_FROM):
            return (
                f"today's budget is nearly used up ({used}): `perdure backfill` extracts this exchange on another day"
            )
        return ""

    async def spent(self, scope: Scope) -> Spent:
        """Of the user today, all agents and threads together, with what this process has not saved yet."""
        async with self._saving:  # else what is being saved would count twice, or not at all
            stored = await self._store.spent(scope, self._today())
            unsaved = reduce(add, self._unsaved(scope), Counts())
        return Spent(stored.price + unsaved.price, stored.tokens + unsaved.tokens)

    async def flush(self) -> None:
        """Save what was counted. Raises `DatabaseError`: it is kept then, to be saved the next time."""
        async with self._saving:
            while self._sealed():
                await self._store.add(self._batch.lines, self._batch.id)
                self._batch = _Batch()

    async def forget(self, scope: Scope, thread: str | None) -> Mapping[str, int]:
        """Implements `ports.Elsewhere`: of a user who is being erased, what was counted is not saved any more.

        Of a thread it is saved now: its rows keep their numbers, and lose its name. Raises `DatabaseError`.
        """
        if thread is not None:
            await self.flush()
            return {}
        async with self._saving:
            for lines in (self._pending, self._batch.lines):
                for line in [line for line in lines if _is_of(line, scope)]:
                    del lines[line]
        return {}

    async def bring_back(self, scope: Scope, thread: str) -> None:
        """Implements `ports.Elsewhere`: numbers have no words of anybody's."""

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Save again and again, and once more on leaving."""
        keeping = asyncio.create_task(self._keep())
        try:
            yield
        finally:
            keeping.cancel()
            with suppress(asyncio.CancelledError):
                await keeping
            await self._flush_at_last()

    async def _keep(self) -> None:
        away = False
        while True:
            await asyncio.sleep(INTERVAL)
            try:
                await self.flush()
                away = False
            except DatabaseUnavailable as error:
                if not away:
                    _LOG.warning("costs are saved later: %s", error)
                away = True
            except Exception as error:  # noqa: BLE001 - what cannot be saved must not keep out what comes after it
                self._give_up(type(error).__name__)

    async def _flush_at_last(self) -> None:
        try:
            async with asyncio.timeout(LAST_SECONDS):
                while True:
                    try:
                        return await self.flush()
                    except DatabaseUnavailable:
                        await asyncio.sleep(0.5)
        except (TimeoutError, DatabaseError) as error:
            self._give_up(type(error).__name__)

    def _give_up(self, why: str) -> None:
        calls = sum(counts.calls for counts in self._batch.lines.values())
        _LOG.warning("the costs of %d model calls could not be saved (%s) and are lost", calls, why)
        self._batch = _Batch()

    async def _used(self, scope: Scope, share: Decimal) -> str:
        return self._budget.told(await self.spent(scope), share) if self._budget else ""

    def _sealed(self) -> Mapping[CostLine, Counts]:
        """The lines to be saved now: those that were tried before go first, and nothing is added to them."""
        if not self._batch.lines:
            self._batch, self._pending = _Batch(self._pending), {}
        return self._batch.lines

    def _unsaved(self, scope: Scope) -> list[Counts]:
        lines = (*self._pending.items(), *self._batch.lines.items())
        return [counts for line, counts in lines if _is_of(line, scope) and line.day == self._today()]

    def _today(self) -> date:
        return self._clock.now().astimezone(UTC).date()


def _is_of(line: CostLine, scope: Scope) -> bool:
    return (line.scope.tenant, line.scope.user) == (scope.tenant, scope.user)


def _name(text: str) -> str:
    """A name that was given from outside, as a database takes it."""
    return "".join(character for character in text[:NAME_LIMIT] if character.isprintable())

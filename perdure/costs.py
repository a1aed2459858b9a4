"""What was spent on models: the part of `Memory` that reads the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import add
from typing import Any

from perdure.calls import Counts
from perdure.graph.context import Context, run_context
from perdure.ledger import CostLedger
from perdure.plain import Record, plain
from perdure.stores.costs import By, PostgresCostStore


@dataclass(frozen=True, slots=True)
class Cost(Record):
    """What calls with something in common came to. ``name`` is the purpose, model, thread, day or user that they have."""

    name: str
    counts: Counts

    @property
    def price(self) -> float | None:
        """USD; None if it is known of no call that costs something. A part of it where `counts.unpriced` is not 0."""
        return None if self.counts.unpriced and not self.counts.price else float(self.counts.price)

    @property
    def mean_ms(self) -> float | None:
        return self.counts.latency_ms / self.counts.calls if self.counts.calls else None

    @property
    def cache_hit_rate(self) -> float | None:
        """The part of the texts whose vectors were known already; None if none was wanted."""
        return self.counts.cached_texts / self.counts.texts if self.counts.texts else None

    def to_json(self) -> dict[str, Any]:
        counts = self.counts
        return {
            "name": self.name,
            "calls": counts.calls,
            "failed": counts.failed,
            "input_tokens": counts.input_tokens,
            "cached_input_tokens": counts.cached_input_tokens,
            "output_tokens": counts.output_tokens,
            "price_usd": self.price,
            "unpriced_calls": counts.unpriced,
            "mean_ms": self.mean_ms and round(self.mean_ms, 1),
            "slowest_ms": counts.slowest_ms,
            "texts": counts.texts,
            "cached_texts": counts.cached_texts,
            "cache_hit_rate": self.cache_hit_rate,
        }


@dataclass(frozen=True, slots=True)
class CostReport(Record):
    """``since`` is a day of UTC, or None for all that there is."""

    by: By
    since: date | None
    costs: tuple[Cost, ...]
    total: Cost

    def to_json(self) -> dict[str, Any]:
        since = self.since and self.since.isoformat()
        return {"by": self.by, "since": since, "costs": plain(self.costs), "total": self.total.to_json()}


@dataclass(frozen=True, slots=True)
class Costs:
    """The ledger of the memory. Whoever calls models for a user outside of a turn does so within `spending`."""

    ledger: CostLedger
    store: PostgresCostStore

    async def of(
        self, *, by: By = "purpose", since: date | None = None, user: str | None = None, context: Context | None = None
    ) -> CostReport:
        """What the user has spent, with what this process did a moment ago; of one agent if the context names one.

        By ``user``, it is that of every user of the tenant. ``since`` is a day of UTC. Raises `DatabaseError`.
        """
        scope = run_context(user, context).scope
        await self.ledger.flush()
        costs = tuple(Cost(name, counts) for name, counts in await self.store.read(scope, by, since))
        total = reduce(add, (cost.counts for cost in costs), Counts())
        return CostReport(by, since, costs, Cost("total", total))

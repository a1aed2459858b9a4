"""The profile of a user: what is known of each thing that has one value at a time, such as home city or employer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from perdure.facts import Kind
from perdure.graph.context import Context, run_context
from perdure.plain import Record
from perdure.stores.profile import PostgresProfileStore
from perdure.time import Clock, check_instant


@dataclass(frozen=True, slots=True)
class ProfileEntry(Record):
    """The value of one attribute, and since when it is."""

    value: str
    content: str
    """The sentence that says so, in the user's language."""
    kind: Kind
    since: datetime
    dated: bool
    """Whether the start was told; else it is when the fact was, or `UNKNOWN_START`."""
    until: datetime | None
    importance: int
    confidence: float
    corroboration: int
    agent: str
    """Whose knowledge it is; empty for what all agents of the user share."""
    fact: UUID


@dataclass(frozen=True, slots=True)
class Profile:
    """The part of `Memory` that reads profiles."""

    store: PostgresProfileStore
    clock: Clock

    async def of(self, user: str | None = None, context: Context | None = None) -> dict[str, ProfileEntry]:
        """What holds at the context's `as_of` (default: now), as known at its `as_known_at`, by attribute in order.

        One statement, no model: it can be read with every request. Raises `InvalidTime` or `DatabaseError`.
        """
        run = run_context(user, context)
        known = run.as_known_at and check_instant(run.as_known_at, "as_known_at")
        at = check_instant(run.as_of or known or self.clock.now(), "as_of")
        rows = await self.store.read(run.scope, at=at, known=known, now=self.clock.now())
        return {row.pop("attribute"): ProfileEntry(**row) for row in rows}

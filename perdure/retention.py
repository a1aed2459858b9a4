"""How long each kind of memory is kept in the database at least. What fades goes to the archive; nothing is destroyed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from perdure.strength import Traits, falls_below

Days = Annotated[int, Field(ge=1, le=100_000)] | Literal["forever"]

FADED = 0.05
"""A memory that is weaker than this has faded."""
REGARDLESS = frozenset({"tool_result"})
"""Kinds whose retention alone decides: what a tool gave back is not worth more for having been quoted."""


class Retention(BaseModel):
    """Days for which a kind is kept whatever becomes of it. After them it fades when its strength falls below `FADED`.

    By default only what is bulky fades: word-for-word exchanges after a year in which they were of no use, and results of
    tools. Facts never do, nor what has happened, unless it is asked for; what is permanent (see `perdure.strength`) does
    not even then.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    profile: Days = "forever"
    preference: Days = "forever"
    goal: Days = "forever"
    interest: Days = "forever"
    project: Days = "forever"
    fact: Days = "forever"
    policy: Days = "forever"
    other: Days = "forever"
    exchange: Days = 365
    tool_result: Days = 90
    session: Days = "forever"
    task: Days = "forever"
    decision: Days = "forever"
    event: Days = "forever"
    lesson: Days = "forever"

    @property
    def fading_kinds(self) -> list[str]:
        """Those that are not kept for ever."""
        return [kind for kind in type(self).model_fields if self._days(kind) is not None]

    def fades_at(self, traits: Traits) -> datetime | None:
        """When a memory will fade, if nobody uses it; None if it is kept for ever."""
        days, weak_at = self._days(traits.kind), falls_below(traits, FADED)
        if days is None or weak_at is None:
            return None
        kept_until = traits.since + timedelta(days=days)
        return kept_until if traits.kind in REGARDLESS else max(kept_until, weak_at)

    def _days(self, kind: str) -> int | None:
        days = getattr(self, kind, "forever")
        return None if days == "forever" else int(days)

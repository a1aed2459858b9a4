"""What a user may spend in a day, a day of UTC: a user who could name the time zone could begin a new day at will."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Final

SAVING_FROM: Final = Decimal("0.8")
"""The share of a budget from which on nothing is extracted: what is left is for replies."""


@dataclass(frozen=True, slots=True)
class Spent:
    """USD, and tokens of input and output."""

    price: Decimal = Decimal(0)
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one user and day, in USD and in tokens, each None for none."""

    price: Decimal | None = None
    tokens: int | None = None

    def __bool__(self) -> bool:
        return self.price is not None or self.tokens is not None

    def told(self, spent: Spent, share: Decimal) -> str:
        """What is used up to at least this share of it, in words; empty if nothing is."""
        return " and ".join(self._used(spent, share))

    def _used(self, spent: Spent, share: Decimal) -> Iterator[str]:
        if self.price is not None and spent.price >= self.price * share:
            yield f"{spent.price:.4f} of {self.price} USD"
        if self.tokens is not None and spent.tokens >= self.tokens * share:
            yield f"{spent.tokens} of {self.tokens} tokens"


def free_again(day: date) -> datetime:
    """When the budget of the day after begins."""
    return datetime.combine(day + timedelta(days=1), time.min, UTC)

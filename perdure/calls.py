"""Model calls, and what many of them come to."""

from __future__ import annotations

from dataclasses import dataclass, fields
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a server says that it bills for one call."""

    input: int = 0
    cached_input: int = 0
    """Of the input, what the server had read before."""
    output: int = 0

    @property
    def total(self) -> int:
        return self.input + self.output


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model, retries and refusals included; or, with no `calls`, texts that were looked up."""

    purpose: str
    model: str
    tokens: Tokens | None = Tokens()
    """None where the server may bill what it has not told: it answered without a count, or the answer broke off."""
    calls: int = 1
    failed: bool = False
    seconds: float = 0.0
    texts: int = 0
    """Texts whose vectors were wanted, and of these such whose vectors were known already."""
    cached_texts: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """The sum of calls. ``price`` is in USD; ``unpriced`` are the calls of which nobody knows it, and which are not in it."""

    calls: int = 0
    failed: int = 0
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    texts: int = 0
    cached_texts: int = 0
    price: Decimal = Decimal(0)
    unpriced: int = 0
    latency_ms: int = 0
    """Of all of them together."""
    slowest_ms: int = 0

    @classmethod
    def of(cls, call: Call, price: Decimal | None) -> Counts:
        tokens, latency = call.tokens or Tokens(), round(call.seconds * 1000)
        return cls(
            calls=call.calls,
            failed=int(call.failed),
            input_tokens=tokens.input,
            cached_input_tokens=tokens.cached_input,
            output_tokens=tokens.output,
            texts=call.texts,
            cached_texts=call.cached_texts,
            price=price or Decimal(0),
            unpriced=call.calls if price is None else 0,
            latency_ms=latency,
            slowest_ms=latency,
        )

    def __add__(self, other: Counts) -> Counts:
        sums = {one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)}
        return Counts(**{**sums, "slowest_ms": max(self.slowest_ms, other.slowest_ms)})

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

"""What models cost, as the settings say. None is built in: prices change, and a wrong one is worse than none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from perdure.calls import Tokens

Amount = Annotated[Decimal, Field(ge=0, allow_inf_nan=False)]

_MILLION: Final = Decimal(1_000_000)
_SAME_MODEL: Final = re.compile(r"(-\d{4}|-\d{8}|-\d{4}-\d\d-\d\d|-latest)?([@:/].*)?", re.DOTALL)
"""What may follow a priced name: a date, and what a server or an embedder adds. Not "-32k" or ".1": those are other models."""


class Price(BaseModel):
    """USD per million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: Amount
    cached_input: Amount | None = None
    """Of input that the server had read before; the same as other input, where it is not given."""
    output: Amount = Decimal(0)

    def of(self, tokens: Tokens) -> Decimal:
        cached = self.input if self.cached_input is None else self.cached_input
        new = tokens.input - tokens.cached_input
        return (new * self.input + tokens.cached_input * cached + tokens.output * self.output) / _MILLION


@dataclass(frozen=True, slots=True)
class Prices:
    by_model: Mapping[str, Price] = field(default_factory=dict)

    def of(self, model: str) -> Price | None:
        """The price of the longest name that the model's begins with and that is the same model; None if none is.

        "gpt-x" prices "gpt-x-2026-01-31" and "provider/gpt-x", and not "gpt-x-large".
        """
        for name in (model, model.partition("/")[2]):
            fitting = [priced for priced in self.by_model if priced and _is_of(name, priced)]
            if fitting:
                return self.by_model[max(fitting, key=len)]
        return None

    def cost(self, model: str, tokens: Tokens | None) -> Decimal | None:
        """In USD; None if it cannot be known. No tokens cost nothing, whatever the model."""
        if tokens is None:
            return None
        price = self.of(model)
        return price.of(tokens) if price else None if tokens.total else Decimal(0)


def _is_of(name: str, priced: str) -> bool:
    return name.startswith(priced) and _SAME_MODEL.fullmatch(name, len(priced)) is not None

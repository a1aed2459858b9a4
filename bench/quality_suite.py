"""What a suite is given, and what it gives: rows of figures, one per contestant, beside a target."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from bench.quality_perdure import Perdure
from bench.rankers import Contest
from perdure.plain import Record

Split = Literal["all", "dev", "held-out"]
OURS = Perdure.name
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Target(Record):
    """What Perdure's figure has to reach."""

    bound: float
    at_most: bool = False

    def met_by(self, figure: float) -> bool:
        return figure <= self.bound if self.at_most else figure >= self.bound

    def __str__(self) -> str:
        return f"{'≤' if self.at_most else '≥'} {self.bound:.3f}"


@dataclass(frozen=True, slots=True)
class Row(Record):
    suite: str
    metric: str
    cases: int
    figures: Mapping[str, float | None]
    """In 0..1 by contestant; None where there was nothing to measure. Who is missing cannot take part."""
    target: Target | None = None
    """None for what is reported as information."""
    note: str = ""

    @property
    def verdict(self) -> str:
        """`met`, `missed`, or nothing."""
        ours = self.figures.get(OURS)
        if self.target is None or ours is None:
            return ""
        return "met" if self.target.met_by(ours) else "missed"


@dataclass(frozen=True, slots=True)
class Bench:
    data: Path
    contest: Contest
    perdure: Perdure
    """The contestant, for what no other can be asked."""
    split: Split
    seed: int

    def chosen(self, items: Sequence[_Item], is_dev: Callable[[int, _Item], bool]) -> list[_Item]:
        """Those of the split. What is tuned is tuned on the development half; the other half is what counts."""
        return [
            item
            for number, item in enumerate(items, 1)
            if self.split == "all" or (self.split == "dev") == is_dev(number, item)
        ]

    def json(self, name: str) -> Any:
        return json.loads((self.data / name).read_text(encoding="utf-8"))

    def lines(self, name: str) -> list[Any]:
        """The objects of a file of JSON lines."""
        return [json.loads(line) for line in (self.data / name).read_text(encoding="utf-8").splitlines() if line]


@dataclass(frozen=True, slots=True)
class Suite:
    name: str
    files: tuple[str, ...]
    """What it reads of the data folder."""
    run: Callable[[Bench], Awaitable[list[Row]]]


def is_odd(number: int, item: object) -> bool:
    """The odd-numbered are the development half."""
    return number % 2 == 1

"""Vectors for tests of the store: deterministic, of unit length, and unlike for unlike texts."""

from __future__ import annotations

import random
from collections.abc import Iterable

MODEL = "test-vectors"
DIMENSION = 16


def vector(text: str) -> list[float]:
    numbers = random.Random(text)
    raw = [numbers.gauss(0, 1) for _ in range(DIMENSION)]
    length = sum(x * x for x in raw) ** 0.5
    return [x / length for x in raw]


def vectors(texts: Iterable[str]) -> dict[str, list[float]]:
    return {text: vector(text) for text in texts if text}

"""Vectors as they come from a model: counted, measured and brought to unit length."""

from __future__ import annotations

import math
from collections.abc import Sequence

from perdure.errors import ModelReplyInvalid
from perdure.ports import Vector


def unit_vectors(vectors: Sequence[Sequence[float]], *, count: int, dimension: int, model: str) -> list[Vector]:
    """`count` vectors of `dimension` numbers, of length 1.

    Raises `ModelReplyInvalid` for another number of either, and for a vector without a direction (zero, NaN, infinite).
    """
    if len(vectors) != count:
        raise ModelReplyInvalid(
            f"embedding model {model!r} answered {count} texts with {len(vectors)} vectors: try again"
        )
    return [_unit(vector, dimension, model) for vector in vectors]


def _unit(vector: Sequence[float], dimension: int, model: str) -> Vector:
    if len(vector) != dimension:
        raise ModelReplyInvalid(
            f"embedding model {model!r} answered with a vector of {len(vector)} numbers instead of {dimension}:"
            " check PERDURE_EMBEDDING_MODEL and PERDURE_EMBEDDING_DIMENSIONS"
        )
    length = math.hypot(*vector)
    if not (math.isfinite(length) and length > 0):
        raise ModelReplyInvalid(f"embedding model {model!r} answered with a vector of length {length}: try again")
    return [number / length for number in vector]

"""A vector that knows which model made it, so that it is never compared with, or kept as, one of another."""

from __future__ import annotations

from collections.abc import Iterable

from perdure.ports import Vector


class ModelVector(list[float]):
    """Equal to its numbers. ``model`` is the identity of the embedder that made it."""

    __slots__ = ("model",)

    def __init__(self, numbers: Iterable[float], model: str) -> None:
        super().__init__(numbers)
        self.model = model


def model_of(vector: Vector) -> str | None:
    """None for plain numbers: whoever hands them in says that they are of the model in force."""
    return vector.model if isinstance(vector, ModelVector) else None

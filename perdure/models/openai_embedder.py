"""Embeddings of an OpenAI-compatible server."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from perdure.errors import ConfigurationError, ModelReplyInvalid
from perdure.models.chat import DEFAULT_BASE_URL, server_key
from perdure.models.failures import model_failures
from perdure.models.per_loop import PerLoop
from perdure.models.vectors import unit_vectors
from perdure.ports import Vector
from perdure.settings import Settings
from perdure.tokens import clip_tokens

if TYPE_CHECKING:
    from langchain_openai import OpenAIEmbeddings

KNOWN_DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
TEXTS_PER_CALL = 512
TEXT_TOKENS = 6_000
"""Longer texts are embedded by their beginning: the models refuse more than 8191 tokens, and this is an estimate."""


class OpenAIEmbedder:
    """`perdure.ports.Embedder` by a server. Made by `OpenAIEmbedder.open`, which finds out the dimension."""

    def __init__(self, settings: Settings, dimension: int) -> None:
        self._settings = settings
        self._name = settings.embedding_model
        self._dimension = dimension
        self._clients: PerLoop[OpenAIEmbeddings] = PerLoop()

    @classmethod
    async def open(cls, settings: Settings) -> OpenAIEmbedder:
        """The embedder that the settings name. A model whose dimension nobody tells is asked for one vector.

        Raises `ConfigurationError` when no server is configured, `ModelUnavailable` when it cannot be asked.
        """
        name = settings.embedding_model
        if settings.offline:
            raise ConfigurationError(
                f"no server is configured for embedding model {name!r}: set OPENAI_API_KEY or OPENAI_BASE_URL,"
                " or unset PERDURE_EMBEDDING_MODEL to use the local model"
            )
        embedder = cls(settings, settings.embedding_dimensions or KNOWN_DIMENSIONS.get(name, 0))
        if not embedder.dimension:
            embedder._dimension = await embedder._probe()
        return embedder

    @property
    def model(self) -> str:
        return f"{self._name}/{self._dimension}"

    @property
    def dimension(self) -> int:
        return self._dimension

    async def embed_query(self, text: str) -> Vector:
        """Raises `ModelUnavailable` when the call failed, and `ModelReplyInvalid` for no usable vector."""
        return (await self.embed_documents([text]))[0]

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        """Raises `ModelUnavailable` when the call failed, and `ModelReplyInvalid` for no usable vectors."""
        vectors = await self._ask([clip_tokens(text, TEXT_TOKENS) for text in texts])
        return unit_vectors(vectors, count=len(texts), dimension=self._dimension, model=self._name)

    async def _probe(self) -> int:
        vectors = await self._ask(["dimension"])
        if not (vectors and vectors[0]):
            raise ModelReplyInvalid(f"embedding model {self._name!r} answered without a vector: check OPENAI_BASE_URL")
        return len(vectors[0])

    async def _ask(self, texts: list[str]) -> list[list[float]]:
        client = await self._clients.get(self.model, partial(_client, self._settings, self.model))
        with model_failures("embed", self._name):
            return await client.aembed_documents(texts)


def _client(settings: Settings, model: str) -> OpenAIEmbeddings:
    from langchain_openai import OpenAIEmbeddings

    from perdure.models.metered_client import MeteredClient

    return OpenAIEmbeddings(
        model=settings.embedding_model,
        dimensions=settings.embedding_dimensions,
        base_url=settings.openai_base_url or DEFAULT_BASE_URL,
        api_key=server_key(settings),
        timeout=settings.model_timeout,
        max_retries=settings.model_retries,
        chunk_size=TEXTS_PER_CALL,
        # Other servers understand neither token numbers instead of text nor vectors in base64.
        check_embedding_ctx_length=False,
        model_kwargs={"encoding_format": "float"},
        http_async_client=MeteredClient("embed", model),
    )

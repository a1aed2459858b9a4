"""Which embedding model a database is of, and how those who use vectors follow it when it is changed under them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from perdure.errors import EmbedderChanged

if TYPE_CHECKING:
    from perdure.ports import Embeddings, Vector
    from perdure.scope import Scope

PATIENCE = 60.0
"""Seconds after which whoever finds the model changed, again and again, is told so."""
PAUSE = 0.05
"""Seconds until the next try of a writer who came while the models change places."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ModelInForce:
    """``name`` and ``dimensions`` are what settings call the model; ``name`` is empty if no other was ever in force."""

    model: str
    name: str
    dimensions: int | None


async def with_vectors(
    embeddings: Embeddings,
    scope: Scope,
    texts: Sequence[str],
    keep: Callable[[dict[str, Vector]], Awaitable[Result]],
) -> Result:
    """What `keep` gives, to which the vectors of the texts are given: those of the model that is then in force.

    No connection is held while they are computed. Raises as `in_current_model` does.
    """

    async def attempt() -> Result:
        return await keep(await embeddings.documents(scope, texts))

    return await in_current_model(embeddings, attempt)


async def in_current_model(embeddings: Embeddings, attempt: Callable[[], Awaitable[Result]]) -> Result:
    """What `attempt` gives, which embeds and then asks the store; again in the new model, if it was changed meanwhile.

    Raises `EmbedderChanged` if that does not end, and `ConfigurationError` or `ModelUnavailable` where the new model
    cannot be used by this process.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return await attempt()
        except EmbedderChanged:
            if time.monotonic() > until:
                raise
        if not await embeddings.follow():
            await asyncio.sleep(PAUSE)

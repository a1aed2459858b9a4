"""The embedder that takes the place of another one when the database has gone over to another model."""

from __future__ import annotations

from perdure.errors import ConfigurationError
from perdure.models.embedder import open_embedder
from perdure.ports import Embedder, EmbedderRegister
from perdure.settings import Settings


class Succession:
    """Opens the model that is in force, by this process's own server and key."""

    def __init__(self, settings: Settings, register: EmbedderRegister) -> None:
        self._settings = settings
        self._register = register

    async def after(self, embedder: Embedder) -> Embedder:
        """The embedder of the model in force; the same one if it still is. Raises as `open_embedder` does."""
        found = await self._register.in_force()
        if found.model == embedder.model:
            return embedder
        if not found.name:
            raise ConfigurationError(
                f"the database holds vectors of {found.model}, and nothing says how settings name it: set"
                " PERDURE_EMBEDDING_MODEL to it, and start again"
            )
        opened = await open_model(self._settings, found.name, found.dimensions)
        if opened.model != found.model:
            raise ConfigurationError(
                f"the database has gone over to the embedding model {found.model}, but {found.name!r} is {opened.model}"
                " here: correct the settings of the server, and start again"
            )
        return opened


async def open_model(settings: Settings, name: str, dimensions: int | None) -> Embedder:
    """The embedder of this name, by the server and key of the settings."""
    return await open_embedder(
        settings.model_copy(update={"embedding_model": name, "embedding_dimensions": dimensions})
    )

"""Which databases a process uses: those that the settings name, else the embedded PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from pydantic import SecretStr

from perdure.settings import Settings


@dataclass(frozen=True, slots=True)
class Databases:
    """Connection strings of the memory store and of the checkpoints (often the same), and where they are, in words."""

    memory: str
    checkpoints: str
    place: str
    revive: Callable[[], Awaitable[None]] | None = None
    """Starts the embedded server again if it has been killed."""


@asynccontextmanager
async def open_databases(settings: Settings, *, ephemeral: bool = False) -> AsyncIterator[Databases]:
    """Start the embedded PostgreSQL if the settings leave any database open; it stops with its last user.

    ``ephemeral`` gives up durability for speed, for data that is thrown away. Raises `EmbeddedPostgresError`.
    """
    memory = settings.memory_url or settings.database_url
    checkpoints = settings.checkpoint_url or settings.database_url
    if memory and checkpoints:
        yield _named(memory, checkpoints)
        return
    from perdure.embedded import EmbeddedPostgres

    server = EmbeddedPostgres(settings.home, ephemeral=ephemeral)
    dsn = await asyncio.to_thread(server.start)
    try:
        place = f"using the embedded PostgreSQL in {server.data_directory} (set DATABASE_URL to use another)"
        yield Databases(
            _secret(memory) or dsn,
            _secret(checkpoints) or dsn,
            place,
            partial(asyncio.to_thread, server.ensure_running),
        )
    finally:
        await asyncio.to_thread(server.stop)


def _named(memory: SecretStr, checkpoints: SecretStr) -> Databases:
    from perdure.stores.pool import place

    urls = memory.get_secret_value(), checkpoints.get_secret_value()
    places = dict.fromkeys(map(place, urls))
    return Databases(*urls, f"using PostgreSQL at {' and '.join(places)}")


def _secret(url: SecretStr | None) -> str:
    return url.get_secret_value() if url else ""

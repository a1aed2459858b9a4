"""Clients of a server, one per event loop: the connections of one belong to the loop in which they were opened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Client = TypeVar("Client")


class PerLoop(Generic[Client]):
    """What `build` makes for a key, once in each event loop. It is forgotten when its loop is closed."""

    def __init__(self) -> None:
        self._clients: dict[asyncio.AbstractEventLoop, dict[Hashable, Client]] = {}

    async def get(self, key: Hashable, build: Callable[[], Client]) -> Client:
        """`build` runs in a thread: what it imports and the certificates it reads would block the event loop."""
        clients = self._clients.get(loop := asyncio.get_running_loop())
        if clients is None:
            self._clients = {loop: clients for loop, clients in self._clients.items() if not loop.is_closed()}
            clients = self._clients[loop] = {}
        if (client := clients.get(key)) is None:
            client = clients.setdefault(key, await asyncio.to_thread(build))
        return client

"""A proxy in front of PostgreSQL that reads the wire protocol: it counts round trips, and can pose as a pooler."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from psycopg.conninfo import conninfo_to_dict, make_conninfo

NO_PROCESS = (1 << 30).to_bytes(4, "big")


@dataclass(slots=True)
class WireProxy:
    """``round_trips`` are the times that a client was given what it had waited for, however much that was."""

    dsn: str = ""
    pooler: bool = False
    round_trips: int = 0


@asynccontextmanager
async def proxied(dsn: str, *, pooler: bool = False) -> AsyncGenerator[WireProxy, None]:
    """A proxy before the server of `dsn`, which listens on a socket. A pooler announces processes of its own."""
    proxy = WireProxy(pooler=pooler)
    parts = conninfo_to_dict(dsn)
    socket = f"{parts['host']}/.s.PGSQL.{parts.get('port', 5432)}"
    links: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        links.add(asyncio.create_task(_Link(proxy).run(reader, writer, socket)))

    async with await asyncio.start_server(accept, "127.0.0.1", 0) as listening:
        host, port = listening.sockets[0].getsockname()
        proxy.dsn = make_conninfo(dsn, host=host, port=port, sslmode="disable", gssencmode="disable")
        yield proxy
        await asyncio.gather(*links)


@dataclass(slots=True)
class _Link:
    """One connection. Answers are held back until all that was asked is answered: no race decides what is counted."""

    proxy: WireProxy
    executes: int = 0
    syncs: int = 0
    waited_for: bool = False

    async def run(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter, socket: str) -> None:
        server, to_server = await asyncio.open_unix_connection(socket)
        await asyncio.gather(self._ask(client, to_server), self._answer(server, to_client))

    async def _ask(self, client: asyncio.StreamReader, server: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            server.write(await _body(client))  # the first message has no kind
            while True:
                kind = await client.readexactly(1)
                body = await _body(client)
                match kind:
                    case b"E":  # Execute
                        self.executes += 1
                    case b"Q" | b"S":  # Query, Sync
                        self.syncs += 1
                        self.waited_for = True
                    case b"H":  # Flush
                        self.waited_for = True
                server.write(kind + body)
        server.close()

    async def _answer(self, server: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        held = b""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                kind = await server.readexactly(1)
                body = await _body(server)
                match kind:
                    case b"K" if self.proxy.pooler:  # BackendKeyData
                        body = body[:4] + NO_PROCESS + body[8:]
                    case b"C" | b"I" | b"s":  # CommandComplete, EmptyQueryResponse, PortalSuspended
                        self.executes = max(0, self.executes - 1)
                    case b"E":  # ErrorResponse: the rest is skipped
                        self.executes = 0
                    case b"Z":  # ReadyForQuery
                        self.syncs = max(0, self.syncs - 1)
                held += kind + body
                if not (self.executes or self.syncs):
                    self.proxy.round_trips += self.waited_for
                    self.waited_for = False
                    client.write(held)
                    held = b""
        client.close()


async def _body(stream: asyncio.StreamReader) -> bytes:
    length = await stream.readexactly(4)
    return length + await stream.readexactly(int.from_bytes(length, "big") - 4)

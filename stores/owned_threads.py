"""A user's threads as the checkpointer keeps them, also those whose id Perdure did not make."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from perdure.scope import Scope
from perdure.stores.pool import Connection
from perdure.stores.sql import statements
from perdure.threads import thread_prefix

_SQL = statements("owned_threads")


async def threads_of_user(connection: Connection, scope: Scope, told: Iterable[str]) -> list[str]:
    """The ids of all threads of the user: by their id, by what their state says, and by the memories that came from them.

    ``told`` are names of threads that memories came from. Only a UUID counts among them: that a host application calls a
    thread of somebody else's "t1" as this user does is likely, that two threads have one UUID is not.
    """
    parameters = {"prefix": thread_prefix(scope), "named": list(filter(_is_uuid, told)), "scope": scope_bytes(scope)}
    return [row["thread"] async for row in await connection.execute(_SQL["of_user"], parameters)]


async def threads_of_nobody(connection: Connection) -> list[str]:
    """The ids of threads that do not tell whose they are."""
    return [row["thread"] async for row in await connection.execute(_SQL["of_nobody"])]


async def delete_thread(connection: Connection, thread: str) -> dict[str, int]:
    """Delete a thread's checkpoints, with their values and writes; rows per table."""
    row = await (await connection.execute(_SQL["delete"], {"thread": thread})).fetchone()
    assert row
    return dict(row)


def scope_bytes(scope: Scope) -> bytes:
    """The state's channel `scope`, as it is saved (`ScopeState`)."""
    return JsonPlusSerializer().dumps_typed({"tenant": scope.tenant, "user": scope.user})[1]


def _is_uuid(name: str) -> bool:
    try:
        return str(UUID(name)) == name.lower()
    except ValueError:
        return False

"""The thread that a node runs in, by the name that its user knows."""

from __future__ import annotations

from langgraph.runtime import Runtime

from perdure.errors import InvalidScope
from perdure.graph.context import Context
from perdure.scope import Scope
from perdure.threads import parse_thread_key


def thread_name(runtime: Runtime[Context], scope: Scope) -> str:
    """The name without the scope where Perdure gave the id, else the id as it is; empty without a checkpointer.

    Raises `InvalidScope` for a thread of another tenant or user.
    """
    thread = (runtime.execution_info and runtime.execution_info.thread_id) or ""
    try:
        owner, name = parse_thread_key(thread)
    except InvalidScope:
        return thread
    if (owner.tenant, owner.user) != (scope.tenant, scope.user):
        raise InvalidScope("this thread belongs to another user: begin a new one")
    return name

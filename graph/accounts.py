"""On whose account a node's models are called: that of its run's user, for the thread of its turn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from langgraph.runtime import Runtime

from perdure.graph.context import Context, context_of
from perdure.graph.state import State
from perdure.graph.thread import thread_name
from perdure.ports import Ledger
from perdure.spending import spending


class Charged(Protocol):
    """A node as LangGraph calls it."""

    def __call__(self, state: State, *, runtime: Runtime[Context]) -> Awaitable[dict[str, Any]]: ...


def on_account(node: Callable[[State, Runtime[Context]], Awaitable[dict[str, Any]]], ledger: Ledger) -> Charged:
    """The node, its calls charged. A turn that is made up for elsewhere is charged to the thread that it belongs to."""

    async def charged(state: State, *, runtime: Runtime[Context]) -> dict[str, Any]:
        scope = context_of(runtime).scope
        thread = (state.get("turn") or {}).get("thread") or thread_name(runtime, scope)
        with spending(ledger, scope, thread):
            return await node(state, runtime)

    return charged

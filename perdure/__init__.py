"""Perdure: long-term memory for LangGraph agents in which every fact has a term.

    async with open_memory() as memory:
        answer = await memory.ask("I moved to Seoul last month.", user="u1", thread="t1")

The folders graph/, nodes/ and stores/ at the top of the repository install as perdure.graph, perdure.nodes and
perdure.stores; the symlinks beside this file are for editors and type checkers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from perdure.answer import Answer, ThreadSummary
    from perdure.app import open_memory
    from perdure.errors import PerdureError
    from perdure.facts import Action, Fact, Operation, Receipt, Source, Statement
    from perdure.graph.context import Context
    from perdure.layer import MemoryLayer
    from perdure.memory import Memory
    from perdure.recall import Hit, Query
    from perdure.scope import Scope
    from perdure.settings import Settings

_HOME = {
    "Action": "perdure.facts",
    "Answer": "perdure.answer",
    "Context": "perdure.graph.context",
    "Fact": "perdure.facts",
    "Hit": "perdure.recall",
    "Memory": "perdure.memory",
    "MemoryLayer": "perdure.layer",
    "Operation": "perdure.facts",
    "PerdureError": "perdure.errors",
    "Query": "perdure.recall",
    "Receipt": "perdure.facts",
    "Scope": "perdure.scope",
    "Settings": "perdure.settings",
    "Source": "perdure.facts",
    "Statement": "perdure.facts",
    "ThreadSummary": "perdure.answer",
    "open_memory": "perdure.app",
}

__all__ = [
    "Action",
    "Answer",
    "Context",
    "Fact",
    "Hit",
    "Memory",
    "MemoryLayer",
    "Operation",
    "PerdureError",
    "Query",
    "Receipt",
    "Scope",
    "Settings",
    "Source",
    "Statement",
    "ThreadSummary",
    "open_memory",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: LangGraph and the drivers take a second to import."""
    if name not in _HOME:
        raise AttributeError(f"module 'perdure' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)

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
    from perdure.asked import Found, TimeUsed
    from perdure.asked_time import Span
    from perdure.attributes import Attribute, Cardinality, Vocabulary
    from perdure.backfill import BackfillReport, MadeUp
    from perdure.core import Block, BlockVersion
    from perdure.deciding import Decided
    from perdure.episodes import Episode, NewEpisode
    from perdure.errors import PerdureError
    from perdure.facts import Action, Fact, Operation, Receipt, Source, Statement, Trust
    from perdure.graph.context import Context
    from perdure.graph.turns import NodeUpdate, Token, TurnEnd
    from perdure.layer import MemoryLayer
    from perdure.memory import Memory
    from perdure.pending import Pending
    from perdure.policy import Policy, PolicyVersion, Rule
    from perdure.profile import ProfileEntry
    from perdure.recall import Hit, Query
    from perdure.renaming import RenamingReport
    from perdure.scope import Scope
    from perdure.sensitivity import Sensitivity
    from perdure.settings import Settings
    from perdure.turn import Extraction, Turn

_HOME = {
    "Action": "perdure.facts",
    "Answer": "perdure.answer",
    "Attribute": "perdure.attributes",
    "BackfillReport": "perdure.backfill",
    "Block": "perdure.core",
    "BlockVersion": "perdure.core",
    "Cardinality": "perdure.attributes",
    "Context": "perdure.graph.context",
    "Decided": "perdure.deciding",
    "Episode": "perdure.episodes",
    "Extraction": "perdure.turn",
    "Fact": "perdure.facts",
    "Found": "perdure.asked",
    "Hit": "perdure.recall",
    "MadeUp": "perdure.backfill",
    "Memory": "perdure.memory",
    "MemoryLayer": "perdure.layer",
    "NewEpisode": "perdure.episodes",
    "NodeUpdate": "perdure.graph.turns",
    "Operation": "perdure.facts",
    "Pending": "perdure.pending",
    "PerdureError": "perdure.errors",
    "Policy": "perdure.policy",
    "PolicyVersion": "perdure.policy",
    "ProfileEntry": "perdure.profile",
    "Query": "perdure.recall",
    "Receipt": "perdure.facts",
    "RenamingReport": "perdure.renaming",
    "Rule": "perdure.policy",
    "Scope": "perdure.scope",
    "Sensitivity": "perdure.sensitivity",
    "Settings": "perdure.settings",
    "Source": "perdure.facts",
    "Span": "perdure.asked_time",
    "Statement": "perdure.facts",
    "ThreadSummary": "perdure.answer",
    "TimeUsed": "perdure.asked",
    "Token": "perdure.graph.turns",
    "Trust": "perdure.facts",
    "Turn": "perdure.turn",
    "TurnEnd": "perdure.graph.turns",
    "Vocabulary": "perdure.attributes",
    "open_memory": "perdure.app",
}

__all__ = [
    "Action",
    "Answer",
    "Attribute",
    "BackfillReport",
    "Block",
    "BlockVersion",
    "Cardinality",
    "Context",
    "Decided",
    "Episode",
    "Extraction",
    "Fact",
    "Found",
    "Hit",
    "MadeUp",
    "Memory",
    "MemoryLayer",
    "NewEpisode",
    "NodeUpdate",
    "Operation",
    "Pending",
    "PerdureError",
    "Policy",
    "PolicyVersion",
    "ProfileEntry",
    "Query",
    "Receipt",
    "RenamingReport",
    "Rule",
    "Scope",
    "Sensitivity",
    "Settings",
    "Source",
    "Span",
    "Statement",
    "ThreadSummary",
    "TimeUsed",
    "Token",
    "Trust",
    "Turn",
    "TurnEnd",
    "Vocabulary",
    "open_memory",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: LangGraph and the drivers take a second to import."""
    if name not in _HOME:
        raise AttributeError(f"module 'perdure' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)

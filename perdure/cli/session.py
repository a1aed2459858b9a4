"""The memory that a command works on, opened as the environment says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from perdure.cli.output import Output

if TYPE_CHECKING:
    from perdure.memory import Memory


@asynccontextmanager
async def opened(output: Output) -> AsyncIterator[Memory]:
    """Open the memory, and remark which database it is in and whether there is a chat model."""
    async with AsyncExitStack() as stack:
        with output.working("opening the memory"):
            from perdure.app import open_memory  # LangGraph and the drivers: over a second

            memory = await stack.enter_async_context(open_memory())
        output.remark(memory.place)
        if memory.offline:
            output.remark("offline mode: no chat model is configured, so replies only quote what is remembered")
        yield memory

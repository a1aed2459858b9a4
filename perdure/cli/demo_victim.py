"""A process that dies in the middle of a turn: the demo runs it, and finishes the turn that it leaves behind.

python -m perdure.cli.demo_victim HOME USER THREAD TEXT
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from langchain_core.messages import HumanMessage

from perdure.app import open_memory
from perdure.cli.demo_settings import demo_settings
from perdure.graph.context import Context
from perdure.threads import thread_key


async def die_before_extracting(home: Path, user: str, thread: str, text: str) -> None:
    """Take a turn; when the reply is there and its facts are about to be extracted, kill this process."""
    context = Context(user=user)
    async with open_memory(demo_settings(home), ephemeral=True) as memory:
        async for event in memory.graph.astream(
            {"messages": [HumanMessage(text)]},
            {"configurable": {"thread_id": thread_key(context.scope, thread)}},
            context=context,
            stream_mode="tasks",
            durability="sync",  # an offline reply takes no time, so that its checkpoint would still be under way
        ):
            if event["name"] == "extract":
                os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    asyncio.run(die_before_extracting(Path(sys.argv[1]), *sys.argv[2:5]))

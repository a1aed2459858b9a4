"""The database goes away while the memory is open."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from databases import open_folder
from scripted_openai import ScriptedOpenAI

from perdure import Memory, Scope, Settings, open_memory
from perdure.errors import DatabaseUnavailable


@pytest.fixture
def home() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder


async def test_a_killed_embedded_server_is_started_again_and_nothing_is_lost(
    home: Path, openai_server: ScriptedOpenAI
) -> None:
    settings = Settings(home=home, openai_base_url=openai_server.url)
    async with open_memory(settings) as memory:
        await memory.remember("I live in Seoul.", attribute="home.city", value="Seoul", user="u1")
        await memory.ask("Hello, it is me.", user="u1", thread="t1")
        _kill(home)
        answer = await _ask_again(memory)
        assert answer == "as scripted"
        assert [fact.value for fact in await memory.facts.facts(Scope(user="u1"))] == ["Seoul"]
        (thread,) = await memory.threads(user="u1")
        assert thread.next == ()


async def _ask_again(memory: Memory) -> str:
    """A turn that meets the broken connections may be told so, once; the next one must not."""
    try:
        return (await memory.ask("Where do I live?", user="u1", thread="t1")).text
    except DatabaseUnavailable:
        return (await memory.ask("Where do I live?", user="u1", thread="t1")).text


def _kill(home: Path) -> None:
    pid = (home / "postgres" / "data" / "postmaster.pid").read_text().split()[0]
    os.kill(int(pid), signal.SIGKILL)

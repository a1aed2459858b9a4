"""The whole application over a database of its own, as a person or a host application meets it, with a clock that tests own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from clock import SetClock
from scripted_openai import ScriptedOpenAI

from perdure import Memory, Settings, open_memory


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def memory(local_database: str, clock: SetClock) -> AsyncIterator[Memory]:
    """Without a chat model: rules extract, the local embedder finds."""
    settings = Settings(database_url=local_database)  # type: ignore[arg-type]  # pydantic makes a secret of it
    async with open_memory(settings, clock=clock) as opened:
        yield opened


@pytest.fixture
async def modelled(local_database: str, clock: SetClock, openai_server: ScriptedOpenAI) -> AsyncIterator[Memory]:
    """With a chat model whose answers the test writes; the local embedder finds."""
    settings = Settings(
        database_url=local_database,  # type: ignore[arg-type]  # pydantic makes a secret of it
        openai_base_url=openai_server.url,
        model_retries=0,
        model_timeout=10,
    )
    async with open_memory(settings, clock=clock) as opened:
        yield opened

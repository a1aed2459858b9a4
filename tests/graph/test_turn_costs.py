"""What a turn costs, counted: model calls, embedding calls, and how often the memory's database is waited for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator

import pytest
from databases import create_database, drop_database
from pydantic import SecretStr
from scripted_openai import ScriptedOpenAI
from wire_proxy import WireProxy, proxied

from perdure import Memory, Settings, open_memory
from perdure.embedded import EmbeddedPostgres

TURNS = (
    ("I moved to Seoul in May, and I play the cello.", "home.city", "Seoul", "hobby", "cello"),
    ("I moved to Busan in June, and I play tennis.", "home.city", "Busan", "hobby", "tennis"),
    ("I moved to Oslo in July, and I play chess.", "home.city", "Oslo", "hobby", "chess"),
    ("I moved to Rome in August, and I play golf.", "home.city", "Rome", "hobby", "golf"),
)


@pytest.fixture
async def proxy(postgres: EmbeddedPostgres) -> AsyncIterator[WireProxy]:
    """Before the memory's database; the checkpoints are in another."""
    dsn = create_database(postgres)
    async with proxied(dsn) as proxy:
        yield proxy
    drop_database(postgres, dsn)


@pytest.fixture
async def memory(
    scripted_settings: Settings, proxy: WireProxy, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Memory]:
    monkeypatch.setattr("perdure.ledger.INTERVAL", 3_600)  # what is saved beside the turns is none of theirs
    apart = {"memory_url": SecretStr(proxy.dsn), "checkpoint_url": scripted_settings.database_url, "pool_size": 1}
    async with open_memory(scripted_settings.model_copy(update=apart)) as memory:
        yield memory


def operations(said: str, *pairs: str) -> str:
    found = [
        {"action": "assert", "attribute": attribute, "value": value, "content": said, "evidence": said}
        for attribute, value in zip(pairs[::2], pairs[1::2], strict=True)
    ]
    return json.dumps({"operations": found})


async def test_a_turn_is_one_read_and_one_write(
    memory: Memory, proxy: WireProxy, openai_server: ScriptedOpenAI
) -> None:
    for number, (said, *pairs) in enumerate(TURNS):
        openai_server.script("extract", operations(said, *pairs))
        before, asked = proxy.round_trips, len(openai_server.requests)
        answer = await memory.ask(said, user="u1", thread=f"t{number}")
        calls = Counter(request.purpose for request in openai_server.requests[asked:])
        assert [receipt["outcome"] for receipt in answer.written] == ["applied", "applied"]
        assert calls["reply"] == calls["extract"] == 1
        assert calls["embed"] == 2, "the question, then in one batch all that is written"
        if number:  # the first turn also reads the tenant's vocabulary, which is then known for a while
            read, write = 1, 3
            assert proxy.round_trips - before == read + write


async def test_a_turn_that_holds_nothing_to_remember_asks_no_model(
    memory: Memory, openai_server: ScriptedOpenAI
) -> None:
    said, *pairs = TURNS[0]
    openai_server.script("extract", operations(said, *pairs))
    await memory.ask(said, user="u1", thread="t0")
    for number, nothing in enumerate(("Thanks!", "Good morning.", "What is the capital of Peru?", said, "고마워요!")):
        asked = len(openai_server.requests)
        answer = await memory.ask(nothing, user="u1", thread=f"n{number}")
        calls = Counter(request.purpose for request in openai_server.requests[asked:])
        assert (calls["reply"], calls["extract"]) == (1, 0), nothing
        state = await memory.graph.aget_state({"configurable": {"thread_id": f"default/u1/n{number}"}})
        decided = state.values["candidates"]["gate"]
        assert decided["remember"] is False and decided["why"] and answer.text

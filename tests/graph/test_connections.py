"""Many wait for a model, few connections: nobody else waits."""

from __future__ import annotations

import asyncio
import json

import pytest
from openai_script import Answer, Purpose, Request
from scripted_openai import Hang, Say, ScriptedOpenAI

from perdure import Settings, open_memory

WAITING = 6
"""Turns that wait for a model; three for each connection."""


@pytest.fixture
def settings(scripted_settings: Settings) -> Settings:
    return scripted_settings.model_copy(update={"model_timeout": 600, "pool_size": 2})


@pytest.mark.parametrize(
    ("purpose", "held"),
    [("embed", '"Hold'), ("reply", "Hold"), ("extract", "Hold"), ("embed", '"user: Hold')],
    ids=["the embedding of a query", "the reply", "the extraction", "the embeddings of a write"],
)
async def test_no_connection_is_held_while_a_model_is_asked(
    settings: Settings, openai_server: ScriptedOpenAI, purpose: Purpose, held: str
) -> None:
    def answer(request: Request) -> Answer:
        return Hang() if held in json.dumps(request.body) else Say('{"operations": []}')

    openai_server.always(purpose, answer)
    async with open_memory(settings) as memory:
        turns = [
            asyncio.create_task(memory.ask(f"Hold on, I moved to city {n}.", user=f"u{n}", thread="t"))
            for n in range(WAITING)
        ]
        while sum(held in json.dumps(request.body) for request in openai_server.asked(purpose)) < WAITING:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        await memory.remember("I live in Seoul.", attribute="home.city", value="Seoul", user="other")
        hits = await asyncio.gather(*(memory.recall("Seoul", user="other") for _ in range(8)))
        assert [hit[0].value for hit in hits] == ["Seoul"] * 8
        assert not any(turn.done() for turn in turns)
        openai_server.release()
        assert len(await asyncio.gather(*turns)) == WAITING
        assert memory.checkpoints.get_stats()["pool_size"] <= 2

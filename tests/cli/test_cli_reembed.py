"""`perdure reembed`: killed while it waits for the model, told by the doctor, and run again."""

from __future__ import annotations

import asyncio
from pathlib import Path

from clock import SetClock
from perdure_process import Perdure
from scripted_openai import Hang, ScriptedOpenAI
from stored_vectors import check_all_of, embed_by_model

from perdure import Context, Settings, open_memory
from perdure.cli.checkup import checkup

NEW = "newer-embedding"
PATIENCE = 60


async def test_killed_it_goes_on_when_run_again(
    tmp_path: Path, scripted_settings: Settings, openai_server: ScriptedOpenAI
) -> None:
    embed_by_model(openai_server)
    assert scripted_settings.database_url
    dsn = scripted_settings.database_url.get_secret_value()
    perdure = Perdure(
        tmp_path,
        {"DATABASE_URL": dsn, "OPENAI_BASE_URL": openai_server.url, "PERDURE_EMBEDDING_MODEL": "scripted-embedding"},
    )
    async with open_memory(scripted_settings, clock=SetClock()) as memory:
        for city in ("Busan", "Seoul", "Oslo"):
            await memory.remember(f"I have been to {city}.", user="u")
        openai_server.script("embed", Hang())
        with perdure.started("reembed", "--model", NEW, "--dimensions", "96") as process:
            async with asyncio.timeout(PATIENCE):
                while not any(request.model == NEW for request in openai_server.asked("embed")):  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            process.kill()
        openai_server.release()
        checks = {check.name: check async for check in checkup(scripted_settings, Context(user="u"), online=False)}
        assert checks["re-embedding"].state == "warn" and f"to {NEW}/96: 6 of 6" in checks["re-embedding"].found
        hits = await memory.recall("I have been to Oslo.", user="u", threshold=0)
        assert hits[0].content == "I have been to Oslo."
        ended = await asyncio.to_thread(perdure, "reembed", "--json")
        assert ended.json == {"before": "scripted-embedding/64", "after": f"{NEW}/96", "embedded": 3, "rows": 6}
        assert check_all_of(dsn, NEW, 96) == 3
        hits = await memory.recall("I have been to Lima.", user="u", threshold=0)
        assert len(hits) == 3
    settings = scripted_settings.model_copy(update={"embedding_model": NEW, "embedding_dimensions": 96})
    checks = {check.name: check async for check in checkup(settings, Context(user="u"), online=False)}
    assert checks["re-embedding"].state == checks["vectors"].state == "ok"

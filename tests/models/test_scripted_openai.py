from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import scripted_openai
from openai import AsyncOpenAI, InternalServerError
from scripted_openai import DIMENSION, ScriptedOpenAI, hash_vector


@pytest.fixture
def url() -> Iterator[str]:
    """The server as a process of its own."""
    command = [sys.executable, str(Path(scripted_openai.__file__)), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


async def test_the_command_is_directed_over_http(url: str) -> None:
    message: Any = {"role": "user", "content": "hello"}
    answers = [{"kind": "Fail", "status": 503}, {"kind": "Hang"}]
    async with httpx.AsyncClient(base_url=url.removesuffix("/v1")) as director:
        await director.post("/script", json={"purpose": "reply", "answers": answers})
        client = AsyncOpenAI(base_url=url, api_key="k", max_retries=0)
        with pytest.raises(InternalServerError):
            await client.chat.completions.create(model="m", messages=[message])
        await director.post("/release")
        said = [await client.chat.completions.create(model="m", messages=[message]) for _ in range(2)]
        assert [one.choices[0].message.content for one in said] == ["at last", "as scripted"]
        seen = (await director.get("/requests")).json()["requests"]
        assert [(one["purpose"], one["body"]["messages"]) for one in seen] == [("reply", [message])] * 3
        await client.close()


async def test_vectors_in_base64_are_those_in_numbers(openai_server: ScriptedOpenAI) -> None:
    client = AsyncOpenAI(base_url=openai_server.url, api_key="k")
    packed = await client.embeddings.create(model="m", input="서울", encoding_format="base64")
    assert isinstance(packed.data[0].embedding, str)
    unpacked = await client.embeddings.create(model="m", input="서울")
    assert unpacked.data[0].embedding == pytest.approx(hash_vector("서울"), abs=1e-6)
    assert len(unpacked.data[0].embedding) == DIMENSION
    assert [model.id async for model in client.models.list()] == ["scripted"]
    await client.close()

"""The HTTP client of the models. Everything that a server bills passes here: retries, refused forms, answers that nobody
could read, streams that broke off, and the tokens of embeddings, which LangChain does not tell.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx2
from openai import DefaultAsyncHttpxClient

from perdure.calls import Tokens
from perdure.models.meter import Meter, tokens_in
from perdure.turn import Purpose

_UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)


class MeteredClient(DefaultAsyncHttpxClient):
    """OpenAI's own client for one model and purpose, which charges each request to the account that it is made on.

    LangChain's own default is shared by all event loops of the process, and fails in the second one.
    """

    def __init__(self, purpose: Purpose, model: str) -> None:
        super().__init__()
        self._purpose: Purpose = purpose
        self._model = model

    async def send(self, request: httpx2.Request, *, stream: bool = False, **given: Any) -> httpx2.Response:
        meter = Meter(self._purpose, self._model)
        if stream:  # its events are read as they pass
            request.headers["Accept-Encoding"] = "identity"
        try:
            response = await super().send(request, stream=stream, **given)
        except BaseException as error:  # a call that is cancelled is billed, too
            meter.end(Tokens() if isinstance(error, _UNSENT) else None, failed=True)
            raise
        if response.status_code >= httpx2.codes.BAD_REQUEST:
            meter.end(Tokens(), failed=True)
        elif stream:
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            response.stream = _MeteredStream(response.stream, meter)
        else:
            meter.end(tokens_in(response.content))
        return response


class _MeteredStream(httpx2.AsyncByteStream):
    """A streamed answer, passed on as it comes. It ends the meter when it is closed, however that comes about."""

    def __init__(self, stream: httpx2.AsyncByteStream, meter: Meter) -> None:
        self._stream = stream
        self._meter = meter
        self._told = b""
        """The last event that may hold a count."""
        self._whole = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        rest = b""
        async for chunk in self._stream:
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._whole |= line.startswith(b"data: [DONE]")
                self._told = line if b'"usage"' in line and tokens_in(line) else self._told
            yield chunk
        self._whole = True

    async def aclose(self) -> None:
        self._meter.end(tokens_in(self._told), failed=not self._whole)
        await self._stream.aclose()

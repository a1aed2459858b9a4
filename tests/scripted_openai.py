"""An OpenAI-compatible server that answers by script, over real HTTP, and fails on demand.

In a test: the fixture `openai_server`. For a test that kills its client: `python tests/scripted_openai.py --port 0` prints
its URL and is directed over HTTP (`POST /script`, `POST /release`, `GET /requests`; see `serve`).
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import math
import random
import re
import struct
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from openai_script import (
    EMPTY_CHOICES,
    KINDS,
    MALFORMED,
    Answer,
    Bill,
    Body,
    Drop,
    Fail,
    Hang,
    Json,
    Request,
    Say,
    ScriptedOpenAI,
    Vectors,
)

__all__ = [
    "DIMENSION",
    "EMPTY_CHOICES",
    "MALFORMED",
    "Answer",
    "Body",
    "Drop",
    "Fail",
    "Hang",
    "Request",
    "Say",
    "ScriptedOpenAI",
    "Vectors",
    "hash_vector",
    "openai_server",
    "serve",
]

DIMENSION = 64
"""Of the vectors, unless a request asks for another."""


def hash_vector(text: str, dimension: int = DIMENSION) -> list[float]:
    """A unit vector that depends on the text alone."""
    numbers = random.Random(hashlib.sha256(text.encode()).digest())
    vector = [numbers.gauss(0, 1) for _ in range(dimension)]
    length = math.hypot(*vector)
    return [number / length for number in vector]


def count_tokens(text: str) -> int:
    """What the server bills: words."""
    return len(text.split())


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    scripted: ScriptedOpenAI

    def handle(self) -> None:
        """A client that gives up is what some tests are about."""
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the test reports."""

    def do_GET(self) -> None:
        if self.path == "/requests":
            seen = [asdict(request) | {"purpose": request.purpose} for request in self.scripted.requests]
            return self._send_json(200, {"requests": seen})
        self.scripted.take(Request(self.path, {}, self._key()))
        self._send_json(200, {"object": "list", "data": [{"id": "scripted", "object": "model", "owned_by": "tests"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")
        match self.path:
            case "/script":
                answers = [KINDS[answer.pop("kind")](**answer) for answer in body["answers"]]
                self.scripted.script(body["purpose"], *answers)
                return self._send_json(200, {})
            case "/release":
                self.scripted.release()
                return self._send_json(200, {})
        request = Request(self.path, body, self._key())
        self._answer(request, self.scripted.take(request))

    def _key(self) -> str:
        return str(self.headers.get("Authorization", "")).removeprefix("Bearer ")

    def _answer(self, request: Request, answer: Answer) -> None:
        match answer:
            case Fail():
                headers = {} if answer.retry_after is None else {"Retry-After": str(answer.retry_after)}
                error = {"message": answer.message, "type": "scripted", "code": None, "param": None}
                self._send_json(answer.status, {"error": error}, headers)
            case Body():
                self._send(200, answer.text.encode(), answer.media_type)
            case Vectors():
                self._send_json(200, self._embeddings(request, [list(vector) for vector in answer.vectors]))
            case _ if request.purpose == "embed":
                if isinstance(answer, Hang):
                    self.scripted.wait_for_release()
                dimension = request.body.get("dimensions", DIMENSION)
                self._send_json(
                    200, self._embeddings(request, [hash_vector(text, dimension) for text in _texts(request)])
                )
            case Say() | Drop() | Hang() if request.body.get("stream"):
                self._stream(request, answer)
            case Drop():
                self._head(200, "application/json", {"Content-Length": "1000"})
                self.close_connection = True
            case Hang():
                self.scripted.wait_for_release()
                self._send_json(200, self._completion(request, Say(answer.then)))
            case Say():
                self._send_json(200, self._completion(request, answer))

    def _embeddings(self, request: Request, vectors: list[list[float]]) -> Json:
        packed = request.body.get("encoding_format") == "base64"
        return {
            "object": "list",
            "model": request.model,
            "data": [
                {"object": "embedding", "index": index, "embedding": _packed(vector) if packed else vector}
                for index, vector in enumerate(vectors)
            ],
            "usage": self._bill(Bill(request, sum(map(count_tokens, _texts(request))))),
        }

    def _completion(self, request: Request, answer: Say) -> Json:
        message: Json = {"role": "assistant", "content": answer.text or None}
        if answer.tools:
            message["tool_calls"] = _tool_calls(answer)
        finish = "tool_calls" if answer.tools else answer.finish
        return {
            "id": "chatcmpl-scripted",
            "object": "chat.completion",
            "created": 0,
            "model": request.model,
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": self._bill_for(request, answer),
        }

    def _stream(self, request: Request, answer: Say | Drop | Hang) -> None:
        self._head(200, "text/event-stream", {"Transfer-Encoding": "chunked"})
        said = answer if isinstance(answer, Say) else Say("one two three four five")
        for number, delta in enumerate(_deltas(said)):
            if isinstance(answer, Drop) and number == answer.words:
                self.close_connection = True
                return
            if isinstance(answer, Hang) and number == answer.words:
                self.scripted.wait_for_release()
            threading.Event().wait(said.delay)
            self._event(request, [{"index": 0, "delta": delta, "finish_reason": None}])
        finish = "tool_calls" if said.tools else said.finish
        self._event(request, [{"index": 0, "delta": {}, "finish_reason": finish}])
        if (request.body.get("stream_options") or {}).get("include_usage"):
            self._event(request, [], usage=self._bill_for(request, said))
        self._chunk(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _bill_for(self, request: Request, answer: Say) -> Json:
        return self._bill(Bill(request, count_tokens(request.prompt), count_tokens(answer.text), answer.cached))

    def _bill(self, bill: Bill) -> Json:
        self.scripted.bills.append(bill)
        usage: Json = {"prompt_tokens": bill.input, "total_tokens": bill.input + bill.output}
        if bill.request.purpose != "embed":
            usage["completion_tokens"] = bill.output
            usage["prompt_tokens_details"] = {"cached_tokens": bill.cached}
        return usage

    def _event(self, request: Request, choices: list[Json], **more: Any) -> None:
        event = {"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0, "model": request.model}
        self._chunk(f"data: {json.dumps(event | {'choices': choices} | more)}\n\n".encode())

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _head(self, status: int, media_type: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": media_type} | headers).items():
            self.send_header(name, value)
        self.end_headers()

    def _send_json(self, status: int, body: Json, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(body).encode(), "application/json", headers)

    def _send(self, status: int, data: bytes, media_type: str, headers: dict[str, str] | None = None) -> None:
        self._head(status, media_type, {"Content-Length": str(len(data))} | (headers or {}))
        self.wfile.write(data)


def _packed(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


def _tool_calls(answer: Say) -> list[Json]:
    return [
        {"id": f"call_{index}", "type": "function", "index": index, "function": {"name": name, "arguments": arguments}}
        for index, (name, arguments) in enumerate(answer.tools)
    ]


def _deltas(answer: Say) -> Iterator[Json]:
    """The answer in pieces: word by word, then the tool calls."""
    yield {"role": "assistant", "content": ""}
    for word in re.findall(r"\S+\s*|\s+", answer.text):
        yield {"content": word}
    for call in _tool_calls(answer):
        yield {"tool_calls": [call]}


def _texts(request: Request) -> list[str]:
    given = request.body["input"]
    return [given] if isinstance(given, str) else given


def serve(port: int = 0) -> tuple[ScriptedOpenAI, ThreadingHTTPServer]:
    """A server on 127.0.0.1, not yet serving, and its script; ``url`` is what OPENAI_BASE_URL is set to.

    Beside the OpenAI paths under `/v1` it has: `POST /script` with ``{"purpose": …, "answers": [{"kind": "Say",
    "text": …}]}``, `POST /release`, and `GET /requests`.
    """
    scripted = ScriptedOpenAI()
    handler = type("Handler", (_Handler,), {"scripted": scripted})
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.daemon_threads = True
    scripted.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    return scripted, server


@pytest.fixture
def openai_server() -> Iterator[ScriptedOpenAI]:
    """A scripted OpenAI-compatible server of this test's own."""
    scripted, server = serve()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield scripted
    scripted.release()
    server.shutdown()
    server.server_close()
    thread.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 for any free port")
    scripted, server = serve(parser.parse_args().port)
    sys.stdout.write(scripted.url + "\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    main()

"""What a scripted OpenAI-compatible server is asked and how it answers: the script, without the wire."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

Purpose = Literal["reply", "extract", "summarise", "embed", "models"]
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """What a client sent. ``key`` is its bearer token."""

    path: str
    body: Json
    key: str

    @property
    def purpose(self) -> Purpose:
        """By what is asked for: a schema or a forced tool is an extraction, a model named so a summary."""
        if self.path.endswith("/models"):
            return "models"
        if self.path.endswith("/embeddings"):
            return "embed"
        if "response_format" in self.body or isinstance(self.body.get("tool_choice"), dict):
            return "extract"
        return "summarise" if "summar" in self.model else "reply"

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def prompt(self) -> str:
        """All that the model is shown, as one text."""
        return "\n".join(str(message.get("content") or "") for message in self.body.get("messages", []))


@dataclass(frozen=True, slots=True)
class Bill:
    """What the server said that it bills for a request."""

    request: Request
    input: int
    output: int = 0
    cached: int = 0


@dataclass(frozen=True, slots=True)
class Say:
    """A proper answer, in one piece or streamed word by word, `delay` seconds apart."""

    text: str = ""
    tools: tuple[tuple[str, str], ...] = ()
    """Names of the tools called, with their arguments as JSON text."""
    delay: float = 0.0
    finish: str = "stop"
    cached: int = 0
    """So many tokens of the prompt the server says that it had read before."""


@dataclass(frozen=True, slots=True)
class Fail:
    """An HTTP error, such as 429 or 500."""

    status: int
    retry_after: float | None = None
    message: str = "scripted failure"


@dataclass(frozen=True, slots=True)
class Body:
    """Status 200 and this text as the whole body: JSON of another shape, or none."""

    text: str
    media_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection is closed after `words` words of a streamed answer, or after the head of a plain one."""

    words: int = 2


@dataclass(frozen=True, slots=True)
class Hang:
    """Silence until `ScriptedOpenAI.release`, then the answer. ``words`` are streamed before it."""

    then: str = "at last"
    words: int = 0


@dataclass(frozen=True, slots=True)
class Vectors:
    """These vectors, whatever was asked."""

    vectors: tuple[tuple[float, ...], ...]


Answer = Say | Fail | Body | Drop | Hang | Vectors
KINDS: dict[str, type[Answer]] = {kind.__name__: kind for kind in (Say, Fail, Body, Drop, Hang, Vectors)}

EMPTY_CHOICES = Body(json.dumps({"id": "x", "object": "chat.completion", "created": 0, "model": "x", "choices": []}))
MALFORMED = Body('{"id": "x", "object": "chat.comple')


@dataclass(slots=True)
class ScriptedOpenAI:
    """The server's script and its memory of what it was asked. Safe to direct while it serves."""

    url: str = ""
    requests: list[Request] = field(default_factory=list)
    bills: list[Bill] = field(default_factory=list)
    """Of every answer that told its count, to its end."""
    _queues: dict[str, deque[Answer]] = field(default_factory=dict)
    _rules: dict[str, Callable[[Request], Answer]] = field(default_factory=dict)
    _released: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def script(self, purpose: Purpose, *answers: Answer | str) -> None:
        """Answer the next requests of this purpose so, one each; a text is what is said."""
        with self._lock:
            said = (Say(answer) if isinstance(answer, str) else answer for answer in answers)
            self._queues.setdefault(purpose, deque()).extend(said)

    def always(self, purpose: Purpose, rule: Answer | Callable[[Request], Answer]) -> None:
        """Answer every request of this purpose that finds an empty queue so."""
        self._rules[purpose] = rule if callable(rule) else lambda _: rule

    def release(self) -> None:
        """Let everything go on that hangs, now and later."""
        self._released.set()

    def wait_for_release(self) -> None:
        self._released.wait()

    def asked(self, purpose: Purpose) -> list[Request]:
        with self._lock:
            return [request for request in self.requests if request.purpose == purpose]

    def take(self, request: Request) -> Answer:
        """Record the request and give the answer to it."""
        with self._lock:
            self.requests.append(request)
            if queue := self._queues.get(request.purpose):
                return queue.popleft()
        if rule := self._rules.get(request.purpose):
            return rule(request)
        return Say('{"operations": []}') if request.purpose == "extract" else Say("as scripted")

"""Runs the labelled cases through a scripted model: what a good model asks for, held against the words by the guards.

The model is an OpenAI-compatible server on 127.0.0.1. It answers each message with the operations of its label, with
the words that bear them out as evidence, and without ids of what they replace.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bench.writes_cases import Case, Labelled, Message
from bench.writes_run import is_many, outcome_of, throwaway_memory
from bench.writes_score import Asked, Outcome, thread_of
from perdure.attributes import BUILT_IN
from perdure.facts import Action, Operation
from perdure.graph.context import Context
from perdure.memory import Memory
from perdure.text import normalise
from perdure.threads import thread_key

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
Json = dict[str, Any]


@dataclass
class ScriptedModel:
    """Answers whatever is asked of it with the operations of one case's message."""

    url: str = ""
    case: Case | None = None
    message: Message | None = None
    asked: int = field(default=0)
    """Requests for an extraction."""

    def answer(self, request: Json) -> str:
        if "response_format" not in request or not (self.case and self.message):
            return "As you say."
        self.asked += 1
        document = json.loads(request["messages"][-1]["content"])
        made = [extracted(label, self.message, document["memories"], self.case) for label in self.message.operations]
        return json.dumps({"operations": made}, ensure_ascii=False)


async def by_model(cases: Sequence[Case], tick: Callable[[], None]) -> list[Outcome]:
    """Every message as a turn of its own thread, through the graph, with the scripted model as reply and extraction."""
    outcomes = []
    with serving() as model:
        async with throwaway_memory(model.url) as memory:
            for case in cases:
                outcomes.append(await _run(memory, model, case))
                tick()
    return outcomes


async def _run(memory: Memory, model: ScriptedModel, case: Case) -> Outcome:
    context = Context(user=f"model {case.id}", policy="apply")
    asked: list[Asked] = []
    model.case = case
    for turn, model.message in enumerate(case.messages):
        message = case.messages[turn]
        await memory.ask(message.said, thread=thread_of(turn), context=context, sent_at=message.sent_at)
        key = thread_key(context.scope, thread_of(turn))
        state = await memory.graph.aget_state({"configurable": {"thread_id": key}})
        asked.append(_asked(state.values["candidates"]))
    return await outcome_of(memory, case, context.scope, tuple(asked))


def _asked(candidates: Mapping[str, Any]) -> Asked:
    refused = [one["reason"] for one in candidates["decisions"] if not one["should_save"]]
    operations = tuple(Operation.model_validate(one) for one in candidates["operations"])
    return Asked(operations, "; ".join(refused) or candidates["why"])


def extracted(label: Labelled, message: Message, memories: Sequence[Json], case: Case) -> Json:
    """The labelled operation in the words of the extraction schema, as a model that obeys the prompt gives it."""
    quote = _quote(label, message.said)
    since = label.since.isoformat() if label.since else ""
    return {
        "action": label.action.value,
        "target": _corrected(label, memories, case),
        "subject": label.subject,
        "attribute": label.named or label.attribute,
        "cardinality": "many" if label.many else "one",
        "value": label.value if label.attribute else "",
        "content": "" if label.ends else quote if label.attribute else label.value,
        "kind": _kind(label),
        "importance": 5,
        "confidence": 0.9,
        "valid_from": since,
        "valid_to": "",
        "sensitivity": [],
        "evidence": {"source": "user", "quote": quote},
        "should_save": True,
        "reason": "labelled",
    }


def _quote(label: Labelled, said: str) -> str:
    """The first sentence that has the value in it, rather one that does not ask; else all that was said."""
    sentences = [sentence for sentence in _SENTENCE.split(said) if sentence.strip()]
    values = [normalise(value) for value in label.values]
    holding = [sentence for sentence in sentences if any(value in normalise(sentence) for value in values)]
    return min(holding, key=lambda sentence: sentence.endswith("?"), default=said)


def _corrected(label: Labelled, memories: Sequence[Json], case: Case) -> str:
    """The id of what is corrected among many values, which nothing else can tell; else none."""
    if label.action is not Action.CORRECT or not is_many(label.attribute):
        return ""
    old = {normalise(value) for value in case.pair()[0].label.values}
    return next((str(one["id"]) for one in memories if normalise(one.get("value", "")) in old), "")


def _kind(label: Labelled) -> str:
    known = BUILT_IN.find(label.attribute)
    return known.kind if known else "fact"


@contextmanager
def serving() -> Iterator[ScriptedModel]:
    """A scripted model at `url`, until the end of the block."""
    model = ScriptedModel()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": model}))
    server.daemon_threads = True
    model.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    model: ScriptedModel

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the bench reports."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text, streamed = self.model.answer(request), bool(request.get("stream"))
        said = {"role": "assistant", "content": text}
        choice = {"index": 0, "finish_reason": "stop", "delta" if streamed else "message": said}
        kind = "chat.completion.chunk" if streamed else "chat.completion"
        body = json.dumps({"id": "x", "object": kind, "created": 0, "model": request["model"], "choices": [choice]})
        data = (f"data: {body}\n\ndata: [DONE]\n\n" if streamed else body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if streamed else "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

"""Extraction by a chat model: one structured call, whose answer is trusted only as far as the user's words go."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import ValidationError

from perdure.errors import ModelReplyInvalid, PerdureError
from perdure.logs import logger_named
from perdure.models.chat import ChatModels, usage_of
from perdure.models.extraction_prompt import prompt_of, repair_of
from perdure.models.failures import model_failures
from perdure.models.grounding import ground
from perdure.models.memories import Memories
from perdure.offline.repetition import gate_turn
from perdure.prompts.extract import MOST_OPERATIONS, ExtractedOperation, ExtractReply, Unreadable, extract_schema
from perdure.turn import Extraction, Known, Turn, Usage

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

Form = Literal["json_schema", "function_calling", "text"]
FORMS: tuple[Form, ...] = ("json_schema", "function_calling", "text")
"""How a model can be asked, best first: a server may refuse to be given a schema, or tools."""
OBJECTS_TRIED = 20
"""So many beginnings of an object are tried in an answer that holds more than JSON."""

_LOG = logger_named(__name__)
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class ModelExtractor:
    """`perdure.ports.Extractor` by a chat model. Nothing is asked of it when the gate sees nothing to remember."""

    def __init__(self, models: ChatModels) -> None:
        self._models = models
        self._forms: dict[str, int] = {}
        """By model, the first of `FORMS` that its server has not refused."""

    async def extract(self, turn: Turn, known: Known, *, model: str = "") -> Extraction:
        gated = gate_turn(turn, known)
        if not gated.gate.remember:
            return gated
        name = self._models.name("extract", model)
        memories = Memories(known.recalled)
        usage: list[Usage] = []
        try:
            with model_failures("extract", name):
                chat = await self._models.get("extract", model)
                candidates = await self._candidates(chat, name, prompt_of(turn, known, memories), turn, usage)
                grounded = ground(candidates, turn, known, memories)
        except PerdureError as failure:
            _LOG.warning("a turn is left to be extracted later: %s", failure)
            return Extraction((), str(failure), gated.gate, complete=False, usage=tuple(usage))
        return Extraction(grounded.operations, grounded.why, gated.gate, grounded.decisions, usage=tuple(usage))

    async def _candidates(
        self, chat: ChatOpenAI, name: str, prompt: list[BaseMessage], turn: Turn, usage: list[Usage]
    ) -> Sequence[ExtractedOperation]:
        """What the model answers; where that cannot be read, what it answers when it is told so.

        Raises `ModelReplyInvalid` if that cannot be read either; nothing half is taken.
        """
        answer = await self._ask(chat, name, prompt, usage)
        read = _read(answer)
        if isinstance(read, Unreadable):
            _LOG.info("the answer of model %s could not be read (%s): asking once more", name, read.value)
            answer = await self._ask(chat, name, repair_of(prompt, answer.text, read, turn.language), usage)
            read = _read(answer)
        if isinstance(read, Unreadable):
            raise ModelReplyInvalid(
                f"the extraction model {name!r} answered twice with something else than the JSON asked for"
                f" ({read.value}): nothing is changed; choose another PERDURE_EXTRACT_MODEL if it goes on"
            )
        return read

    async def _ask(self, chat: ChatOpenAI, name: str, prompt: list[BaseMessage], usage: list[Usage]) -> AIMessage:
        """One answer; further requests only the first time that a server refuses the form in which it is asked."""
        import openai

        for place in range(self._forms.get(name, 0), len(FORMS)):
            try:
                answer = await _answer(chat, prompt, FORMS[place])
            except (openai.BadRequestError, openai.UnprocessableEntityError) as refusal:
                if FORMS[place] == FORMS[-1] or isinstance(refusal, ContextOverflowError):
                    raise
                _LOG.info("model %s refuses %s (%s)", name, FORMS[place], type(refusal).__name__)
            else:
                self._forms[name] = place
                usage += [used] if (used := usage_of(answer, "extract", name)) else []
                return answer
        raise AssertionError("the last form is answered or raises")


async def _answer(chat: ChatOpenAI, prompt: list[BaseMessage], form: Form) -> AIMessage:
    """The raw answer: LangChain's own parser completes half a JSON document, which must count as none."""
    import openai

    if form == "text":
        return await chat.ainvoke(prompt)
    asking = chat.with_structured_output(extract_schema(), method=form, strict=True, include_raw=True)
    try:
        answer = await asking.ainvoke(prompt)
    except openai.LengthFinishReasonError as cut:
        return _cut_off(cut.completion.model_dump())
    assert isinstance(answer, dict)
    raw: AIMessage = answer["raw"]
    return raw


def _cut_off(completion: dict[str, Any]) -> AIMessage:
    """The answer of which the client makes an error, because it reached the model's limit."""
    choice, counted = completion["choices"][0], completion.get("usage") or {}
    used = {"input_tokens": counted.get("prompt_tokens", 0), "output_tokens": counted.get("completion_tokens", 0)}
    return AIMessage(
        choice["message"].get("content") or "",
        response_metadata={"finish_reason": "length"},
        usage_metadata={**used, "total_tokens": sum(used.values())} if counted else None,
    )


def _read(answer: AIMessage) -> Sequence[ExtractedOperation] | Unreadable:
    """The operations, from whatever surrounds them, or what is wrong with the answer."""
    if answer.response_metadata.get("finish_reason") == "length":
        return Unreadable.CUT_OFF
    objects = [answer.tool_calls[0]["args"]] if answer.tool_calls else _objects(answer.text)
    reply = next((found for found in objects if isinstance(found.get("operations"), list)), None)
    if reply is None:
        return Unreadable.NO_JSON
    if len(reply["operations"]) > MOST_OPERATIONS:
        return Unreadable.TOO_MANY
    try:
        # Half a surrogate pair would cost the whole answer; a NUL in its place costs the operation that it stands in.
        plain = _SURROGATE.sub(r"\\u0000", json.dumps(reply, ensure_ascii=False))
        return ExtractReply.model_validate_json(plain).operations
    except (ValidationError, RecursionError):
        return Unreadable.WRONG_FIELDS


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects that begin somewhere in the text, in order."""
    decoder, start = json.JSONDecoder(), -1
    for _ in range(OBJECTS_TRIED):
        if (start := text.find("{", start + 1)) < 0:
            return
        try:
            found, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield found

"""A chat model asked for one JSON object, in the best form that its server takes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, BaseMessage

from perdure.logs import logger_named

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

Form = Literal["json_schema", "function_calling", "text"]
FORMS: tuple[Form, ...] = ("json_schema", "function_calling", "text")
"""How a model can be asked, best first: a server may refuse to be given a schema, or tools."""
OBJECTS_TRIED = 20
"""So many beginnings of an object are tried in an answer that holds more than JSON."""

_LOG = logger_named(__name__)


class StructuredCalls:
    """Calls that are answered with an object of one JSON schema."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema
        self._forms: dict[str, int] = {}
        """By model, the first of `FORMS` that its server has not refused."""

    async def ask(self, chat: ChatOpenAI, name: str, prompt: list[BaseMessage]) -> AIMessage:
        """One raw answer; further requests only the first time that a server refuses the form in which it is asked.

        Raises whatever the client raises (see `model_failures`).
        """
        import openai

        for place in range(self._forms.get(name, 0), len(FORMS)):
            try:
                answer = await self._answer(chat, prompt, FORMS[place])
            except (openai.BadRequestError, openai.UnprocessableEntityError) as refusal:
                if FORMS[place] == FORMS[-1] or isinstance(refusal, ContextOverflowError):
                    raise
                _LOG.info("model %s refuses %s (%s)", name, FORMS[place], type(refusal).__name__)
            else:
                self._forms[name] = place
                return answer
        raise AssertionError("the last form is answered or raises")

    async def _answer(self, chat: ChatOpenAI, prompt: list[BaseMessage], form: Form) -> AIMessage:
        """The raw answer: LangChain's own parser completes half a JSON document, which must count as none."""
        import openai

        if form == "text":
            return await chat.ainvoke(prompt)
        asking = chat.with_structured_output(self._schema, method=form, strict=True, include_raw=True)
        try:
            answer = await asking.ainvoke(prompt)
        except openai.LengthFinishReasonError as cut:
            return _cut_off(cut.completion.model_dump())
        assert isinstance(answer, dict)
        raw: AIMessage = answer["raw"]
        return raw


def is_cut_off(answer: AIMessage) -> bool:
    """Whether the answer reached the model's limit: what it holds is not what it would have held."""
    return answer.response_metadata.get("finish_reason") == "length"


def object_in(answer: AIMessage, key: str) -> dict[str, Any] | None:
    """The first object of a whole answer that has the key; None if it has none, or was cut off."""
    objects = () if is_cut_off(answer) else objects_in(answer)
    return next((found for found in objects if key in found), None)


def objects_in(answer: AIMessage) -> Iterator[dict[str, Any]]:
    """What the model called the tool with; else the JSON objects that begin somewhere in its text, in order."""
    if answer.tool_calls:
        yield answer.tool_calls[0]["args"]
        return
    decoder, text, start = json.JSONDecoder(), answer.text, -1
    for _ in range(OBJECTS_TRIED):
        if (start := text.find("{", start + 1)) < 0:
            return
        try:
            found, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield found


def _cut_off(completion: dict[str, Any]) -> AIMessage:
    """The answer of which the client makes an error, because it reached the model's limit."""
    choice, counted = completion["choices"][0], completion.get("usage") or {}
    used = {"input_tokens": counted.get("prompt_tokens", 0), "output_tokens": counted.get("completion_tokens", 0)}
    return AIMessage(
        choice["message"].get("content") or "",
        response_metadata={"finish_reason": "length"},
        usage_metadata={**used, "total_tokens": sum(used.values())} if counted else None,
    )

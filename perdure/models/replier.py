"""The reply of a turn, streamed from the chat model, which may call tools before it answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, AnyMessage, SystemMessage, ToolMessage

from perdure.errors import ModelReplyInvalid
from perdure.logs import logger_named
from perdure.models.chat import ChatModels, usage_of
from perdure.models.failures import model_failures
from perdure.ports import Tools
from perdure.turn import Reply, ReplyRequest

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

ROUNDS = 8
"""So many times a model may call tools before it has to answer."""
CALLS = 16
"""So many calls of one round are made; the model is told of the others that they were not."""

_REFUSES_TOOLS = re.compile(r"\b(?:tools?|tool_choice|functions?)\b", re.IGNORECASE)
"""Servers without tools say so in their own ways, but they all name them."""

_SURROGATE = re.compile(r"[\ud800-\udfff]")

_LOG = logger_named(__name__)


class ChatReplier:
    """`perdure.ports.Replier` by a chat model; whoever streams the graph sees its tokens."""

    def __init__(self, models: ChatModels) -> None:
        self._models = models
        self._without_tools: set[str] = set()
        """Models whose server takes no tools."""

    async def reply(self, request: ReplyRequest, tools: Tools | None = None) -> Reply:
        """The answer, and the calls of tools that led to it.

        Raises `ModelUnavailable` when a call failed after its retries, and `ModelReplyInvalid` for no answer.
        """
        name = self._models.name("reply", request.model)
        model = await self._models.get("reply", request.model)
        prompt: list[AnyMessage] = [SystemMessage(request.system), *request.messages]
        said: list[AIMessage | ToolMessage] = []
        for left in range(ROUNDS, -1, -1):
            with model_failures("reply", name):
                answer = await self._answer(model, name, [*prompt, *said], tools, must_answer=not left)
            said.append(answer)
            if not (answer.tool_calls or answer.invalid_tool_calls):
                break
            if tools is None or not left:  # calls that nobody answers would spoil the thread
                said[-1] = AIMessage(
                    answer.text, usage_metadata=answer.usage_metadata, response_metadata=answer.response_metadata
                )
                break
            said += [await _outcome(call, tools, number) for number, call in enumerate(_calls(answer))]
        if not (isinstance(said[-1], AIMessage) and said[-1].text.strip()):
            raise ModelReplyInvalid(
                f"the reply model {name!r} answered with nothing: check its output limit, or choose another model; "
                "then `perdure resume THREAD` finishes the turn"
            )
        calls = [usage_of(message, "reply", name) for message in said if isinstance(message, AIMessage)]
        return Reply(tuple(said), tuple(filter(None, calls)))

    async def _answer(
        self, model: ChatOpenAI, name: str, prompt: Sequence[AnyMessage], tools: Tools | None, *, must_answer: bool
    ) -> AIMessage:
        """One answer or round of calls; without tools, once the server has refused them."""
        import openai

        if tools and name not in self._without_tools:
            offering = model.bind_tools(tools.definitions, tool_choice="none" if must_answer else "auto")
            try:
                return _message(await offering.ainvoke(prompt))
            except (openai.BadRequestError, openai.UnprocessableEntityError, openai.NotFoundError) as refusal:
                if isinstance(refusal, ContextOverflowError) or not _REFUSES_TOOLS.search(str(refusal)):
                    raise
                answer = _message(await model.ainvoke(prompt))  # else it was not the tools
                _LOG.info("model %s refuses tools (%s)", name, type(refusal).__name__)
                self._without_tools.add(name)
                return answer
        return _message(await model.ainvoke(prompt))


def _message(answer: Any) -> AIMessage:
    """The answer as it can be kept and sent again: valid Unicode, and an id for every call."""
    assert isinstance(answer, AIMessage)
    return AIMessage(
        _valid(answer.content),
        id=answer.id,
        tool_calls=_named(answer.tool_calls, "call"),
        invalid_tool_calls=_named(answer.invalid_tool_calls, "invalid"),
        usage_metadata=answer.usage_metadata,
        response_metadata=answer.response_metadata,
    )


def _named(calls: Sequence[Any], kind: str) -> list[Any]:
    return [_valid({**call, "id": call["id"] or f"{kind}_{number}"}) for number, call in enumerate(calls)]


def _valid(told: Any) -> Any:
    """JSON in whose strings half a surrogate pair, which no database stores, gives way to the sign for that."""
    match told:
        case str():
            return _SURROGATE.sub("\ufffd", told)
        case list():
            return [_valid(item) for item in told]
        case dict():
            return {_valid(name): _valid(item) for name, item in told.items()}
        case _:
            return told


def _calls(answer: AIMessage) -> list[dict[str, Any]]:
    """The calls in their order; of one whose arguments cannot be read they are missing."""
    return [*map(dict, answer.tool_calls), *({**call, "args": None} for call in answer.invalid_tool_calls)]


async def _outcome(call: dict[str, Any], tools: Tools, number: int) -> ToolMessage:
    name = str(call["name"] or "")
    if number >= CALLS:
        told = f'{{"error": "only {CALLS} calls are made at a time: this one was not made"}}'
    elif call["args"] is None:
        told = '{"error": "the arguments are not a JSON object"}'
    else:
        told = await tools.call(name, call["args"])
    return ToolMessage(told, tool_call_id=str(call["id"]), name=name)

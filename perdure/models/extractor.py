"""Extraction by a chat model: one structured call, whose answer is trusted only as far as the user's words go."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from perdure.attributes import VOCABULARY, Cardinality
from perdure.errors import ModelReplyInvalid, PerdureError
from perdure.models.chat import ChatModels, usage_of
from perdure.models.failures import model_failures
from perdure.models.grounding import Memory, ground, short_ids
from perdure.offline.gate import gate
from perdure.prompts import render
from perdure.prompts.extract import MOST_OPERATIONS, ExtractReply, extract_schema
from perdure.tokens import clip_tokens
from perdure.turn import Extraction, Language, Turn

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

ASSISTANT_TOKENS = 1_000
"""What the assistant's answer may take of the prompt: it is context only."""

_LOG = logging.getLogger(__name__)
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class ModelExtractor:
    """`perdure.ports.Extractor` by a chat model. Nothing is asked of it when the gate sees nothing to remember."""

    def __init__(self, models: ChatModels) -> None:
        self._models = models
        self._needs_tools: set[str] = set()

    async def extract(self, turn: Turn, recalled: Sequence[Mapping[str, Any]], *, model: str = "") -> Extraction:
        decision = gate(turn.user_text)
        if not decision.remember:
            return Extraction((), why=decision.why)
        name = self._models.name("extract", model)
        memories = short_ids(recalled)
        prompt = [SystemMessage(_instructions(turn.language)), HumanMessage(_document(turn, memories))]
        try:
            with model_failures("extract", name):
                answer = await self._ask(await self._models.get("extract", model), name, prompt)
                operations, why = ground(_read(answer, name).operations, turn, memories)
        except PerdureError as failure:
            _LOG.warning("a turn is left to be extracted later: %s", failure)
            return Extraction((), why=str(failure), complete=False)
        return Extraction(operations, why, usage=usage_of(answer, "extract", name))

    async def _ask(self, chat: ChatOpenAI, name: str, prompt: list[BaseMessage]) -> AIMessage:
        """One call; another, by tool call, only the first time that a model refuses to be given a schema."""
        import openai

        if name not in self._needs_tools:
            try:
                return await _structured(chat, prompt, "json_schema")
            except (openai.BadRequestError, openai.UnprocessableEntityError) as refusal:
                _LOG.info("model %s refuses a JSON schema (%s): trying a tool call", name, type(refusal).__name__)
        answer = await _structured(chat, prompt, "function_calling")
        self._needs_tools.add(name)
        return answer


async def _structured(
    chat: ChatOpenAI, prompt: list[BaseMessage], method: Literal["json_schema", "function_calling"]
) -> AIMessage:
    """The raw answer: LangChain's own parser completes half a JSON document, which must count as none."""
    asking = chat.with_structured_output(extract_schema(), method=method, strict=True, include_raw=True)
    answer = await asking.ainvoke(prompt)
    assert isinstance(answer, dict)
    raw: AIMessage = answer["raw"]
    return raw


def _read(answer: AIMessage, name: str) -> ExtractReply:
    """The reply as asked for, from whatever surrounds it. Raises `ModelReplyInvalid`; nothing half is taken."""
    try:
        if answer.tool_calls:
            reply = answer.tool_calls[0]["args"]
        else:
            found = _OBJECT.search(answer.text)
            reply = json.loads(found[0] if found else answer.text)
        if len(reply["operations"]) > MOST_OPERATIONS:
            raise ModelReplyInvalid(
                f"the extraction model {name!r} asked for {len(reply['operations'])} changes at once,"
                f" more than {MOST_OPERATIONS}: none is made"
            )
        return ExtractReply.model_validate(reply)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ModelReplyInvalid(
            f"the extraction model {name!r} answered with something else than the JSON asked for"
            f" ({type(error).__name__}): nothing is changed; choose another PERDURE_EXTRACT_MODEL if it goes on"
        ) from None


@cache
def _instructions(language: Language) -> str:
    return render("extract", language, most=str(MOST_OPERATIONS), vocabulary=_vocabulary(language))


def _vocabulary(language: Language) -> str:
    return "\n".join(
        f"- {attribute.name} ({'one' if attribute.cardinality is Cardinality.SINGLE else 'many'}):"
        f" {', '.join(attribute.korean if language == 'ko' else attribute.english)}"
        for attribute in VOCABULARY
    )


def _document(turn: Turn, memories: Mapping[str, Memory]) -> str:
    """The turn as one JSON document: within its strings nothing can pass for an instruction's frame."""
    document = {
        "said_at": turn.at.isoformat(timespec="seconds"),
        "weekday": f"{turn.at:%A}",
        "memories": [_memory(identity, fact) for identity, fact in memories.items()],
        "assistant_said": clip_tokens(turn.assistant_text, ASSISTANT_TOKENS),
        "user_said": turn.user_text,
    }
    return json.dumps(document, ensure_ascii=False)


def _memory(identity: str, fact: Memory) -> dict[str, str]:
    shown = {
        "id": identity,
        "subject": fact["subject"],
        "attribute": fact["attribute"],
        "value": fact["value"],
        "content": fact["content"],
        "since": fact["valid_from"],
        "until": fact["valid_to"],
    }
    return {name: value for name, value in shown.items() if value}

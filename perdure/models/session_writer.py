"""What is told of a conversation, by a chat model: one structured call, whose numbers must be those that were said."""

from __future__ import annotations

import json

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import ValidationError

from perdure.credentials import redacted
from perdure.errors import ModelReplyInvalid, PerdureError
from perdure.logs import logger_named
from perdure.models.chat import ChatModels, usage_of
from perdure.models.failures import model_failures
from perdure.models.numbers import numbers_in
from perdure.models.structured import StructuredCalls, object_in
from perdure.ports import SessionWriter
from perdure.prompts import render
from perdure.prompts.session import SessionAnswer, session_schema
from perdure.session import Conversation, SessionText
from perdure.spending import saving
from perdure.text import CONTENT_LIMIT, check_text
from perdure.tokens import clip_tokens

WORDS = 120
DOCUMENT_TOKENS = 8_000
"""What all that was said may take of the prompt."""
LONGEST = 1_000
"""Tokens that one message may take of it."""

_LOG = logger_named(__name__)


class ModelSessionWriter:
    """`perdure.ports.SessionWriter` by a chat model; where it fails, tells what was not said, or the budget is used up, by rules."""

    def __init__(self, models: ChatModels, rules: SessionWriter) -> None:
        self._models = models
        self._rules = rules
        self._calls = StructuredCalls(session_schema())

    async def write(self, conversation: Conversation, *, model: str = "") -> SessionText:
        if not conversation.said or await saving():
            return await self._rules.write(conversation)
        name, document = self._models.name("summarise", model), _document(conversation)
        instructions = render("session", conversation.language, words=str(WORDS))
        prompt: list[BaseMessage] = [SystemMessage(instructions), HumanMessage(document)]
        try:
            with model_failures("summarise", name):
                chat = await self._models.get("summarise", model)
                answer = await self._calls.ask(chat, name, prompt)
            told = _told(answer, document)
        except PerdureError as failure:
            _LOG.warning("a session is told by rules: %s", failure)
            return await self._rules.write(conversation)
        usage = usage_of(answer, "summarise", name)
        return SessionText(told.summary, told.outcome, by=name, usage=(usage,) if usage else ())


def _document(conversation: Conversation) -> str:
    """What was said as one JSON document: within its strings nothing can pass for an instruction."""
    each = min(LONGEST, DOCUMENT_TOKENS // (2 * len(conversation.said)))
    exchanges = [
        {
            "at": said.at.isoformat(timespec="minutes"),
            "user": clip_tokens(said.user, each),
            "assistant": clip_tokens(said.assistant, each),
        }
        for said in conversation.said
    ]
    return json.dumps({"exchanges": exchanges, "facts": conversation.facts}, ensure_ascii=False)


def _told(answer: AIMessage, document: str) -> SessionAnswer:
    """Raises `ModelReplyInvalid` for an answer that cannot be read, is empty, or has numbers that were not said."""
    try:
        told = SessionAnswer.model_validate(object_in(answer, "summary"))
        told = SessionAnswer(summary=_checked(told.summary), outcome=_checked(told.outcome))
    except (ValidationError, ValueError):
        raise ModelReplyInvalid("the summary model answered with something else than the JSON asked for") from None
    if not numbers_in(f"{told.summary} {told.outcome}") <= numbers_in(document):
        raise ModelReplyInvalid("the summary model told numbers that nobody had said")
    return told


def _checked(text: str) -> str:
    return redacted(check_text(text, "the answer", limit=CONTENT_LIMIT))

"""The running summary of what no longer fits into the prompt."""

from __future__ import annotations

import json
from collections.abc import Sequence

from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage

from perdure.errors import ModelReplyInvalid
from perdure.models.chat import ChatModels, usage_of
from perdure.models.failures import model_failures
from perdure.prompts import render
from perdure.tokens import clip_tokens
from perdure.turn import Language, Summary

SUMMARY_WORDS = 250
MESSAGE_TOKENS = 2_000
"""What one message may take of the prompt: a pasted book is summarised by its beginning."""


class ModelSummariser:
    """`perdure.ports.Summariser` by a chat model."""

    def __init__(self, models: ChatModels) -> None:
        self._models = models

    async def summarise(
        self, previous: str, messages: Sequence[AnyMessage], language: Language, *, model: str = ""
    ) -> Summary:
        """The summary that replaces `previous` and covers `messages` too.

        Raises `ModelUnavailable` when the call failed after its retries, and `ModelReplyInvalid` for no summary.
        """
        name = self._models.name("summarise", model)
        prompt = [
            SystemMessage(render("summarise", language, words=str(SUMMARY_WORDS))),
            HumanMessage(_document(previous, messages)),
        ]
        chat = await self._models.get("summarise", model)
        with model_failures("summarise", name):
            answer = await chat.ainvoke(prompt)
        if not (text := answer.text.strip()):
            raise ModelReplyInvalid(f"the summary model {name!r} answered with nothing: choose another model")
        return Summary(text, usage_of(answer, "summarise", name))


def _document(previous: str, messages: Sequence[AnyMessage]) -> str:
    said = [{"role": message.type, "text": clip_tokens(message.text, MESSAGE_TOKENS)} for message in messages]
    return json.dumps({"previous_summary": previous, "messages": said}, ensure_ascii=False)

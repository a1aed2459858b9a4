"""What tasks have taught, by a chat model: one structured call. It may neither count nor tell numbers of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import ValidationError

from perdure.credentials import redacted
from perdure.errors import ModelReplyInvalid, PerdureError
from perdure.lesson import LessonText, Tried
from perdure.logs import logger_named
from perdure.models.chat import ChatModels, usage_of
from perdure.models.failures import model_failures
from perdure.models.numbers import counts_in, numbers_in
from perdure.models.structured import StructuredCalls, object_in
from perdure.ports import LessonWriter
from perdure.prompts import render
from perdure.prompts.lesson import LessonAnswer, lesson_schema
from perdure.spending import saving
from perdure.text import VALUE_LIMIT, check_text
from perdure.tokens import clip_tokens
from perdure.turn import Language

WORDS = 60
MOST_SHOWN = 30
"""So many tasks are shown, the latest: what worked years ago matters less."""
LONGEST = 200
"""Tokens that each of a task's texts may take of the prompt."""

_LOG = logger_named(__name__)


class ModelLessonWriter:
    """`perdure.ports.LessonWriter` by a chat model; where it fails, says more than the tasks do, or the budget is used up, by rules."""

    def __init__(self, models: ChatModels, rules: LessonWriter) -> None:
        self._models = models
        self._rules = rules
        self._calls = StructuredCalls(lesson_schema())

    async def write(self, tried: Sequence[Tried], language: Language, *, model: str = "") -> LessonText:
        if await saving():
            return await self._rules.write(tried, language)
        name, document = self._models.name("summarise", model), _document(tried)
        prompt: list[BaseMessage] = [
            SystemMessage(render("lesson", language, words=str(WORDS))),
            HumanMessage(document),
        ]
        try:
            with model_failures("summarise", name):
                chat = await self._models.get("summarise", model)
                answer = await self._calls.ask(chat, name, prompt)
            told = _told(answer, document, tried)
        except PerdureError as failure:
            _LOG.warning("a lesson is told by rules: %s", failure)
            return await self._rules.write(tried, language)
        usage = usage_of(answer, "summarise", name)
        return LessonText(told.works, told.fails, by=name, usage=(usage,) if usage else ())


def _document(tried: Sequence[Tried]) -> str:
    """The tasks as one JSON document: within its strings nothing can pass for an instruction."""
    tasks = [
        {name: clip_tokens(text, LONGEST) for name, text in asdict(one).items() if text} for one in tried[-MOST_SHOWN:]
    ]
    return json.dumps({"tasks": tasks}, ensure_ascii=False)


def _told(answer: AIMessage, document: str, tried: Sequence[Tried]) -> LessonAnswer:
    """Raises `ModelReplyInvalid` for an answer that cannot be read, says nothing, or says what the tasks do not."""
    try:
        told = LessonAnswer.model_validate(object_in(answer, "works"))
        told = LessonAnswer(works=_checked(told.works), fails=_checked(told.fails))
    except (ValidationError, ValueError):
        raise ModelReplyInvalid("the lesson model answered with something else than the JSON asked for") from None
    results, said = {one.result for one in tried}, f"{told.works} {told.fails}"
    if not numbers_in(said) <= numbers_in(document) or not counts_in(said) <= counts_in(document):
        raise ModelReplyInvalid("the lesson model told numbers that the tasks do not have")
    # What nobody judged, the outcome's words may; but nothing went well where all went badly, and the reverse.
    works = told.works if results & {"well", "unknown"} else ""
    fails = told.fails if results & {"badly", "unknown"} else ""
    if not (works or fails):
        raise ModelReplyInvalid("the lesson model told nothing that the tasks bear out")
    return LessonAnswer(works=works, fails=fails)


def _checked(text: str) -> str:
    return redacted(" ".join(check_text(text, "the answer", limit=VALUE_LIMIT).split())) if text.strip() else ""

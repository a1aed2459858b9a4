"""One sentence for a group of memories that say the same, by a chat model."""

from __future__ import annotations

import json
from collections.abc import Sequence

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from pydantic import ValidationError

from perdure.consolidation_ports import Worded
from perdure.errors import ModelReplyInvalid
from perdure.models.chat import ChatModels, usage_of
from perdure.models.failures import model_failures
from perdure.models.structured import StructuredCalls, object_in
from perdure.prompts import render
from perdure.prompts.consolidate import Consolidated, consolidation_schema
from perdure.text import CONTENT_LIMIT
from perdure.turn import Language


class ModelWording:
    """`perdure.consolidation_ports.Wording` by the model that extracts. What it answers is checked by who asks."""

    def __init__(self, models: ChatModels) -> None:
        self._models = models
        self._calls = StructuredCalls(consolidation_schema())

    async def word(self, sentences: Sequence[str], language: Language, *, model: str = "") -> Worded:
        name = self._models.name("extract", model)
        with model_failures("extract", name):
            chat = await self._models.get("extract", model)
            answer = await self._calls.ask(chat, name, _prompt(sentences, language))
        try:
            found = Consolidated.model_validate(object_in(answer, "same"))
        except ValidationError:
            raise ModelReplyInvalid(
                f"the extraction model {name!r} answered with something else than the JSON asked for: choose another"
                " PERDURE_EXTRACT_MODEL if it goes on"
            ) from None
        return Worded(found.same, found.sentence.strip()[:CONTENT_LIMIT], usage_of(answer, "extract", name))


def _prompt(sentences: Sequence[str], language: Language) -> list[BaseMessage]:
    """The sentences as one JSON document: within its strings nothing can pass for an instruction."""
    instructions = render("consolidate", language, count=str(len(sentences)))
    return [SystemMessage(instructions), HumanMessage(json.dumps({"sentences": list(sentences)}, ensure_ascii=False))]

"""Extraction by a chat model: one structured call, whose answer is trusted only as far as the user's words go."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import ValidationError

from perdure.errors import ModelReplyInvalid, PerdureError
from perdure.logs import logger_named
from perdure.models.chat import ChatModels, usage_of
from perdure.models.extraction_prompt import prompt_of, repair_of
from perdure.models.failures import model_failures
from perdure.models.grounding import ground
from perdure.models.memories import Memories
from perdure.models.structured import StructuredCalls, is_cut_off, objects_in
from perdure.offline.repetition import gate_turn
from perdure.prompts.extract import MOST_OPERATIONS, ExtractedOperation, ExtractReply, Unreadable, extract_schema
from perdure.spending import on_purpose, saving
from perdure.turn import Extraction, GateDecision, Known, Turn, Usage

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

_LOG = logger_named(__name__)
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class ModelExtractor:
    """`perdure.ports.Extractor` by a chat model. Nothing is asked of it when the gate sees nothing to remember."""

    def __init__(self, models: ChatModels) -> None:
        self._models = models
        self._calls = StructuredCalls(extract_schema())

    async def extract(self, turn: Turn, known: Known, *, model: str = "") -> Extraction:
        gated = gate_turn(turn, known)
        if not gated.gate.remember:
            return gated
        if why := await saving():
            return Extraction((), why, GateDecision(gated.gate.remember, why), complete=False)
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
            with on_purpose("repair"):
                answer = await self._ask(chat, name, repair_of(prompt, answer.text, read, turn.language), usage)
            read = _read(answer)
        if isinstance(read, Unreadable):
            raise ModelReplyInvalid(
                f"the extraction model {name!r} answered twice with something else than the JSON asked for"
                f" ({read.value}): nothing is changed; choose another PERDURE_EXTRACT_MODEL if it goes on"
            )
        return read

    async def _ask(self, chat: ChatOpenAI, name: str, prompt: list[BaseMessage], usage: list[Usage]) -> AIMessage:
        answer = await self._calls.ask(chat, name, prompt)
        usage += [used] if (used := usage_of(answer, "extract", name)) else []
        return answer


def _read(answer: AIMessage) -> Sequence[ExtractedOperation] | Unreadable:
    """The operations, from whatever surrounds them, or what is wrong with the answer."""
    if is_cut_off(answer):
        return Unreadable.CUT_OFF
    reply = next((found for found in objects_in(answer) if isinstance(found.get("operations"), list)), None)
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

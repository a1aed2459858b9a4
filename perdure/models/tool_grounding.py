"""A change that a model asks for by a tool, held against the user's words like one that is extracted."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from pydantic import ValidationError

from perdure.errors import InvalidInput
from perdure.facts import Action, Operation
from perdure.models.dating import term_in
from perdure.models.evidence import Passage, find_passage
from perdure.models.grounding import Grounds
from perdure.models.memories import Memories, Memory
from perdure.prompts.extract import ExtractedOperation
from perdure.turn import Known, Turn


def ground_tool(candidate: ExtractedOperation, turns: Sequence[Turn], known: Known) -> Operation:
    """`perdure.ports.Grounding`."""
    turn, passage = _where_said(candidate.evidence.quote, turns)
    memories = Memories(known.recalled)
    target = memories.by_id.get(candidate.target)
    if target and candidate.action == "end" and passage.asks_to_forget():
        return _forgotten(candidate, target, passage, turn)
    try:
        return Grounds(turn, known, memories).operation(candidate)
    except ValidationError:
        raise InvalidInput("it is incomplete") from None


def _where_said(quote: str, turns: Sequence[Turn]) -> tuple[Turn, Passage]:
    objection = InvalidInput("evidence that the user did not say")
    for turn in reversed(turns):
        try:
            return turn, find_passage(quote, "user", turn)
        except InvalidInput as error:
            objection = error
    raise objection


def _forgotten(candidate: ExtractedOperation, target: Memory, passage: Passage, turn: Turn) -> Operation:
    """ "Forget that" names nothing: what it means is what the model, which knows the conversation, takes it for."""
    term = term_in(candidate.valid_from, "", passage, turn.at)
    return Operation(
        action=Action.END,
        target=UUID(target["id"]),
        attribute=target["attribute"],
        value=target["value"] if target["attribute"] else "",
        subject=target["subject"],
        valid_from=term.start,
        evidence=passage.quote,
    )

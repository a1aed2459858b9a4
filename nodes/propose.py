"""propose: the sentence that stands for each of the next groups. No connection is held while a model words it."""

from __future__ import annotations

import asyncio
from typing import Any

from perdure.alike import Group
from perdure.consolidation_ports import Worded, Wording
from perdure.errors import ModelReplyInvalid
from perdure.graph.consolidation_context import ConsolidationContext
from perdure.graph.consolidation_state import ConsolidationState, Json, group_of
from perdure.language import detect_language
from perdure.ports import Ledger
from perdure.rewording import rewording
from perdure.spending import on_purpose, saving, spending

AT_ONCE = 4
"""Groups that are worded side by side, and lost to a kill at most."""
BY_RULE = "in the words of the one that was said most often"
BY_MODEL = "in the words of the model"
LONGEST = "in the words of the longest, for the model's said something else"
NOT_THE_SAME = "the model says that they are not the same"
UNREADABLE = "the model's answer could not be read"


async def propose(state: ConsolidationState, *, wording: Wording | None, ledger: Ledger) -> dict[str, Any]:
    """Raises `ModelUnavailable`: the run stops there, and goes on there when it is run again."""
    context = ConsolidationContext.model_validate(state["context"])
    groups = [group_of(document) for document in state["groups"][:AT_ONCE]]
    with spending(ledger, context.scope), on_purpose("consolidate"):
        wording = None if await saving() else wording  # with little left of the budget, as without a model
        answers = await asyncio.gather(*(_worded(group, wording, context.extract_model) for group in groups))
    usage = [answer.usage.to_json() for answer in answers if answer and answer.usage]
    return {
        "groups": state["groups"][AT_ONCE:],
        "proposals": [_proposal(group, answer, wording) for group, answer in zip(groups, answers, strict=True)],
        "usage": state["usage"] + usage,
    }


async def _worded(group: Group, wording: Wording | None, model: str) -> Worded | None:
    """None without a model, for values, which are names, and where the answer could not be used."""
    if wording is None or not group.notes:
        return None
    sentences = [fact.content for fact in group.facts]
    try:
        return await wording.word(sentences, detect_language(" ".join(sentences)), model=model)
    except ModelReplyInvalid:
        return None


def _proposal(group: Group, answer: Worded | None, wording: Wording | None) -> Json:
    sentence, why, same = "", BY_RULE, True
    if wording and group.notes:
        if answer is None:
            why, same = UNREADABLE, False
        elif not answer.same:
            why, same = NOT_THE_SAME, False
        else:
            sentence, why = _checked(answer.sentence, group)
    return {"group": group.to_json(), "sentence": sentence, "why": why, "same": same}


def _checked(sentence: str, group: Group) -> tuple[str, str]:
    """The model's sentence, if it is another saying of every source: all their words, and none that is not theirs."""
    if sentence and all(rewording(sentence, fact.content) is None for fact in group.facts):
        return sentence, BY_MODEL
    return max((fact.content for fact in group.facts), key=len), LONGEST

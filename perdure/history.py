"""Which messages of a thread still go into the prompt, and which have to be summarised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import AnyMessage, HumanMessage, trim_messages

from perdure.tokens import estimate_message_tokens


@dataclass(frozen=True, slots=True)
class HistoryFit:
    """``kept`` goes into the prompt; ``overflow``, older than it, into the summary. Both in order of time."""

    kept: tuple[AnyMessage, ...]
    overflow: tuple[AnyMessage, ...]


def fit_history(messages: Sequence[AnyMessage], summary_through: str, budget: int) -> HistoryFit:
    """The messages after the one with id `summary_through`, split so that those kept fit `budget` tokens.

    Once they exceed it, they are cut down to half of it, so that a summary is not due again with the next message.
    A cut is made only before a human message: a tool's result never loses its call. The last human message and
    what follows it always stay, even beyond the budget. An id that is not among the messages leaves all of them.
    """
    ids = [message.id for message in messages]
    after = ids.index(summary_through) + 1 if summary_through and summary_through in ids else 0
    recent = tuple(messages[after:])
    if estimate_message_tokens(recent) <= budget:
        return HistoryFit(kept=recent, overflow=())
    fitting = trim_messages(
        recent, max_tokens=budget // 2, token_counter=estimate_message_tokens, strategy="last", start_on="human"
    )
    last_human = max((place for place, message in enumerate(recent) if isinstance(message, HumanMessage)), default=0)
    cut = min(len(recent) - len(fitting), last_human)
    return HistoryFit(kept=recent[cut:], overflow=recent[:cut])

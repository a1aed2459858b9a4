"""The messages of a turn."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from perdure.errors import InvalidText

SENT_AT = "sent_at"
"""Key in a human message's `additional_kwargs`: when it was sent, ISO 8601, if that was not just now."""


def last_human(messages: Sequence[AnyMessage]) -> HumanMessage:
    """The message that this turn answers; raises `InvalidText` if there is none."""
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            return message
    raise InvalidText("there is no message from the user: give one in `messages`")


def reply_text(messages: Sequence[AnyMessage]) -> str:
    """The text of the last reply, or nothing if the last message is the user's."""
    return messages[-1].text if messages and isinstance(messages[-1], AIMessage) else ""

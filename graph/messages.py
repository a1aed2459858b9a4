"""The messages of a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from perdure.errors import InvalidText
from perdure.tools.arguments import TOOLS

SENT_AT = "sent_at"
"""Key in a human message's `additional_kwargs`: when it was sent, ISO 8601, if that was not just now."""


def last_human(messages: Sequence[AnyMessage]) -> HumanMessage:
    """The message that this turn answers; raises `InvalidText` if there is none."""
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            return message
    raise InvalidText("there is no message from the user: give one in `messages`")


def spoken(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """The messages without the calls of memory tools and what those gave back.

    What was looked up for an earlier reply may be out of date, and would take the place of what was said.
    """
    kept: list[AnyMessage] = []
    looking = False
    for message in messages:
        if not isinstance(message, ToolMessage):
            looking = isinstance(message, AIMessage) and any(call["name"] in TOOLS for call in _calls(message))
        if not looking:
            kept.append(message)
    return kept


def _calls(message: AIMessage) -> list[Mapping[str, Any]]:
    return [*message.tool_calls, *message.invalid_tool_calls]


def reply_text(messages: Sequence[AnyMessage]) -> str:
    """The text of the last reply, or nothing if the last message is the user's."""
    return messages[-1].text if messages and isinstance(messages[-1], AIMessage) else ""

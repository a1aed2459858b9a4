"""An estimate of how many tokens a text is, for budgets: no tokenizer fits every model, and none is needed to cut.

Characters per token: about 4 of English ("What are tokens and how to count them?", OpenAI help centre), about 1.5 of
Chinese characters, kana and Hangul (0.6 tokens per Chinese character: "Token & token usage", DeepSeek API docs).
Other scripts lie between. Signs outside the basic plane, such as emoji, are mostly several tokens each.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import accumulate

from langchain_core.messages import AIMessage, BaseMessage

TOKEN = 12
"""Weight of a token. The weights of characters are whole numbers, so that sums are exact."""
ASCII = TOKEN // 4
EAST_ASIAN = TOKEN * 2 // 3
OTHER = TOKEN // 2
SUPPLEMENTARY = TOKEN * 2

MESSAGE_OVERHEAD = 4
"""Tokens that role and separators of one message take."""

_EAST_ASIAN_BLOCKS = ((0x1100, 0x11FF), (0x2E80, 0xA4CF), (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF))


def estimate_tokens(text: str) -> int:
    """About how many tokens `text` is to a chat model."""
    weight = len(text) * ASCII if text.isascii() else sum(map(_weight, text))
    return -(-weight // TOKEN)


def estimate_message_tokens(messages: Iterable[BaseMessage]) -> int:
    """About how many tokens the messages are, the tool calls in them included."""
    return sum(MESSAGE_OVERHEAD + estimate_tokens(_wire_text(message)) for message in messages)


def clip_tokens(text: str, limit: int) -> str:
    """The longest beginning of `text` that is estimated at no more than `limit` tokens."""
    if estimate_tokens(text) <= limit:
        return text
    fitting = sum(1 for spent in accumulate(map(_weight, text)) if spent <= limit * TOKEN)
    return text[:fitting]


def _wire_text(message: BaseMessage) -> str:
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    return message.text + "".join(call["name"] + json.dumps(call["args"], ensure_ascii=False) for call in calls)


def _weight(character: str) -> int:
    code = ord(character)
    if code < 0x80:
        return ASCII
    if code > 0xFFFF:
        return SUPPLEMENTARY
    return EAST_ASIAN if any(first <= code <= last for first, last in _EAST_ASIAN_BLOCKS) else OTHER

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage

from perdure.tokens import MESSAGE_OVERHEAD, clip_tokens, estimate_message_tokens, estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcd" * 10, 10),
        ("서울에산다" * 3, 10),
        ("東京都" * 10, 20),
        ("Привет", 3),
        ("🙂", 2),
        ("ab 서울", 3),
    ],
)
def test_estimates_by_script(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_tool_calls_count() -> None:
    call = {"name": "search", "args": {"query": "a" * 400}, "id": "1", "type": "tool_call"}
    assert estimate_message_tokens([AIMessage("", tool_calls=[call])]) > 100
    assert estimate_message_tokens([HumanMessage("abcd"), HumanMessage("abcd")]) == 2 * (MESSAGE_OVERHEAD + 1)


@given(st.text(max_size=300), st.integers(0, 100))
def test_clipping_keeps_the_longest_beginning_that_fits(text: str, limit: int) -> None:
    clipped = clip_tokens(text, limit)
    assert text.startswith(clipped)
    assert estimate_tokens(clipped) <= limit
    assert clipped == text or estimate_tokens(text[: len(clipped) + 1]) > limit

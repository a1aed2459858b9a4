"""What is worth looking at for things to remember, and what is asked."""

from __future__ import annotations

import pytest

from perdure.offline.gate import asks, gate


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("", "nothing was said"),
        (" \n", "nothing was said"),
        ("hi", "only small talk"),
        ("Thanks so much!", "only small talk"),
        ("ok, great, see you later", "only small talk"),
        ("안녕하세요!", "only small talk"),
        ("고마워, 정말 도움이 됐어!", "only small talk"),
        ("ㅋㅋㅋㅋ", "only small talk"),
        ("What's the capital of Mongolia?", "only a question or a request"),
        ("Explain how transformers work.", "only a question or a request"),
        ("몽골의 수도가 어디야?", "only a question or a request"),
        ("이 문장 번역해줘", "only a question or a request"),
        ("안녕! 좋은 책 추천해줄래?", "only small talk"),
        ("```\nI live in Paris\n```", "only pasted or quoted text"),
        ("> I live in Paris", "only pasted or quoted text"),
    ],
)
def test_nothing_to_remember(message: str, why: str) -> None:
    decision = gate(message)
    assert (decision.remember, decision.why) == (False, why)


@pytest.mark.parametrize(
    "message",
    [
        "I live in Busan.",
        "Thanks! By the way, I moved to Seoul.",
        "I moved to Seoul, where should I eat?",
        "What can I eat? I'm vegan.",
        "What can I cook, given that I'm allergic to nuts?",
        "Please keep your answers short.",
        "Call me Max.",
        "My mother said that I was born in Lyon.",
        "나 서울로 이사했는데 맛집 추천해줘",
        "앞으로 존댓말로 대답해줘",
        "내 비행기는 12일 오전 9시니까 기억해줘",
        "안녕, 나는 민지야",
        "a paragraph without any end " * 40,
    ],
)
def test_something_to_remember(message: str) -> None:
    assert gate(message).remember


@pytest.mark.parametrize("message", ["Where do I live?", "tell me a joke", "나 어디 살아?", "고마워! 몇 시야?"])
def test_asking(message: str) -> None:
    assert asks(message)


@pytest.mark.parametrize("message", ["I live in Busan.", "Thanks!", "나는 부산에 살아", "앞으로 영어로 답해줘"])
def test_not_asking(message: str) -> None:
    assert not asks(message)

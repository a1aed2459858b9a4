"""What is worth looking at for things to remember, and what is asked."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from labelled import AT, recalled_hit

from perdure.facts import Action
from perdure.language import detect_language
from perdure.offline.extract import RuleExtractor
from perdure.offline.gate import asks, gate
from perdure.turn import Extraction, Known, Turn


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
        ("이 글을 읽어.", "only a question or a request"),
        ("이건 한국어로 써.", "only a question or a request"),
        ("What should I read next", "only a question or a request"),
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
        "When I was twelve my family moved to Canada.",
        "What I like most is tea.",
        "나는 아이폰을 써.",
        "매일 소설을 읽어.",
        "화면은 다크 모드를 써.",
        "답변은 짧게 해줬으면 좋겠어.",
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


BUSAN = recalled_hit(0, "home.city", "부산", "나는 부산에 살아.")
NUTS = recalled_hit(1, "health.allergy", "peanuts", "I am allergic to peanuts.")
EXCHANGE = recalled_hit(
    2, "", "", "user: I live in Busan. Nice here.\nassistant: I live in a server.", source="episode", kind="exchange"
)
TOLD = recalled_hit(3, "home.city", "Busan", "The user lives in Busan.", message="said-2")


async def extracted(text: str, *recalled: dict[str, Any]) -> Extraction:
    turn = Turn("m", text, "", AT, detect_language(text))
    return await RuleExtractor().extract(turn, Known(recalled))


@pytest.mark.parametrize(
    ("said", "confirmed"),
    [
        ("나는 부산에 살아", ["부산"]),
        ("나는 부산에 살아!! 기억나?", ["부산"]),
        ("고마워! 나는 부산에 살아. I am allergic to peanuts.", ["부산", "peanuts"]),
        ("Remember that I am allergic to peanuts.", ["peanuts"]),
    ],
)
async def test_what_only_repeats_memories_confirms_them(said: str, confirmed: list[str]) -> None:
    extraction = await extracted(said, BUSAN, NUTS)
    assert (extraction.gate.remember, extraction.why) == (False, "only what is remembered already")
    assert [(made.action, made.value) for made in extraction.operations] == [
        (Action.CONFIRM, value) for value in confirmed
    ]
    assert all(decision.reason == "remembered already" for decision in extraction.decisions)


@pytest.mark.parametrize(
    ("said", "recalled"),
    [
        ("나는 부산에 살아. 고양이를 키워.", [BUSAN]),
        ("나는 부산에 살아.", [{**BUSAN, "past": True}]),
        ("나는 부산에 살아.", []),
        ("나는 부산에 살아.", [BUSAN, {**NUTS, "recorded_at": "2026-10-02T00:00:00+00:00"}]),
        ("I moved here last month.", [recalled_hit(0, "", "", "I moved here last month.", recorded_at="2026-01-01T00:00:00+00:00")]),
        ("I live in Busan.", [EXCHANGE]),
        ("I live in Busan.", [EXCHANGE, {**TOLD, "past": True}]),
        ("I live in a server.", [EXCHANGE, TOLD]),
    ],
    ids=["more is said", "past", "nothing recalled", "something was learned since", "another month", "nothing came of it", "over", "the assistant's"],
)  # fmt: skip
async def test_what_may_be_news_is_looked_at(said: str, recalled: list[dict[str, Any]]) -> None:
    assert (await extracted(said, *recalled)).gate.remember


async def test_what_repeats_an_exchange_whose_fact_still_holds_needs_no_look() -> None:
    extraction = await extracted("I live in Busan.", EXCHANGE, TOLD)
    assert not extraction.gate.remember and extraction.operations == ()


async def test_the_same_words_with_the_same_dates_are_a_repetition() -> None:
    told = (AT - timedelta(days=1)).isoformat()
    moved = recalled_hit(0, "home.city", "Busan", "I moved to Busan in 2019.", recorded_at=told)
    assert not (await extracted("I moved to Busan in 2019.", moved)).gate.remember


async def test_what_was_considered_and_not_kept_is_told() -> None:
    decisions = (await extracted("I live in Busan. If I won, I would fly. Where is it?")).decisions
    assert [(decision.should_save, decision.reason) for decision in decisions] == [
        (True, "a rule knows it"),
        (False, "a supposition"),
        (False, "only a question or a request"),
    ]

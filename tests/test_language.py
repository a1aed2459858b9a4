"""English or Korean, by the share of words in Hangul."""

from __future__ import annotations

import pytest

from perdure.language import detect_language


@pytest.mark.parametrize(
    "text", ["나 어디 살아?", "AWS 자격증을 따고 싶어", "나는 Google에서 software engineer로 일해", "ㅋㅋ", "서울?"]
)
def test_korean(text: str) -> None:
    assert detect_language(text) == "ko"


@pytest.mark.parametrize(
    "text", ["Where do I live?", "I live in 서울.", "How do you say 안녕 in English?", "", "123 !?", "日本"]
)
def test_english_or_neither(text: str) -> None:
    assert detect_language(text) == "en"

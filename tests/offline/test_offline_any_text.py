"""No string breaks the offline mode, however long, odd or malicious."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled import AT, read_cases, recalled_hit

from perdure.language import detect_language
from perdure.offline.extract import RuleExtractor
from perdure.offline.gate import asks, gate
from perdure.offline.question import asked_attributes
from perdure.offline.sentences import SENTENCE_LIMIT, sentences
from perdure.operations import checked
from perdure.text import MESSAGE_LIMIT
from perdure.time import EARLIEST, LATEST, check_term
from perdure.turn import Extraction, Known, Turn

_WORDS = sorted(
    {word for name in ("plain", "heldout", "further") for case in read_cases(name) for word in case.text.split()}
)
sentence_like = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=25).map(" ".join)
instants = st.datetimes(EARLIEST.replace(tzinfo=None), LATEST.replace(tzinfo=None)).map(
    lambda naive: naive.replace(tzinfo=AT.tzinfo)
)


def extract(text: str, at: datetime = AT) -> Extraction:
    known = Known([recalled_hit(0, "home.city", "서울", "서울에 살아")])
    return asyncio.run(RuleExtractor().extract(Turn("m", text, "", at, detect_language(text)), known))


@given(text=st.text(max_size=2000), at=instants)
@settings(max_examples=200, deadline=None)
def test_arbitrary_text(text: str, at: datetime) -> None:
    assert isinstance(gate(text).why, str) and asks(text) in {True, False}
    assert isinstance(asked_attributes(text), tuple)
    assert extract(text, at).complete


@given(text=sentence_like, at=instants)
@settings(max_examples=300, deadline=None)
def test_whatever_is_extracted_from_shuffled_words_can_be_stored(text: str, at: datetime) -> None:
    for operation in extract(text, at).operations:
        operation = checked(operation)
        check_term(operation.valid_from or at, operation.valid_to)
        assert operation.content in text


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "와",
        "가나다 ",
        "I live in ",
        "나는 서울에 ",
        "hi ",
        "last ",
        '"a ',
        "`",
        "> a\n",
        "a. ",
        "🙂",
        "שלום ",
        "I am\n",
        "없",
    ],
)
def test_the_longest_message_of_one_thing_over_and_over(unit: str) -> None:
    text = (unit * (MESSAGE_LIMIT // len(unit) + 1))[:MESSAGE_LIMIT]
    assert extract(text).complete
    assert asked_attributes(text) is not None


@pytest.mark.parametrize("filler", ["가", "A", "I am ", "나는 ", "not ", "1"])
def test_the_longest_sentences_that_are_looked_at(filler: str) -> None:
    sentence = (filler * SENTENCE_LIMIT)[: SENTENCE_LIMIT - 1].strip() + "."
    assert extract(f"{sentence}\n" * (MESSAGE_LIMIT // SENTENCE_LIMIT)).complete


def test_a_sentence_longer_than_the_limit_is_skipped_and_the_others_are_not() -> None:
    long = "word " * SENTENCE_LIMIT
    assert list(sentences(f"I live in Busan. {long}. 나는 땅콩 알레르기가 있어.")) == [
        "I live in Busan.",
        "나는 땅콩 알레르기가 있어.",
    ]


def test_text_in_control_characters_and_from_right_to_left() -> None:
    (operation,) = extract("\u202eI live in Busan.\u202c \x07").operations
    assert operation.value.startswith("Busan")

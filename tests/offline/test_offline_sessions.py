"""What the rules tell of a conversation."""

from __future__ import annotations

from perdure.offline.session_writer import RuleSessionWriter
from perdure.session import Conversation


async def test_a_sentence_that_tells_several_facts_is_told_once() -> None:
    sentence = "I work at Hyundai as a welder."
    text = await RuleSessionWriter().write(Conversation((), (sentence, sentence, "I like tea"), 1, "en"))
    assert text.summary == f"The user told: {sentence} I like tea."
    assert text.outcome == "facts learned: 3"

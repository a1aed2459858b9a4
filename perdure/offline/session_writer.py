"""What is told of a conversation without a model: what was told in it, and what was asked first."""

from __future__ import annotations

from perdure.offline.gate import asks
from perdure.offline.sentences import sentences
from perdure.session import Conversation, SessionText
from perdure.turn import Language

QUESTIONS = 3
"""So many questions are repeated, the first ones: they say what the conversation was about."""
FACTS = 10
EXCERPT = 120
"""Characters of a question that are repeated."""

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "told": "The user told: {}",
        "asked": "The user asked: {}",
        "nothing": "A conversation in which nothing was told or asked.",
        "outcome": "facts learned: {}",
    },
    "ko": {
        "told": "사용자가 말한 것: {}",
        "asked": "사용자가 물은 것: {}",
        "nothing": "아무것도 말하거나 묻지 않은 대화.",
        "outcome": "새로 안 사실: {}",
    },
}


class RuleSessionWriter:
    """Implements `perdure.ports.SessionWriter` without a model."""

    async def write(self, conversation: Conversation, *, model: str = "") -> SessionText:
        words, facts = _WORDS[conversation.language], conversation.facts
        sentences_told = list(dict.fromkeys(map(_closed, facts)))  # one sentence may tell several facts
        told = [words["told"].format(" ".join(sentences_told[:FACTS]))] if facts else []
        questions = [words["asked"].format(" ".join(asked))] if (asked := _questions(conversation)) else []
        summary = "\n".join([*told, *questions]) or words["nothing"]
        return SessionText(summary, words["outcome"].format(len(facts)), tells=bool(facts))


def _questions(conversation: Conversation) -> list[str]:
    asked = [sentence for said in conversation.said for sentence in sentences(said.user) if asks(sentence)]
    return [f"“{_excerpt(question)}”" for question in asked[:QUESTIONS]]


def _excerpt(question: str) -> str:
    line = " ".join(question.split())
    return line if len(line) <= EXCERPT else f"{line[: EXCERPT - 1]}…"


def _closed(fact: str) -> str:
    line = " ".join(fact.split())
    return line if line.endswith((".", "!", "?", "…")) else f"{line}."

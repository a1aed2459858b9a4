"""The texts that an erasure takes away: what the proof looks for afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perdure.facts import Statement


def erased_texts(statements: Iterable[Statement], episodes: Iterable[str]) -> frozenset[str]:
    """Contents, values and evidence of statements; what episodes hold, and what the user said in an exchange.

    What was answered is not looked for by itself: "Noted." is everybody's.
    """
    texts = {text for statement in statements for text in _told(statement)}
    texts |= {text for content in episodes for text in (content, _users_words(content))}
    return frozenset(text for text in map(str.strip, texts) if text)


def _told(statement: Statement) -> Iterator[str]:
    yield from (statement.content, statement.value, statement.said, statement.evidence)


def _users_words(content: str) -> str:
    """Of an exchange, which is kept as one text, the user's message, or its beginning: a thread has it by itself."""
    return content.partition("\nassistant: ")[0].removeprefix("user: ")

"""The texts that an erasure takes away: what the proof looks for afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perdure.backfill import exchange_texts
from perdure.episodes import Episode
from perdure.facts import Statement


def erased_texts(statements: Iterable[Statement], episodes: Iterable[Episode]) -> frozenset[str]:
    """Contents, values and evidence of statements; what episodes hold, and what the user said in an exchange.

    What was answered is not looked for by itself: "Noted." is everybody's.
    """
    texts = {text for statement in statements for text in _told(statement)}
    texts |= {text for episode in episodes for text in _kept(episode)}
    return frozenset(text for text in map(str.strip, texts) if text)


def _told(statement: Statement) -> Iterator[str]:
    yield from (statement.content, statement.value, statement.said, statement.evidence)


def _kept(episode: Episode) -> Iterator[str]:
    yield episode.content
    if episode.kind == "exchange":
        yield exchange_texts(episode)[0]

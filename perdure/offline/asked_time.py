"""Which time a question asks about: "Where did I live last year?", "작년에 어디 살았지?".

A wrong time hides the answer, none only leaves it among others: in doubt there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final

from perdure.asked_time import AskedTime
from perdure.offline.asked_reading import Grammar, Reading, only_tells_time, read
from perdure.offline.asked_time_english import ENGLISH
from perdure.offline.asked_time_korean import KOREAN
from perdure.offline.sentences import sentences
from perdure.turn import Language

_LOOKED_AT = 500
"""So many characters of a question are read."""
_GRAMMARS: Final[dict[Language, Grammar]] = {"en": ENGLISH, "ko": KOREAN}


def asked_time(question: str, now: datetime, language: Language) -> AskedTime | None:
    """The time that the question asks about, or None if it asks about now, tells rather than asks, or names several.

    `now` is the present, aware; days, months and years are those of its time zone.
    """
    asking = [reading for reading in _readings(question[:_LOOKED_AT], now, language) if reading.asks]
    history = next((reading.history for reading in asking if reading.history), "")
    named = [time for reading in asking for time in reading.times]
    time = named[0] if len(named) == 1 and not any(reading.present for reading in asking) else None
    if history:
        return replace(time, history=True) if time else AskedTime(history, history=True)
    return time


def _readings(text: str, now: datetime, language: Language) -> Iterator[Reading]:
    """What each clause tells."""
    grammar = _GRAMMARS[language]
    for sentence in sentences(text):
        parts = _with_their_times(grammar.clauses(sentence), grammar)
        for index, part in enumerate(parts):
            yield read(part, grammar, now, last=index == len(parts) - 1)


def _with_their_times(parts: list[str], grammar: Grammar) -> list[str]:
    """The clauses, joined with those that only tell a time: "In 2019", "since I moved"."""
    whole: list[str] = []
    time = ""
    for part in parts:
        part = f"{time}, {part}" if time else part
        time = part if only_tells_time(part, grammar) else ""
        if not time:
            whole.append(part)
    return [*whole[:-1], f"{whole[-1]}, {time}"] if time and whole else whole

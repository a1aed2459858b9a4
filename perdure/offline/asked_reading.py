"""How a clause of a question is read for the times in it, in either language: the languages give the patterns."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from perdure.asked_time import AskedTime
from perdure.offline.asked_spans import Tense
from perdure.offline.sentences import straight


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a language puts times into questions."""

    clauses: Callable[[str], list[str]]
    """The parts of a sentence that each tell or ask one thing."""
    changes: re.Pattern[str]
    """Changes that tell a time. The group that matched is `before` or `after`, and the attribute, joined by __."""
    times: tuple[re.Pattern[str], ...]
    """Times, those first that hold others."""
    time: Callable[[re.Match[str], Tense, datetime], AskedTime | None]
    """What a match of one of these names, or None if it is content."""
    history: re.Pattern[str]
    """Words that ask for past values or the start."""
    present: re.Pattern[str]
    """Words that ask about now."""
    filler: re.Pattern[str]
    """What says nothing beside a time."""
    asks: Callable[[str, str, bool], bool]
    """Whether a clause, also given without its times, asks something; and whether it ends its sentence."""
    tense_of: Callable[[str], Tense]
    """The tense of a clause without its times."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a clause of a question tells about time."""

    asks: bool
    times: tuple[AskedTime | None, ...] = ()
    """Those that it names, None for one that is content."""
    history: str = ""
    """The words that ask for past values or the start."""
    present: bool = False
    """It asks about the present, whatever else."""


def only_tells_time(part: str, grammar: Grammar) -> bool:
    """Whether the clause belongs to another: "In 2019"."""
    found, rest = _found(straight(part), grammar)
    return bool(found) and not grammar.filler.sub("", rest)


def read(part: str, grammar: Grammar, now: datetime, *, last: bool) -> Reading:
    """What this clause tells; `last` if it ends its sentence."""
    text = straight(part)
    found, rest = _found(text, grammar)
    if not grammar.asks(text, rest, last):
        return Reading(asks=False)
    tense = grammar.tense_of(rest)
    times = tuple(_as_said(part, match, _time(match, grammar, tense, now)) for match in found)
    past = grammar.history.search(rest)
    history = part[past.start() : past.end()] if past else ""
    now_too = bool(grammar.present.search(rest)) or (not times and not history and tense is Tense.PRESENT)
    return Reading(True, times, history, now_too)


def _found(text: str, grammar: Grammar) -> tuple[list[re.Match[str]], str]:
    """The times in the text, and the text, equally long, without them."""
    found: list[re.Match[str]] = []
    for pattern in (grammar.changes, *grammar.times):
        matches = list(pattern.finditer(text))
        found += matches
        for match in matches:
            text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return found, text


def _time(match: re.Match[str], grammar: Grammar, tense: Tense, now: datetime) -> AskedTime | None:
    if match.re is not grammar.changes:
        return grammar.time(match, tense, now)
    if tense is not Tense.PAST:  # "What should I do before I move?"
        return None
    (name,) = (name for name, words in match.groupdict().items() if words)
    role, attribute = name.split("__", 1)
    attribute = attribute.replace("__", ".")
    return AskedTime("", before_event=attribute) if role == "before" else AskedTime("", after_event=attribute)


def _as_said(part: str, match: re.Match[str], time: AskedTime | None) -> AskedTime | None:
    return replace(time, words=part[match.start() : match.end()].strip()) if time else None


def named_groups(role: str, table: dict[str, str]) -> str:
    """A pattern for each attribute, in the groups that `Grammar.changes` needs."""
    return "|".join(f"(?P<{role}__{name.replace('.', '__')}>{words})" for name, words in table.items())

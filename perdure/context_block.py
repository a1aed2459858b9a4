"""Memories as the reply model sees them: one line each, data that cannot pass for anything else."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from perdure.context_wording import WORDINGS, Section, Wording
from perdure.recall import Hit
from perdure.text import normalise
from perdure.time import UNKNOWN_START, zone_at
from perdure.tokens import estimate_tokens
from perdure.turn import Language

CONTENT_SHOWN = 1_000
"""Characters of one memory that are shown: an exchange may be a hundred times as long."""

_TAG = re.compile(r"<(?=\s*/?\s*(?:memories|summary|core_memory|block)\b)", re.IGNORECASE)
_JOINERS = "\u200c\u200d"
_SECTIONS: dict[str, Section] = {"task": "tasks", "lesson": "lessons"}
"""Of episodes that are not told among what was said and what happened."""
_SENTENCE_END = re.compile(r"(?<=[.!?。！？…])\s+|\n+")


@dataclass(frozen=True, slots=True)
class ContextBlock:
    """The lines, and the ids of the memories in them, in their order."""

    text: str
    ids: tuple[UUID, ...]


def build_context(
    hits: Sequence[Hit],
    *,
    language: Language,
    at: datetime,
    budget_tokens: int,
) -> ContextBlock:
    """Facts, lessons, episodes and past tasks, each best first, within `budget_tokens`.

    ``at`` is the present, in the user's time zone: what ended by then is marked as past, and days are those of there.
    What does not fit is left out, and something shorter after it may still fit. Nothing is told twice: neither what
    says the same of the same term, nor an exchange in which the user said only what the facts tell already.
    """
    wording = WORDINGS[language]
    lines, told, ids = _Lines(wording, budget_tokens), _Told(), list[UUID]()
    order = list(wording.sections)
    for hit in sorted(hits, key=lambda hit: order.index(_section(hit))):
        if not told.has(hit) and lines.add(_section(hit), _line(hit, wording, at)):
            told.add(hit)
            ids.append(hit.id)
    return ContextBlock(lines.text, tuple(ids))


def flatten(text: str) -> str:
    """`text` on one line: no control or invisible characters (but the joiners that scripts and emoji need)."""
    visible = (_visible(character) for character in text)
    return " ".join("".join(visible).split())


def _visible(character: str) -> str:
    match unicodedata.category(character):
        case "Cc" | "Zl" | "Zp":
            return " "
        case "Cf" | "Cs" | "Co" if character not in _JOINERS:
            return ""
        case _:
            return character


@dataclass(slots=True)
class _Lines:
    """Lines in sections, as long as they fit; with headings, if there is more than one."""

    wording: Wording
    left: int
    """Tokens."""
    sections: dict[Section, list[str]] = field(default_factory=dict)

    def add(self, section: Section, line: str) -> bool:
        """Whether it fits, together with the headings that it makes necessary."""
        headings = [self.wording.sections[name] for name in self._unnamed(section)]
        tokens = sum(estimate_tokens(f"{text}\n") for text in (*headings, line))
        if tokens > self.left:
            return False
        self.left -= tokens
        self.sections.setdefault(section, []).append(line)
        return True

    def _unnamed(self, section: Section) -> tuple[Section, ...]:
        if section in self.sections or not self.sections:
            return ()
        return (section, *self.sections) if len(self.sections) == 1 else (section,)

    @property
    def text(self) -> str:
        named = len(self.sections) > 1
        return "\n".join(
            line
            for section, lines in self.sections.items()
            for line in ([self.wording.sections[section], *lines] if named else lines)
        )


@dataclass(slots=True)
class _Told:
    """What the lines say so far."""

    contents: set[str] = field(default_factory=set)
    terms: set[tuple[str, datetime, datetime | None]] = field(default_factory=set)

    def has(self, hit: Hit) -> bool:
        if hit.source == "fact":
            return _saying(hit) in self.terms
        said = map(_same, _SENTENCE_END.split(_users_words(hit).strip()))
        return _same(hit.content) in self.contents or self.contents.issuperset(said)

    def add(self, hit: Hit) -> None:
        self.contents.add(_same(hit.content))
        self.terms.add(_saying(hit))


def _section(hit: Hit) -> Section:
    if hit.source == "fact":
        return "facts"
    return _SECTIONS.get(hit.kind, "episodes")


def _saying(hit: Hit) -> tuple[str, datetime, datetime | None]:
    return _same(hit.content), hit.valid_from, hit.valid_to


def _same(text: str) -> str:
    return normalise(flatten(text))


def _users_words(hit: Hit) -> str:
    """Of an exchange; of what else happened, all of it."""
    return hit.content.removeprefix("user: ").partition("\nassistant: ")[0] if hit.kind == "exchange" else hit.content


def _line(hit: Hit, wording: Wording, at: datetime) -> str:
    # A task is told as it was kept, a line each for what was wanted, how it was done, and what came of it.
    content = " → ".join(hit.content.strip().splitlines()) if hit.kind == "task" else hit.content
    when = _beginning(hit, wording).format(date=wording.date(hit.valid_from, zone_at(at)))
    return f"- {when}: {quoted(content)}{_ending(hit, wording, at)} [id {hit.id}]"


def quoted(text: str) -> str:
    """Quoted as JSON: the term and the id behind the closing quote cannot be forged from within."""
    line = flatten(text)
    shown = line if len(line) <= CONTENT_SHOWN else f"{line[:CONTENT_SHOWN]}…"
    return untagged(json.dumps(shown, ensure_ascii=False))


def untagged(text: str) -> str:
    """The text, unable to close or open what frames it in a prompt."""
    return _TAG.sub("‹", text)


def _beginning(hit: Hit, wording: Wording) -> str:
    """Since when, or where nobody said so, when it was told: a model would take the one for the other."""
    if hit.source == "episode":
        return wording.happened
    if hit.valid_from == UNKNOWN_START:
        return wording.unknown
    return wording.since if hit.dated else wording.told


def _ending(hit: Hit, wording: Wording, at: datetime) -> str:
    if hit.valid_to is None:
        return wording.ended_sometime if hit.past else ""
    past = hit.past or hit.valid_to <= at
    return (wording.ended if past else wording.until).format(date=wording.date(hit.valid_to, zone_at(at)))

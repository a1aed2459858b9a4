"""Memories as the reply model sees them: one line each, data that cannot pass for anything else."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from uuid import UUID

from perdure.prompts import render
from perdure.recall import Hit
from perdure.text import normalise
from perdure.time import UNKNOWN_START, zone_at
from perdure.tokens import estimate_tokens
from perdure.turn import Language

CONTENT_SHOWN = 1_000
"""Characters of one memory that are shown: an exchange may be a hundred times as long."""

_TAG = re.compile(r"<(?=\s*/?\s*(?:memories|summary)\b)", re.IGNORECASE)
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True, slots=True)
class ContextBlock:
    """The lines, and the ids of the memories in them, in their order."""

    text: str
    ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class _Wording:
    since: str
    told: str
    unknown: str
    happened: str
    until: str
    ended: str
    ended_sometime: str
    now: str
    nothing: str
    date: str


_WORDINGS: dict[Language, _Wording] = {
    "en": _Wording(
        since="since {date}",
        told="as told on {date}",
        unknown="since an unknown date",
        happened="on {date}",
        until=" (until {date})",
        ended=" (no longer true since {date})",
        ended_sometime=" (no longer true)",
        now="now ({date})",
        nothing="(none)",
        date="{0:%Y}-{0:%m}-{0:%d}",
    ),
    "ko": _Wording(
        since="{date}부터",
        told="{date}에 들은 바로는",
        unknown="언제부터인지 모름",
        happened="{date}",
        until=" ({date}까지 예정)",
        ended=" ({date}까지)",
        ended_sometime=" (이제는 아님)",
        now="지금({date})",
        nothing="(없음)",
        date="{0.year}년 {0.month}월 {0.day}일",
    ),
}


def build_context(hits: Sequence[Hit], *, language: Language, at: datetime, budget_tokens: int) -> ContextBlock:
    """The memories as lines, facts before episodes, each best first, within `budget_tokens`.

    ``at`` is the present, in the user's time zone: what ended by then is marked as past, and days are those of there. A memory that does not fit is left out, and a
    shorter one after it may still fit. Two that say the same of the same term are one line.
    """
    lines: list[str] = []
    ids: list[UUID] = []
    left = budget_tokens
    for hit in _distinct([*_of_source(hits, "fact"), *_of_source(hits, "episode")]):
        line = _line(hit, _WORDINGS[language], at)
        if (tokens := estimate_tokens(line + "\n")) <= left:
            lines.append(line)
            ids.append(hit.id)
            left -= tokens
    return ContextBlock("\n".join(lines), tuple(ids))


def render_reply_system(
    context: ContextBlock,
    *,
    language: Language,
    at: datetime,
    as_of: datetime | None = None,
    as_known_at: datetime | None = None,
    summary: str = "",
) -> str:
    """The system prompt of a reply at `at`, on memories that were asked for as of `as_of` and `as_known_at`.

    ``at`` is the present, in the user's time zone.
    """
    wording, zone = _WORDINGS[language], zone_at(at)
    today = _date(at, wording, zone)
    now = wording.now.format(date=today)
    return render(
        "reply",
        language,
        today=today,
        as_of=_moment(as_of, zone) or now,
        known_at=_moment(as_known_at, zone) or now,
        memories=context.text or wording.nothing,
        summary=_TAG.sub("‹", summary) or wording.nothing,
    )


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


def _of_source(hits: Sequence[Hit], source: str) -> Iterator[Hit]:
    return (hit for hit in hits if hit.source == source)


def _distinct(hits: Sequence[Hit]) -> Iterator[Hit]:
    seen: set[object] = set()
    for hit in hits:
        said = (hit.source, normalise(flatten(hit.content)), hit.valid_from, hit.valid_to)
        if hit.id not in seen and said not in seen:
            seen |= {hit.id, said}
            yield hit


def _line(hit: Hit, wording: _Wording, at: datetime) -> str:
    content = flatten(hit.content)
    shown = content if len(content) <= CONTENT_SHOWN else content[:CONTENT_SHOWN] + "…"
    # Quoted as JSON: the term and the id behind the closing quote cannot be forged from within.
    quoted = _TAG.sub("‹", json.dumps(shown, ensure_ascii=False))
    when = _beginning(hit, wording).format(date=_date(hit.valid_from, wording, zone_at(at)))
    return f"- {when}: {quoted}{_ending(hit, wording, at)} [id {hit.id}]"


def _beginning(hit: Hit, wording: _Wording) -> str:
    """Since when, or where nobody said so, when it was told: a model would take the one for the other."""
    if hit.source == "episode":
        return wording.happened
    if hit.valid_from == UNKNOWN_START:
        return wording.unknown
    return wording.since if hit.dated else wording.told


def _ending(hit: Hit, wording: _Wording, at: datetime) -> str:
    if hit.valid_to is None:
        return wording.ended_sometime if hit.past else ""
    past = hit.past or hit.valid_to <= at
    return (wording.ended if past else wording.until).format(date=_date(hit.valid_to, wording, zone_at(at)))


def _date(instant: datetime, wording: _Wording, zone: tzinfo) -> str:
    return wording.date.format(instant.astimezone(zone))


def _moment(instant: datetime | None, zone: tzinfo) -> str:
    return instant.astimezone(zone).isoformat(timespec="seconds") if instant else ""

"""The system prompt of a reply: memories and core memory framed as data, and the rules for using them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import partial

from perdure.asked import TimeUsed
from perdure.context_block import ContextBlock, quoted, untagged
from perdure.context_wording import WORDINGS
from perdure.core import Block
from perdure.period import WORDS, period
from perdure.prompts import render
from perdure.time import zone_at
from perdure.turn import Language

PRESSURE = 0.75
"""Share of the history's budget from which on the model is told that the oldest messages will soon be summarised."""


@dataclass(frozen=True, slots=True)
class HistoryNotice:
    """What the model is told of the messages that it is shown."""

    moved: int = 0
    """So many of the oldest have made way for the summary."""
    fill: float = 0.0
    """Share of the budget that the others take."""


def render_reply_system(
    context: ContextBlock,
    *,
    language: Language,
    at: datetime,
    as_of: datetime | None = None,
    as_known_at: datetime | None = None,
    time: TimeUsed | None = None,
    summary: str = "",
    core: Sequence[Block] = (),
    history: HistoryNotice = HistoryNotice(),  # frozen
    tools: bool = False,
) -> str:
    """The system prompt of a reply at `at`, on memories that were asked for as of `as_of` and `as_known_at`.

    ``at`` is the present, in the user's time zone, and ``time`` what the question itself speaks of. Blocks of core memory
    that are empty are shown to whoever has ``tools`` to write to them.
    """
    wording, zone = WORDINGS[language], zone_at(at)
    today = wording.date(at, zone)
    now = wording.now.format(date=today)
    asked = time and _asked(time, language, zone)
    return render(
        "reply",
        language,
        today=today,
        as_of=asked or _moment(as_of, zone) or now,
        known_at=_moment(as_known_at, zone) or now,
        memories=context.text or wording.nothing,
        summary=untagged(summary) or wording.nothing,
        core=_core([block for block in core if tools or block.content], language),
        notices=_notices(history, language) if tools else "",
        tools="\n" + render("tools", language) if tools else "",
    )


def _core(blocks: Sequence[Block], language: Language) -> str:
    return "\n\n" + render("core", language, blocks="\n".join(map(_block, blocks))) if blocks else ""


def _block(block: Block) -> str:
    """As it is, line by line: what a model replaces it has to copy exactly."""
    about = f" for={quoted(block.description)}" if block.description else ""
    text = f"\n{untagged(block.content)}" if block.content else ""
    return f'<block label="{block.label}" characters="{block.fill}"{about}>{text}\n</block>'


def _notices(history: HistoryNotice, language: Language) -> str:
    wording = WORDINGS[language]
    moved = wording.moved.format(count=history.moved) if history.moved else ""
    nearly = wording.nearly.format(percent=round(100 * history.fill)) if history.fill >= PRESSURE else ""
    told = "\n".join(filter(None, (moved, nearly)))
    return f"\n\n{told}" if told else ""


def _asked(time: TimeUsed, language: Language, zone: tzinfo) -> str:
    wording = WORDINGS[language]
    days = period(time.since, time.until, partial(wording.date, zone=zone), WORDS[language])
    return wording.asked.format(words=quoted(time.words), days=days)


def _moment(instant: datetime | None, zone: tzinfo) -> str:
    return instant.astimezone(zone).isoformat(timespec="seconds") if instant else ""

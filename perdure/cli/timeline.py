"""`perdure timeline`: how the facts followed each other, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, tzinfo
from itertools import groupby
from shutil import get_terminal_size
from typing import Annotated

import typer

from perdure.cli.flags import SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import day, shown, term
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.cli.timeline_bars import Bar, Lane, timeline_bars
from perdure.facts import Fact
from perdure.graph.context import Context
from perdure.text import VALUE_LIMIT, check_text
from perdure.time import UNKNOWN_START, SystemClock

ROOM_FOR_START, ROOM_FOR_TERM = 60, 100
"""From this many columns on, the first day of a term, or all of it, stands beside its bar."""


@runs
@context_flags(*SCOPE, "as_known_at", ZONE)
async def timeline(
    attribute: Annotated[
        str | None, typer.Argument(help="The attribute, by its name or an alias of it; all of them if left out.")
    ] = None,
    *,
    context: Context,
    output: Output,
) -> None:
    """Draw what held when."""
    name = None if attribute is None else check_text(attribute, "the attribute", limit=VALUE_LIMIT)
    async with opened(output) as memory:
        found = await memory.facts.facts(context.scope, attribute=name, as_known_at=context.as_known_at, history=True)
    width = get_terminal_size().columns
    now = SystemClock().now().astimezone(context.zone)
    output.answer(found, timeline_bars(lanes_of(found, width, context.zone), now=now, width=width))


def lanes_of(facts: Sequence[Fact], width: int, zone: tzinfo = UTC) -> list[Lane]:
    """A lane per attribute, the notes last, in order of time."""

    def place(fact: Fact) -> tuple[bool, str]:
        return not fact.attribute, fact.attribute

    ordered = sorted(facts, key=lambda fact: (*place(fact), fact.valid_from))
    return [
        Lane(shown(name) or "notes", tuple(_bar(fact, width, zone) for fact in group))
        for (_, name), group in groupby(ordered, key=place)
    ]


def _bar(fact: Fact, width: int, zone: tzinfo) -> Bar:
    start = None if fact.valid_from == UNKNOWN_START else fact.valid_from
    return Bar(_label(fact, width, zone), start, fact.valid_to)


def _label(fact: Fact, width: int, zone: tzinfo) -> str:
    value = shown(fact.value if fact.attribute else fact.content)
    if width < ROOM_FOR_START:
        return value
    if width < ROOM_FOR_TERM:
        return f"{day(fact.valid_from, zone):<10} {value}"
    return f"{term(fact.valid_from, fact.valid_to, zone):<23} {value}"

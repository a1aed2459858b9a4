"""How a ranking is shown: what each leg of it measured and adds to the score, and where the memory comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING

from perdure.cli.render import day, held, shown, table_of
from perdure.recall import Hit
from perdure.why import Why

if TYPE_CHECKING:  # rich is slow to import, and `--help` does without it
    from rich.console import RenderableType


def why_shown(hits: Sequence[Hit], zone: tzinfo) -> Iterator[RenderableType]:
    """For each hit what it says, when that holds, who said it where, and a table of its legs."""
    from rich.padding import Padding

    for number, hit in enumerate(hits, 1):
        yield f"{number}. {shown(hit.content)}"
        yield f"   {_validity(hit, zone)}"
        yield f"   {_provenance(hit, zone)}"
        if hit.why:
            measured = f"preset {hit.why.preset}: threshold {hit.why.threshold:g}, fusion {hit.why.fusion}"
            yield f"   relevance {hit.relevance:.3f}; {measured}"
            yield Padding(_legs(hit.why, hit.score), (0, 0, 1, 3))


def _validity(hit: Hit, zone: tzinfo) -> str:
    what = f"{hit.attribute}: {hit.value}" if hit.attribute else hit.kind
    past = ", no longer true" if hit.past else ""
    return f"{shown(what)}, {held(hit.source, hit.valid_from, hit.valid_to, zone)}{past}"


def _provenance(hit: Hit, zone: tzinfo) -> str:
    place = f"thread {shown(hit.thread)}, message {shown(hit.message)}" if hit.thread else "told by hand"
    times = f", said {hit.corroboration} times" if hit.corroboration > 1 else ""
    return f"id {hit.id}; {place}; source {shown(hit.trust)}{times}; recorded {day(hit.recorded_at, zone)}"


def _legs(why: Why, score: float) -> RenderableType:
    """The legs that count in this preset, and their sum."""
    table = table_of("leg", "rank", "raw", "scaled", "weight", "share")
    for leg in (leg for leg in why.legs if leg.weight):
        rank = "" if leg.rank is None else str(leg.rank)
        table.add_row(leg.name, rank, *(f"{number:.3f}" for number in (leg.raw, leg.scaled, leg.weight, leg.share)))
    table.add_row("score", "", "", "", "", f"{score:.3f}", style="bold")
    return table

"""Rows of a search to hits, and how each was ranked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from perdure.presets import Preset
from perdure.recall import Hit
from perdure.stores.rows import Row
from perdure.why import Leg, Why

_COLUMNS = """
id source kind subject attribute value content valid_from dated valid_to recorded_at thread message trust importance
corroboration version score relevance weak
"""
_TOLD = tuple(_COLUMNS.split())


def hit_of_row(row: Row, now: datetime, why: Why | None = None) -> Hit:
    return Hit(
        **{name: row[name] for name in _TOLD},
        vector_score=max(0.0, row["similarity"]),
        lexical_score=row["coverage"],
        past=row["valid_to"] is not None and row["valid_to"] <= now,
        why=why,
    )


def why_of_row(row: Row, preset: Preset, threshold: float, floor: float) -> Why:
    return Why(preset.name, preset.fusion, threshold, floor, tuple(_legs(row, preset)))


def _legs(row: Row, preset: Preset) -> Iterator[Leg]:
    """The legs that a memory of its source has."""
    words = row["words_share"]
    yield _leg("vector", row["similarity"], preset.weight * (1 - words), row["vector_scaled"], row["vector_rank"])
    yield _leg("lexical", row["coverage"], preset.weight * words, row["lexical_scaled"], row["lexical_rank"])
    yield _leg("asked", row["asked"], preset.asked)
    if row["source"] == "fact":
        yield _leg("corroboration", row["corroboration"], preset.corroboration, row["corroborated"])
    else:
        yield _leg("nearby", row["beside"], preset.weight * preset.nearby)
        yield _leg("outcome", row["outcome"], preset.outcome)
    yield _leg("period", row["in_period"], preset.period)
    yield _leg("named", row["named"], preset.named)
    yield _leg("importance", row["importance"], preset.importance, row["important"])
    yield _leg("recency", row["freshness"], preset.recency)
    yield _leg("diversity", row["echo"], -preset.diversity)


def _leg(name: str, raw: Any, weight: float, scaled: float | None = None, rank: int | None = None) -> Leg:
    scaled = float(raw if scaled is None else scaled)
    return Leg(name, rank, float(raw), scaled, weight, weight * scaled)

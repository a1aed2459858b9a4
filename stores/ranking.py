"""What the statements of a search are given: a query, under the weights of its preset, at a moment."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

from pgvector import Vector as PgVector

from perdure.asked_time import GRACE, Span
from perdure.attributes import BUILT_IN
from perdure.errors import InvalidInput
from perdure.model_vector import model_of
from perdure.ports import Vector
from perdure.presets import Preset
from perdure.recall import Query
from perdure.scripts import script_of
from perdure.stores.words import QuestionWords
from perdure.time import EARLIEST, LATEST, check_instant

ABROAD = 1.7
"""Cosines of a question and a memory in two scripts are less than those in one by this factor, related or not: that is
how the local embedder's are distributed, for Korean and English."""
BRIEF = 300
"""Bytes of a text that is brief: about fifty English words, thirty Korean ones. A longer one has words of everything,
needs less of what stands beside it, and says less of that: its words count as the square root of the ratio, and what is
beside it as the ratio."""
LASTING = ("profile", "preference", "policy")
"""Kinds of facts that do not fade."""
LASTING_ATTRIBUTES = [attribute.name for attribute in BUILT_IN if attribute.kind in LASTING]
"""A fact of these does not fade either, of whatever kind whoever told it took it to be."""
MOST = 1_000_000_000
"""More memories, and more tokens of them, than anybody has."""
_SPREAD = 3
"""So many times as many candidates as places, where those that say the same lose theirs."""


def ranking_parameters(
    query: Query, preset: Preset, words: QuestionWords, vector: Vector, now: datetime
) -> dict[str, Any]:
    """Raises `InvalidInput` for what cannot be asked for."""
    _check(query)
    script = script_of(query.text)
    kinds = query.kinds or preset.kinds
    return {
        **_times(query, now),
        "vector": PgVector(list(vector)),
        "model": model_of(vector),
        "words": words.vector,
        "brief": BRIEF,
        "script": script,
        "abroad": ABROAD if script and not preset.by_vector_alone else 0.0,
        "terms": len(words.hashes),
        "rows": None,
        "known_rows": None,
        "facts": query.facts and preset.facts,
        "episodes": query.episodes,
        "kinds": list(kinds) or None,
        "attributes": list(query.attributes) or None,
        "thread": query.thread,
        "exclude_thread": query.exclude_thread,
        "asked": list(query.asked),
        "names": list(query.names),
        "k": query.k,
        "weak": query.weak,
        "tokens": query.tokens and min(query.tokens, MOST),
        "candidates": query.k * _SPREAD if preset.diversity else query.k,
        **_least(query, preset),
        "now": now,
        "fusion": preset.fusion,
        "weight": preset.weight,
        "lexical": preset.lexical,
        "lexical_exchange": preset.lexical_exchange,
        "nearby": preset.nearby,
        "asked_weight": preset.asked,
        "named_weight": preset.named,
        "period_weight": preset.period,
        "importance": preset.importance,
        "recency": preset.recency,
        "lasting": list(LASTING),
        "lasting_attributes": LASTING_ATTRIBUTES,
        "fading": math.log(preset.hourly) / 3600,
        "corroboration": preset.corroboration,
        "outcome": preset.outcome,
        "diversity": preset.diversity,
    }


def _check(query: Query) -> None:
    if not 0 <= query.k <= MOST:
        raise InvalidInput(f"{query.k} memories cannot be searched for: ask for 0 or more, at most {MOST}")
    if query.tokens is not None and query.tokens < 0:
        raise InvalidInput(f"memories cannot come to {query.tokens} tokens: give 0 or more, or no budget")
    if query.as_of and query.during:
        raise InvalidInput("a search is as of a moment or during a period, not both: give one of them")


def _least(query: Query, preset: Preset) -> dict[str, float]:
    """How relevant memories must be. Whoever asks for all there is, gets what is far behind the best too."""
    if query.threshold is None:
        return {"threshold": preset.threshold, "floor": preset.floor, "tail": preset.tail}
    return {"threshold": query.threshold, "floor": min(preset.floor, query.threshold), "tail": 0.0}


def _times(query: Query, now: datetime) -> dict[str, Any]:
    known = query.as_known_at and check_instant(query.as_known_at, "as_known_at")
    moment = check_instant(query.as_of, "as_of") if query.as_of else known or now
    first, last = _bounds(query.during) if query.during else (moment, moment)
    held_first, held_last = _bounds(query.period) if query.period else (first, last)
    return {
        "known": known,
        "since": held_first,
        "until": held_last,
        "happened_since": first if query.during else None,
        "happened_until": last,
        "period_since": held_first if query.period else None,
        "period_until": held_last if query.period else None,
        "period_told": min(held_last, LATEST - GRACE) + GRACE if query.period else None,
        "anything": query.anything,
    }


def _bounds(span: Span) -> tuple[datetime, datetime]:
    """The first and the last instant of a period; raises `InvalidInput` for one that has none."""
    first = check_instant(span.since, "the start of the period") if span.since else EARLIEST
    last = check_instant(span.until, "the end of the period") - timedelta(microseconds=1) if span.until else LATEST
    if last < first:
        raise InvalidInput(f"a period cannot end at {span.until}, before it starts at {span.since}")
    return first, last

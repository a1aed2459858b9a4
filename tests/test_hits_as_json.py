"""What a search finds survives as JSON: in the state, on the wire, on the command line."""

from __future__ import annotations

import json
from datetime import UTC
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from perdure.asked import Found, TimeUsed
from perdure.recall import Hit
from perdure.why import Leg, Why

MOMENTS = st.datetimes(timezones=st.just(UTC))
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
LEGS = st.builds(Leg, rank=st.none() | st.integers(1), raw=NUMBERS, scaled=NUMBERS, weight=NUMBERS, share=NUMBERS)
WHYS = st.builds(Why, threshold=NUMBERS, floor=NUMBERS, legs=st.lists(LEGS, max_size=3).map(tuple))
HITS = st.builds(
    Hit,
    valid_from=MOMENTS,
    valid_to=st.none() | MOMENTS,
    recorded_at=MOMENTS,
    score=NUMBERS,
    relevance=NUMBERS,
    vector_score=NUMBERS,
    lexical_score=NUMBERS,
    weak=st.booleans(),
    why=st.none() | WHYS,
)
TIMES = st.none() | st.builds(TimeUsed, since=st.none() | MOMENTS, until=st.none() | MOMENTS)


def sent(document: Any) -> Any:
    return json.loads(json.dumps(document, allow_nan=False))


@given(hit=HITS)
def test_a_hit_is_read_as_it_was_written(hit: Hit) -> None:
    assert Hit.from_json(sent(hit.to_json())) == hit


@given(time=TIMES, hits=st.lists(HITS, max_size=3))
def test_what_is_found_tells_its_time_and_every_hit(time: TimeUsed | None, hits: list[Hit]) -> None:
    document = sent(Found(hits, time).to_json())
    assert TimeUsed.from_json(document["time"]) == time
    assert [Hit.from_json(hit) for hit in document["hits"]] == hits

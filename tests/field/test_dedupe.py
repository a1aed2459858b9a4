"""What people report of other memories when the same thing is told twice."""

from __future__ import annotations

import pytest
from clock import SetClock
from told import ME

from perdure import Memory

PARAGRAPHS = (
    "The lighthouse at Cape Ara was built in 1908. It was automated in 1986, and its keeper's house is a museum now.",
    "아라곶 등대는 1908년에 세워졌다. 1986년에 무인화되었고, 등대지기의 집은 지금 박물관이다.",
)


@pytest.mark.parametrize("paragraph", PARAGRAPHS)
async def test_dedupe_of_an_identical_paragraph_leaves_one_copy(
    memory: Memory, clock: SetClock, paragraph: str
) -> None:
    """FC11"""
    first = await memory.remember(paragraph, user="me")
    clock.forward(hours=1)
    second = await memory.remember(paragraph, user="me")
    assert (first.action, second.action, second.why) == ("assert", "confirm", "said again")
    (fact,) = await memory.facts.facts(ME, history=True)
    assert first.after and (fact.id, fact.content, fact.corroboration) == (first.after.id, paragraph, 2)
    assert [hit.content for hit in await memory.recall(paragraph, user="me")] == [paragraph]

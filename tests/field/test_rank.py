"""What people report of other memories about scores: all the same, so that neither order nor threshold means anything."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from stored import Store
from vectors import DIMENSION

from perdure import Memory, Scope
from perdure.episodes import EpisodeKind, NewEpisode
from perdure.facts import Operation, Source
from perdure.presets import PRESETS
from perdure.recall import Query

COSINES = {"the nearest": 0.9, "a near one": 0.6, "a far one": 0.3, "an unrelated one": 0.0}


def at_cosine(cosine: float) -> list[float]:
    """A vector of unit length, so close to the one of the question."""
    return [cosine, (1 - cosine**2) ** 0.5, *[0.0] * (DIMENSION - 2)]


@pytest.mark.parametrize("explain", [False, True])
@pytest.mark.parametrize("preset", PRESETS)
def test_rank_score_falls_with_the_distance(
    store: Store, run: Callable[[Any], Any], preset: str, explain: bool
) -> None:
    """FC56: of four memories, the farthest stored last, which share no word with the question."""
    scope = Scope(user=f"{preset} {explain}")
    vectors = {content: at_cosine(cosine) for content, cosine in COSINES.items()}
    if PRESETS[preset].facts:
        notes = [Operation(content=content) for content in COSINES]
        run(store.facts.apply(scope, notes, Source(at=store.clock.now(), message="m"), vectors))
    else:
        kind: EpisodeKind = PRESETS[preset].kinds[0]
        at = store.clock.now()
        episodes = [NewEpisode(uuid4(), kind, content, at, thread=content) for content in COSINES]
        run(store.episodes.append(scope, episodes, vectors))
    query = Query("quux", preset=preset, threshold=0, explain=explain)
    hits = run(store.recalls.search(scope, query, at_cosine(1.0)))
    assert [hit.content for hit in hits] == list(COSINES)
    assert [hit.vector_score for hit in hits] == pytest.approx(list(COSINES.values()), abs=1e-3)
    for better, worse in pairwise(hits):
        assert better.score > worse.score + 0.05 and better.relevance > worse.relevance + 0.1


@pytest.mark.parametrize(
    ("question", "memories"),
    [
        (
            "How often do I bake sourdough bread?",
            (
                "I bake sourdough bread every Sunday.",
                "I bought flour at the bakery.",
                "My brother runs a restaurant.",
                "The server was rebooted at noon.",
            ),
        ),
        (
            "사워도우 빵을 얼마나 자주 구워?",
            (
                "나는 일요일마다 사워도우 빵을 구워.",
                "빵집에서 밀가루를 샀어.",
                "동생은 식당을 해.",
                "정오에 서버를 다시 켰어.",
            ),
        ),
    ],
)
async def test_rank_score_of_memories_of_clearly_different_closeness(
    memory: Memory, question: str, memories: tuple[str, ...]
) -> None:
    """FC56: with the local embedder; a threshold between two of them parts what it finds from nothing."""
    for content in reversed(memories):
        await memory.remember(content, user="me")
    hits = await memory.recall(question, user="me", threshold=0)
    assert hits[0].content == memories[0]
    assert {hit.content for hit in hits[:2]} == set(memories[:2])
    scores, relevances = [hit.score for hit in hits], [hit.relevance for hit in hits]
    assert len(hits) == len(set(scores)) == 4 and scores == sorted(scores, reverse=True)
    assert relevances[0] > relevances[1] + 0.1 and relevances[0] > 2 * relevances[-1]
    best = relevances[0]
    assert await memory.recall(question, user="me", threshold=best - 0.01)
    assert await memory.recall(question, user="me", threshold=best + 0.01) == []

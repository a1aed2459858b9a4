"""The memory layer on its own, without the agent: extract → save → search → build context."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from clock import SetClock

from perdure.errors import InvalidText
from perdure.facts import Action, Operation, Source
from perdure.layer import MemoryLayer
from perdure.models.embedding_cache import CachedEmbedder
from perdure.models.local_embedder import LocalEmbedder
from perdure.models.tool_grounding import ground_tool
from perdure.offline.extract import RuleExtractor
from perdure.offline.question_reader import RuleQuestionReader
from perdure.recall import Query
from perdure.scope import Scope
from perdure.stores.episodes import PostgresEpisodeStore
from perdure.stores.facts import PostgresFactStore
from perdure.stores.pool import open_pool
from perdure.stores.recall import PostgresRecallStore
from perdure.stores.vectors import VectorStore
from perdure.stores.vocabulary import PostgresVocabularies
from perdure.turn import Language, Turn

ME = Scope(user="u1")


@pytest.fixture
async def layer(local_database: str) -> AsyncIterator[MemoryLayer]:
    clock = SetClock()
    async with open_pool(local_database) as pool:
        vocabularies = PostgresVocabularies(pool, clock)
        yield MemoryLayer(
            facts=PostgresFactStore(pool, clock, vocabularies),
            episodes=PostgresEpisodeStore(pool, clock),
            recalls=PostgresRecallStore(pool, clock),
            embeddings=CachedEmbedder(LocalEmbedder(), VectorStore(pool)),
            extractor=RuleExtractor(),
            vocabularies=vocabularies,
            questions=RuleQuestionReader(),
            grounding=ground_tool,
            clock=clock,
        )


def turn(text: str, at: datetime, language: Language = "en") -> Turn:
    return Turn(message=text, user_text=text, assistant_text="", at=at, language=language)


async def tell(layer: MemoryLayer, said: Turn) -> list[str]:
    """Extract and save; the outcomes."""
    recalled = [hit.to_json() for hit in await layer.search(ME, Query(said.user_text))]
    extraction = await layer.extract(ME, said, recalled)
    source = Source(at=said.at, thread="t1", message=said.message)
    receipts = await layer.save(ME, extraction.operations, source, exchange=said)
    return [receipt.outcome for receipt in receipts]


async def test_what_is_told_is_found_and_framed(layer: MemoryLayer) -> None:
    at = datetime(2026, 11, 30, 9, tzinfo=UTC)
    assert await tell(layer, turn("나는 부산에 살아.", datetime(2024, 5, 1, tzinfo=UTC), "ko")) == ["applied"]
    assert await tell(layer, turn("지난달에 서울로 이사했어.", at, "ko")) == ["applied"]
    hits = await layer.search(ME, Query("Which city is my home?", episodes=False))
    assert [hit.value for hit in hits] == ["서울"]
    block = layer.build_context(hits, language="en", budget_tokens=200)
    assert "since 2026-10-01" in block.text and "서울로 이사했어" in block.text and block.ids == (hits[0].id,)
    then = await layer.search(ME, Query("사는 곳", as_of=datetime(2025, 1, 1, tzinfo=UTC), episodes=False))
    framed = layer.build_context(then, language="ko", budget_tokens=200)
    assert "부산" in framed.text and "2026년 10월 1일까지" in framed.text


async def test_saving_the_same_turn_again_changes_nothing(layer: MemoryLayer) -> None:
    said = turn("I have a dog named Mango.", datetime(2026, 11, 1, tzinfo=UTC))
    extraction = await layer.extract(ME, said)
    source = Source(at=said.at, thread="t1", message="m1")
    first = await layer.save(ME, extraction.operations, source, exchange=said)
    again = await layer.save(ME, extraction.operations, source, exchange=said)
    assert [receipt.action for receipt in first] == [Action.ASSERT]
    assert [receipt.outcome for receipt in again] == ["unchanged"]
    assert len(await layer.search(ME, Query("dog", k=20))) == 2  # the fact, and the exchange


async def test_edits_of_core_memory_are_saved_beside_facts_and_events_in_the_order_asked_for(
    layer: MemoryLayer,
) -> None:
    wanted = [
        Operation(action=Action.CORE_APPEND, attribute="persona", content="나는 파이"),
        Operation(attribute="home.city", value="부산"),
        Operation(action=Action.CORE_REPLACE, attribute="persona", value="파이", content="하늘"),
        Operation(action=Action.EPISODE, content="부산으로 이사했다"),
    ]
    receipts = await layer.save(ME, wanted, Source(at=layer.clock.now(), thread="t1", message="m1"))
    assert [(receipt.action, receipt.outcome) for receipt in receipts] == [(o.action, "applied") for o in wanted]
    opening = await layer.open_turn(ME, Query("x", k=0), at=layer.clock.now(), language="ko")
    assert opening.core[0].content == "나는 하늘"


async def test_small_talk_leaves_only_the_exchange(layer: MemoryLayer) -> None:
    assert await tell(layer, turn("Thanks a lot!", datetime(2026, 11, 1, tzinfo=UTC))) == []
    assert [hit.source for hit in await layer.search(ME, Query("thanks"))] == ["episode"]


async def test_text_that_cannot_be_searched_for_is_refused(layer: MemoryLayer) -> None:
    with pytest.raises(InvalidText):
        await layer.search(ME, Query("\x00"))

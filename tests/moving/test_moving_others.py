"""What mem0 and LangGraph stores hold becomes memory that can be superseded, and nothing of it is lost silently."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from databases import create_database, drop_database
from langgraph.store.memory import InMemoryStore
from langgraph.store.postgres.aio import AsyncPostgresStore
from moved import context, moving_over
from stored import Store, store_over

from perdure.embedded import EmbeddedPostgres
from perdure.errors import DatabaseUnsuitable, InvalidInput
from perdure.facts import Operation, Trust
from perdure.moving.destination import Destination
from perdure.moving.first_person import first_person
from perdure.scope import Scope
from perdure.stores.pool import open_pool

MINA = Scope(user="mina")
BUSAN = {
    "id": "b1a2",
    "memory": "User lives in Seoul",
    "hash": "0f",
    "created_at": "2024-01-05T09:00:00-07:00",
    "updated_at": "2024-06-01T00:00:00+00:00",
    "user_id": "mina",
    "run_id": "chat-7",
    "metadata": {"category": "집"},
    "history": [
        {"event": "ADD", "new_memory": "User lives in Busan", "created_at": "2024-01-05T09:00:00-07:00"},
        {
            "event": "UPDATE",
            "old_memory": "User lives in Busan",
            "new_memory": "User lives in Seoul",
            "created_at": "2024-01-05T09:00:00-07:00",
            "updated_at": "2024-06-01T00:00:00+00:00",
        },
    ],
}
NOTE = {
    "id": "c3",
    "memory": "김치찌개를 끓이다 손을 데었다",
    "created_at": "2024-02-01T00:00:00Z",
    "user_id": "mina",
    "role": "assistant",
}
GONE = {
    "id": "d4",
    "user_id": "mina",
    "history": [
        {"event": "ADD", "new_memory": "사용자는 커피를 좋아한다", "created_at": "2024-03-01T00:00:00Z"},
        {"event": "DELETE", "old_memory": "사용자는 커피를 좋아한다", "updated_at": "2024-04-01T00:00:00Z"},
    ],
}
MEMORIES = [BUSAN, NOTE, GONE]


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


def lines(*documents: Any) -> list[bytes]:
    return [json.dumps(document).encode() + b"\n" for document in documents]


@pytest.mark.parametrize(
    "file",
    [
        lines(*MEMORIES),
        lines(MEMORIES),
        lines({"results": MEMORIES, "relations": []}),
        json.dumps({"count": 3, "results": MEMORIES}, indent=1).encode().splitlines(keepends=True),
    ],
    ids=["lines", "list", "document", "indented"],
)
async def test_memories_of_mem0_supersede_each_other(store: Store, file: list[bytes]) -> None:
    moving = moving_over(store)
    report = await moving.import_(file, origin="mem0", context=context(MINA))
    assert report.new == {"statement": 5} and not report.skipped
    january, may = (datetime(2024, month, 10, tzinfo=UTC) for month in (1, 5))
    assert await values(store, as_of=january) == ["Busan"]
    assert await values(store, as_known_at=may) == ["Busan", NOTE["memory"]]  # coffee was deleted in April
    assert await values(store) == ["Seoul", NOTE["memory"]]
    note, home = await store.facts.facts(MINA)  # by attribute
    assert (home.thread, home.message, home.content) == ("chat-7", "b1a2", "User lives in Seoul")
    assert note.trust is Trust.ASSISTANT
    told = {statement.id: statement for statement in await store.facts.statements(MINA)}
    assert json.loads(told[home.id].evidence) == {"hash": "0f", "metadata": {"category": "집"}}
    assert {statement.author for statement in told.values()} == {"mem0"}
    assert (await moving.import_(file, origin="mem0", context=context(MINA))).new == {"statement": 0}
    await store.write(MINA, Operation(attribute="home.city", value="Jeju"))
    assert "Seoul" not in await values(store)
    assert (await store.facts.rebuild(MINA, check=True)).identical


async def values(store: Store, as_of: datetime | None = None, as_known_at: datetime | None = None) -> list[str]:
    facts = await store.facts.facts(MINA, as_of=as_of, as_known_at=as_known_at)
    return sorted(fact.value for fact in facts)


@pytest.mark.parametrize(
    ("memory", "why"),
    [
        (NOTE | {"created_at": "2024-02-01T00:00:00"}, "no time zone"),
        (NOTE | {"created_at": None}, "no ISO 8601"),
        (NOTE | {"user_id": "jun"}, "not of user 'mina'"),
        (NOTE | {"memory": ""}, "neither a text nor a history"),
        (NOTE | {"memory": "my password is hunter2!X"}, "never stored"),
        (NOTE | {"history": [{"event": "MERGE"}]}, "none of ADD"),
        (NOTE | {"id": 7}, "its id is no text"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_memory_that_cannot_be_taken_over_is_named(store: Store, memory: Any, why: str) -> None:
    file, moving = lines(BUSAN, memory, GONE), moving_over(store)
    with pytest.raises(InvalidInput, match=f"memory 2: .*{why}"):
        await moving.import_(file, origin="mem0", context=context(MINA))
    report = await moving.import_(file, origin="mem0", context=context(MINA), skip_bad=True)
    assert [(one.count, one.places) for one in report.skipped] == [(1, (2,))]
    assert await values(store) == ["Seoul"]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("The user is allergic to peanuts", "I am allergic to peanuts"),
        ("User's name is Mina", "My name is Mina"),
        ("Lives in Seoul", "I live in Seoul"),
        ("Name is John", "My name is John"),
        ("User studies law", "I study law"),
        ("사용자는 부산에 산다", "나는 부산에 산다"),
        ("Mina lives in Seoul", "Mina lives in Seoul"),
    ],
)
def test_what_is_told_of_the_user_is_read_as_the_user_would_say_it(told: str, said: str) -> None:
    assert first_person(told) == said


ITEMS: dict[tuple[str, ...], dict[str, dict[str, Any]]] = {
    ("memories", "mina"): {
        "home": {"text": "나는 서울에 산다", "source": "chat"},
        "nested": {"kind": "Memory", "content": {"content": "수요일마다 도자기를 배운다"}},
        "count": {"visits": 3},
    },
    ("memories", "jun"): {"home": {"text": "I live in Daegu"}},
    ("cache",): {"x": {"text": "not a memory"}},
}


@pytest.fixture
async def store_database(postgres: EmbeddedPostgres) -> AsyncIterator[str]:
    dsn = create_database(postgres, None)
    async with AsyncPostgresStore.from_conn_string(dsn) as theirs:
        await theirs.setup()
        for namespace, items in ITEMS.items():
            for key, value in items.items():
                await theirs.aput(namespace, key, value)
    yield dsn
    drop_database(postgres, dsn)


async def test_a_langgraph_store_is_taken_over_from_its_database_its_interface_and_a_file(
    store: Store, store_database: str
) -> None:
    moving = moving_over(store)
    store.clock.set(datetime(2100, 1, 1, tzinfo=UTC))  # theirs is the clock of the machine
    with pytest.raises(InvalidInput, match="item 1: none of the fields of its value"):
        await moving.import_store(store_database, ("memories", "mina"), context=context(MINA))
    report = await moving.import_store(store_database, ("memories", "mina"), context=context(MINA), skip_bad=True)
    assert report.new == {"statement": 2}
    assert [(one.count, one.places) for one in report.skipped] == [(1, (1,))]
    assert await values(store) == ["서울", "수요일마다 도자기를 배운다"]
    told = await store.facts.statements(MINA)
    assert {statement.message for statement in told} == {"memories/mina/home", "memories/mina/nested"}
    assert any('"source": "chat"' in statement.evidence for statement in told)
    everybody = Destination("default", None)
    again = await moving.import_store(store_database, ("memories", "{user}"), into=everybody, skip_bad=True)
    assert again.new == {"statement": 1} and again.read == {"statement": 3}
    assert [fact.value for fact in await store.facts.facts(Scope(user="jun"))] == ["Daegu"]

    theirs = InMemoryStore()
    for key, value in list(ITEMS["memories", "mina"].items())[:2]:
        theirs.put(("memories", "mina"), key, value)
    acme = Destination("default", "mina", as_tenant="acme")
    assert (await moving.import_store(theirs, ("memories", "mina"), into=acme)).new == {"statement": 2}
    file = lines(*(item.dict() for item in theirs.search(("memories",))))
    assert (await moving.import_(file, origin="langgraph-store", into=acme)).new == {"statement": 0}


async def test_a_database_that_is_no_store_says_so(store: Store, database: str) -> None:
    with pytest.raises(DatabaseUnsuitable, match="no table `store`"):
        await moving_over(store).import_store(database, context=context(MINA))

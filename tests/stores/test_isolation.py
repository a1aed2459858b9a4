"""Nobody reads or changes what belongs to another tenant, user or agent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from stored import Store, store_over

from perdure.errors import InvalidScope, NotFound
from perdure.facts import Action, Operation
from perdure.recall import Query
from perdure.scope import Scope
from perdure.stores.pool import open_pool
from perdure.stores.sql import statements

_FILES = """
facts episodes embeddings recall renaming policies core_blocks costs consolidation sessions lessons erasure uses expiry
fading archives new_vectors moving profile
"""
MEMORY_FILES = _FILES.split()
TENANT_FILES = ("attributes", "moving_tenant", "costs_of_tenant", "episodes_due", "erasures", "upkeep")
"""Of what all users of a tenant share, what they spend beside each other, of whose turn upkeep has come to, and of
erasures, which keep no user's name: their subject is a hash of it."""
OF_NO_USER = {
    "archived_checkpoints": "the checkpointer's tables, whose ids of threads tell whose they are",
    "catalogue": "which tables and columns there are, and the proof of an erasure, which reads all of them",
    "checkpoints": "the checkpointer's tables, by the id of a thread or by what it begins with",
    "embedder": "the one model of the database",
    "foreign_store": "a table of LangGraph's, which has no tenants",
    "indexing": "rows that a migration has left without words, whosesoever they are",
    "large_users": "which users of all tenants have very many memories",
    "owned_threads": "the checkpointer's tables, by the ids of a user's threads",
    "reembedding": "which model all vectors are of",
}
"""Files of statements that name no tenant, and what they are about instead."""
OWNER = Scope(user="ada", tenant="acme", agent="")
STRANGERS = [
    Scope(user="ada", tenant="acme-corp"),
    Scope(user="ad", tenant="acme"),
    Scope(user="ada%", tenant="acme"),
    Scope(user="_da", tenant="acme"),
    Scope(user="ADA", tenant="acme"),
]


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


def test_every_file_of_statements_is_scoped_or_has_a_reason_not_to_be() -> None:
    files = (Path(__file__).parents[2] / "stores/sql").glob("*.sql")
    assert sorted(path.stem for path in files) == sorted([*MEMORY_FILES, *TENANT_FILES, *OF_NO_USER])


@pytest.mark.parametrize("file", MEMORY_FILES)
def test_every_statement_names_the_tenant_and_the_user(file: str) -> None:
    unscoped = [name for name, sql in statements(file).items() if "%(tenant)s" not in sql or "%(user)s" not in sql]
    assert unscoped == []


@pytest.mark.parametrize("file", TENANT_FILES)
def test_every_statement_about_what_users_share_names_the_tenant(file: str) -> None:
    assert [name for name, sql in statements(file).items() if "%(tenant)s" not in sql] == []


@pytest.mark.parametrize("stranger", STRANGERS, ids=str)
async def test_a_stranger_finds_and_changes_nothing(store: Store, stranger: Scope) -> None:
    await store.write(OWNER, Operation(attribute="home.city", value="Seoul"))
    (fact,) = await store.facts.facts(OWNER)
    assert await store.facts.facts(stranger, history=True) == []
    assert await store.facts.statements(stranger) == []
    assert await store.recall(stranger, Query("home Seoul", threshold=0)) == []
    for action in (Action.END, Action.RETRACT):
        receipt = await store.write(stranger, Operation(action=action, target=fact.id), message=action)
        assert receipt.outcome == "dropped"
    with pytest.raises(NotFound):
        await store.facts.erase(stranger, fact.id)
    with pytest.raises(NotFound):
        await store.facts.find(stranger, str(fact.id))
    assert await store.facts.facts(OWNER) == [fact]


async def test_an_agent_sees_the_shared_memory_and_its_own_and_no_other_agents(store: Store) -> None:
    coach, chef = (Scope(user="ada", agent=agent) for agent in ("coach", "chef"))
    shared = Scope(user="ada")
    await store.write(shared, Operation(attribute="home.city", value="Seoul"), message="m1")
    await store.write(coach, Operation(attribute="goal", value="marathon"), message="m2")
    seen = {scope.agent: {fact.value for fact in await store.facts.facts(scope)} for scope in (shared, coach, chef)}
    assert seen == {"": {"Seoul"}, "coach": {"Seoul", "marathon"}, "chef": {"Seoul"}}
    assert {hit.value for hit in await store.recall(chef, Query("goal home", k=9, threshold=0))} == {"Seoul"}


@pytest.mark.parametrize("name", ["", " a", "a\x00", "a\ud800", "x" * 201, "tab\there"])
def test_a_name_that_cannot_be_one_is_refused(name: str) -> None:
    for field in ("user", "tenant", "agent"):
        if field == "agent" and not name:
            continue
        with pytest.raises(InvalidScope, match=field):
            Scope(**{"user": "u", field: name})


@pytest.mark.parametrize("action", [Action.ASSERT, Action.CORRECT])
async def test_what_an_agent_puts_in_the_place_of_a_shared_fact_is_shared(store: Store, action: Action) -> None:
    shared, coach, chef = (Scope(user="ada", agent=agent) for agent in ("", "coach", "chef"))
    await store.write(shared, Operation(attribute="home.city", value="Busan"), message="m1")
    (busan,) = await store.facts.facts(coach)
    store.clock.forward(days=1)
    await store.write(
        coach, Operation(action=action, attribute="home.city", value="Seoul", target=busan.id), message="m2"
    )
    for scope in (shared, coach, chef):
        assert [fact.value for fact in await store.facts.facts(scope)] == ["Seoul"]
    assert (await store.facts.rebuild(shared, check=True)).identical

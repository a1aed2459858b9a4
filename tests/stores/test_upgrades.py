"""A database of an earlier release, with what it holds, becomes one of this."""

from __future__ import annotations

import psycopg
from stored import store_over
from vectors import DIMENSION, MODEL, vectors

from perdure.episodes import NewEpisode
from perdure.facts import Operation, Source, content_of, exchange_id
from perdure.policy import Policy
from perdure.recall import Query
from perdure.scope import Scope
from perdure.stores.migrations import migrate, migrations, status
from perdure.stores.pool import open_pool

ME = Scope(user="u1")
TO_0001 = """
    drop table perdure.core_blocks;
    drop table perdure.costs;
    drop index perdure.episodes_open, perdure.episodes_learning;
    alter table perdure.episodes drop column session;
    drop table perdure.erasures;
    drop table perdure.large_users;
    drop index perdure.episodes_happened;
    alter table perdure.facts drop column words, drop column script;
    alter table perdure.episodes drop column words, drop column script, drop column place, drop column speaker;
    alter table perdure.facts add column length integer not null default 0;
    alter table perdure.episodes add column length integer not null default 0;
    alter table perdure.statements drop column said;
    alter table perdure.facts drop column likeness;
    drop table perdure.policies, perdure.attributes;
    alter table perdure.episodes drop constraint episodes_kind_check;
    alter table perdure.episodes add constraint episodes_kind_check
        check (kind in ('exchange', 'session', 'task', 'decision', 'tool_result'));
    delete from perdure.migrations where name > '0001_memory';
"""


async def test_a_database_of_the_first_release_is_upgraded_with_its_memories(database: str) -> None:
    async with open_pool(database) as pool:
        store = store_over(pool)
        operation = Operation(attribute="hobby", value="hiking")
        source = Source(at=store.clock.now(), thread="t", message="m1")
        exchange = NewEpisode(exchange_id(ME, source), "exchange", "user: I go hiking.", source.at)
        texts = [content_of(operation), exchange.content]
        await store.facts.apply(ME, [operation], source, vectors(texts), [exchange])
        before = await store.facts.facts(ME, history=True)
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as connection:
        await connection.execute(TO_0001)
    newer = tuple(migration.name for migration in migrations()[1:])
    assert (await status(database)).pending == newer == await migrate(database, MODEL, DIMENSION)
    async with open_pool(database) as pool:
        store = store_over(pool)
        assert await store.facts.facts(ME, history=True) == before
        assert (await store.facts.rebuild(ME, check=True)).identical
        again = await store.facts.apply(ME, [operation], source, vectors(texts))
        assert [receipt.outcome for receipt in again] == ["unchanged"]
        opening = await store.recalls.open_turn(ME, Query("hiking", k=5), vectors(["hiking"])["hiking"])
        assert len(opening.hits) == 2 and opening.policy == Policy()
        await store.facts.rebuild(ME)
        receipt = await store.write(ME, Operation(attribute="hobby", value="hikes"), message="m2")
        assert receipt.why == "said again in other words"


def test_a_released_migration_is_never_edited() -> None:
    """Its checksum is in databases already."""
    released = {
        "0001_memory": "cf49b0fd114263af9ab154393901a5ae7229dcf79483c9b9d532adb9b3886c72",
        "0002_trusted_writes": "5a67516874d9174890fab0f7420f8a101722dd04acd711269c7e03431837c060",
        "0003_ranking": "f75362257a80a9a1731b9dcec8096e046c27f89c59d6f0aa8852874cf24ef890",
    }
    assert {m.name: m.checksum for m in migrations() if m.name in released} == released

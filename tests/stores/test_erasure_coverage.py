"""No table is forgotten by an erasure, or by its proof."""

from __future__ import annotations

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from stored import store_over

from perdure.facts import Operation
from perdure.scope import Scope
from perdure.stores.erasure import erase_thread
from perdure.stores.erasures import PostgresErasures, Subject
from perdure.stores.owned_tables import WITH_INDEXES, owned_tables
from perdure.stores.pool import borrowed, open_pool
from perdure.stores.sought import Sought
from perdure.threads import thread_key

OF_NO_USER = {"embedder", "migrations", "attributes", "erasures", "reembedding"}
"""Tables in which no row is a user's. One that is added here must hold nothing that a user said, nor any user's name."""


async def test_every_table_is_a_users_by_its_columns_or_holds_nothing_of_users(database: str) -> None:
    async with open_pool(database) as pool, borrowed(pool) as connection:
        owned = {table.name for table in await owned_tables(connection)} | {WITH_INDEXES}
        tables = {
            row["relname"]
            async for row in await connection.execute(
                "select relname from pg_class where relnamespace = 'perdure'::regnamespace and relkind in ('r', 'p')"
            )
        }
    assert tables - owned == OF_NO_USER, "an erasure would miss a table: give it the columns tenant and user_id"


async def test_a_table_that_refers_to_another_is_erased_before_it(database: str) -> None:
    """Tables are found by the catalogue, and their order too."""
    with psycopg.connect(database) as connection:
        connection.execute("""
            create table perdure.aaa_parents (tenant text, user_id text, id int, primary key (tenant, user_id, id));
            create table perdure.zzz_children (tenant text, user_id text, id int,
                foreign key (tenant, user_id, id) references perdure.aaa_parents);
            insert into perdure.aaa_parents values ('default', 'u1', 1), ('default', 'u2', 1);
            insert into perdure.zzz_children values ('default', 'u1', 1), ('default', 'u2', 1);
        """)
    async with open_pool(database) as pool:
        counts = await store_over(pool).facts.erase(Scope(user="u1"))
    assert counts["aaa_parents"] == counts["zzz_children"] == 1
    with psycopg.connect(database) as connection:
        assert connection.execute("select user_id from perdure.zzz_children").fetchall() == [("u2",)]


async def test_costs_of_an_erased_thread_keep_their_numbers_and_not_its_name(database: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute("""
            drop table if exists perdure.costs;
            create table perdure.costs (tenant text, user_id text, thread text, tokens int, line uuid,
                primary key (tenant, user_id, line));
            insert into perdure.costs values ('default', 'u1', 'secret', 5, gen_random_uuid()),
                ('default', 'u1', 't2', 7, gen_random_uuid()), ('default', 'u2', 'secret', 9, gen_random_uuid());
        """)
    async with open_pool(database) as pool:
        await store_over(pool).write(Scope(user="u1"), Operation(attribute="pet", value="cat"), thread="secret")
        async with borrowed(pool) as borrowing, borrowing.transaction():
            counts = await erase_thread(borrowing, Scope(user="u1"), "secret")
    assert (counts["costs"], counts["statements"]) == (1, 1)
    with psycopg.connect(database) as connection:
        left = connection.execute("select thread, tokens from perdure.costs where user_id = 'u1' order by 2").fetchall()
    assert [tokens for _, tokens in left] == [5, 7] and "secret" not in str(left)


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=300), st.sampled_from(["own", "nobody"]))
def test_a_text_is_found_however_a_checkpoint_packs_it(text: str, owner: object) -> None:
    sought = Sought.of(Scope(user="u"), [text], user=False)
    packed = JsonPlusSerializer().dumps_typed({"a": [1, {"b": text}]})[1]
    for value in (packed, text, {"a": [text]}, {text: 1}):
        assert sought.found("column", value, owner) == "text"  # type: ignore[arg-type]
    assert sought.found("column", packed, "other") is None


names = st.text(min_size=1, max_size=60).filter(
    lambda name: name == name.strip() and name.isprintable() and not any("\ud800" <= c <= "\udfff" for c in name)
)


@settings(deadline=None)
@given(names, names, names, names, st.text("abc", min_size=1, max_size=150))
def test_a_key_is_found_in_bytes_and_is_nobody_elses(tenant: str, user: str, tenant2: str, user2: str, t: str) -> None:
    mine, theirs = Scope(user=user, tenant=tenant), Scope(user=user2, tenant=tenant2)
    sought = Sought.of(mine, [], user=True)
    for scope in (mine, theirs):
        key = thread_key(scope, t)
        packed = JsonPlusSerializer().dumps_typed({"thread": key, "x": ["y", key]})[1]
        found = {sought.found("column", value, "other") for value in (key, packed, {"k": [key]})}
        assert found == ({"user"} if scope == mine else {None})


@pytest.mark.parametrize("longer", ["xa", "%41", "-a", "b/a"])
def test_a_longer_name_that_ends_alike_is_another(longer: str) -> None:
    sought = Sought.of(Scope(user="u", tenant="a"), [], user=True)
    assert sought.found("column", f"{longer}/u/t" if "/" not in longer else f"{longer}u/t", "other") is None


async def test_an_erasure_begun_twice_goes_on(database: str) -> None:
    async with open_pool(database) as pool:
        store = store_over(pool)
        erasures, subject = PostgresErasures(pool, pool, store.clock), Subject(Scope(user="u1"), "user")
        await erasures.begin(subject)
        await erasures.add(subject, {"facts": 2, "threads": 1})
        await erasures.begin(subject)
        await erasures.add(subject, {"facts": 3})
        assert await erasures.is_begun(subject)
        done = await erasures.finish(subject)
        assert (done.counts, done.runs) == ({"facts": 5, "threads": 1}, 2)
        assert not await erasures.is_begun(subject)
        async with borrowed(pool) as connection:
            rows = await (await connection.execute("select * from perdure.erasures")).fetchall()
        assert "u1" not in str([{**row, "id": "", "subject": b""} for row in rows])

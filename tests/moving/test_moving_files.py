"""A file is untrusted: what could not have been written here is refused, and nothing of its batch is stored."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import fields
from datetime import timedelta
from functools import partial
from typing import Any, cast
from uuid import uuid4

import pytest
from databases import create_database, drop_database
from moved import context, exported, known_of, moving_over, rewritten
from stored import Store, store_over
from vectors import vectors

from perdure.attributes import Attribute, Cardinality
from perdure.core import Block
from perdure.core_edits import Origin
from perdure.embedded import EmbeddedPostgres
from perdure.episodes import NewEpisode
from perdure.errors import InvalidInput, InvalidScope
from perdure.facts import Operation, Source, exchange_id
from perdure.moving.destination import Destination
from perdure.policy import Policy, Rule
from perdure.scope import Scope
from perdure.stores import moving as pages
from perdure.stores.core_blocks import PostgresCoreStore
from perdure.stores.moved_kinds import KINDS
from perdure.stores.policies import PostgresPolicyStore
from perdure.stores.pool import open_pool
from perdure.stores.vocabulary import PostgresVocabularies

MINA, JUN = Scope(user="mina"), Scope(user="jun")
DERIVED = {
    "statements": {"tenant", "user_id"},
    "episodes": {"tenant", "user_id", "embedding", "terms", "words", "script", "place"},
    "policies": {"tenant", "user_id"},
    "attributes": {"tenant"},
    "core_blocks": {"tenant", "user_id"},
}
"""Columns that stand beside a record, or are made anew."""


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


async def remember(store: Store, scope: Scope, *cities: str) -> None:
    for city in cities:
        store.clock.forward(days=1)
        await store.write(scope, Operation(attribute="home.city", value=city, content=f"{city}에 산다"), message=city)
    store.clock.forward(hours=1)
    kept = NewEpisode(
        id=exchange_id(scope, Source(store.clock.now(), "t", "m")),
        kind="exchange",
        content="user: 서울로 이사했어\nassistant: 기억할게요",
        occurred_at=store.clock.now(),
        thread="t",
        message="m",
        speaker="미나",
        details={"user_characters": 13, "language": "ko"},
        extracted=False,
    )
    told = NewEpisode(uuid4(), "event", "이삿짐을 쌌다", store.clock.now(), "t")
    about = NewEpisode(uuid4(), "session", "이사한 날", store.clock.now(), "t")
    new = [kept, told, about]
    await store.episodes.append(scope, new, vectors([one.content for one in new]))
    async with store.pool.connection() as connection:
        await connection.execute("update perdure.episodes set session = %s where id = %s", [about.id, kept.id])
    await store.episodes.invalidate(scope, told.id, at=store.clock.now(), because="내일이었다")


def _written(block: Block, _: Sequence[Block]) -> Block:
    return block


async def test_every_column_is_moved_or_made_anew(store: Store) -> None:
    """Whoever adds a column must say which."""
    for table in DERIVED:
        await check_columns(store, table)


async def check_columns(store: Store, table: str) -> None:
    async with store.pool.connection() as connection:
        columns = (
            "select column_name from information_schema.columns where table_schema = 'perdure' and table_name = %s"
        )
        rows = await (await connection.execute(columns, [table])).fetchall()
        kind = {"policies": "policy"}.get(table, table.removesuffix("s"))
        moved = {field.name for field in fields(cast(Any, KINDS[kind].record))}
    assert {row["column_name"] for row in rows} - DERIVED[table] == moved - {"slot_value"}


async def test_all_users_and_what_they_share_move_to_another_tenant(store: Store) -> None:
    await remember(store, MINA, "부산", "서울")
    await remember(store, JUN, "대구")
    vocabularies = PostgresVocabularies(store.pool, store.clock)
    own = Attribute("desk.floor", Cardinality.SINGLE, "profile", ("floor",), ("층",))
    await vocabularies.put(MINA, own, "admin")
    policies = PostgresPolicyStore(store.pool, store.clock)
    await policies.put(MINA, Policy(rules=(Rule(verdict="drop", why="none"),)), "admin", whole_tenant=True)
    await policies.put(JUN, Policy(otherwise="ask"), "jun")
    core = PostgresCoreStore(store.pool, store.clock)
    for text in ("미나", "미나, 도예가"):
        await core.change(MINA, "human", partial(_written, Block("human", text)), Origin("set", "mina"))
    moving = moving_over(store)
    lines = await exported(moving, MINA, all_users=True)
    report = await moving.import_(lines, into=Destination("default", None, as_tenant="acme"))
    assert report.new == report.read == {"attribute": 1, "policy": 2, "core_block": 2, "statement": 3, "episode": 6}
    mina, jun = (Scope(user=user, tenant="acme") for user in ("mina", "jun"))
    assert [fact.value for fact in await store.facts.facts(mina)] == ["서울"]
    assert (await policies.in_force(jun)).otherwise == "ask"
    assert (await policies.in_force(mina)).rules[0].why == "none"
    assert (found := (await vocabularies.of(mina)).find("층")) and found.name == "desk.floor"
    assert [version.block.content for version in await core.history(mina, "human")] == ["미나, 도예가", "미나"]
    again = await moving.import_(lines, into=Destination("default", None, as_tenant="acme"))
    assert set(again.new.values()) == {0}
    moved = await exported(moving, mina, all_users=True)
    assert sorted(map(shape, moved[1:-1])) == sorted(
        map(shape, lines[1:-1])
    )  # slots, and with them their order, are others
    unextracted = await store.episodes.next_unextracted(mina)
    assert unextracted and unextracted.id == exchange_id(mina, Source(store.clock.now(), "t", "m"))
    told = next(one for one in await store.episodes.around(mina, unextracted.id) if one.kind == "event")
    assert told.invalidated_because == "내일이었다" and told.valid_to
    with pytest.raises(InvalidInput, match="line 2: it is for all users"):
        await moving.import_(lines, into=Destination("default", "mina"))


def shape(line: bytes) -> Any:
    """A record without the ids that are made of its scope."""
    record = json.loads(line)
    return sorted((name, repr(value)) for name, value in record.items() if name not in {"slot", "id"})


async def test_killed_half_way_it_goes_on_where_it_was(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await remember(store, MINA, *(f"{number}동" for number in range(9)))
    lines = await exported(moving_over(store), MINA)
    monkeypatch.setattr("perdure.moving.importing.PAGE", 4)
    monkeypatch.setattr(pages, "PAGE", 4)
    assert (await exported(moving_over(store), MINA))[1:] == lines[1:]  # pages of any length are the same file
    before, into = await known_of(store, MINA), Destination("default", "mina", as_tenant="acme")
    moving = moving_over(store)

    def killed() -> Any:
        yield from lines[:7]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await moving.import_(killed(), into=into)
    half = await known_of(store, Scope(user="mina", tenant="acme"))
    assert len(half["statements"]) == 4 and half["identical"]
    report = await moving.import_(lines, into=into)
    assert (report.read["statement"], report.new["statement"]) == (9, 5)
    after = await known_of(store, Scope(user="mina", tenant="acme"))
    assert after["identical"] and [fact.value for fact in after["history"]] == [
        fact.value for fact in before["history"]
    ]


async def test_a_file_that_was_cut_short_or_changed_is_noticed(store: Store) -> None:
    await remember(store, MINA, "부산")
    lines = await exported(moving_over(store), MINA)
    moving = moving_over(store)
    for damaged, why in (
        (lines[:-1], "it was cut short"),
        ([*lines[:1], *lines[2:]], "lines are missing"),
        ([*lines, lines[1]], "behind the end"),
        ([lines[1]], "line 1: it is no file of `perdure export`"),
        ([lines[0].replace(b'"version":1', b'"version":2')], "another version"),
        ([], "it was cut short"),
    ):
        with pytest.raises(InvalidInput, match=why):
            await moving.import_(damaged, context=context(MINA))


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"user": "jun"}, "of user 'jun', not of user 'mina'"),
    ({"agent": "coach"}, "its slot is not that"),
    ({"slot": str(uuid4())}, "its slot is not that"),
    ({"attribute": "home.origin"}, "its slot is not that"),
    ({"cardinality": "many"}, "home.city holds single values here"),
    ({"valid_from": "2026-01-01T00:00:00"}, "has no time zone"),
    ({"valid_from": 5}, "valid_from: Input should be a valid datetime"),
    ({"recorded_at": "2400-01-01T00:00:00Z"}, "recorded in the future"),
    ({"stated_to": "1999-01-01T00:00:00Z"}, "cannot end"),
    ({"content": "a\x00b"}, "NUL"),
    ({"content": "a\ud800b"}, "lone surrogate"),
    ({"content": " "}, "says nothing"),
    ({"content": "x" * 9000}, "at most 8000"),
    ({"content": "비밀번호는 hunter2!X 입니다"}, "never stored"),
    ({"action": "episode"}, "says nothing"),
    ({"action": "explode"}, "action: Input should be"),
    ({"importance": 11}, "out of bounds"),
    ({"confidence": 1e999}, "number that is none"),
    ({"ordinal": 2**40}, "out of bounds"),
    ({"targets": ["no id"]}, "targets.0"),
    ({"thread": "t" * 201}, "the thread has 201"),
    ({"surprise": 1}, "unknown here, such as 'surprise'"),
    ({"type": "fact"}, "its type is none of"),
    ({"user": None}, "does not tell its user"),
]


async def test_statements_that_could_not_be_written_here_are_refused(store: Store) -> None:
    await remember(store, MINA, "부산")
    lines, moving = await exported(moving_over(store), MINA), moving_over(store)
    await store.facts.erase(MINA)
    for changed, why in REFUSED:
        bad = rewritten(lines, 1, **changed)
        with pytest.raises((InvalidInput, InvalidScope), match=f"^line 2: .*(?:{why})") as refused:
            await moving.import_(bad, context=context(MINA))
        assert "부산" not in str(refused.value) and "hunter2" not in str(refused.value)
        report = await moving.import_(bad, context=context(MINA), skip_bad=True)
        assert [one.count for one in report.skipped if one.places == (2,)] == [1]
        assert await store.facts.statements(MINA) == []


async def test_what_is_no_record_is_refused_with_its_line(store: Store) -> None:
    lines = await exported(moving_over(store), MINA)
    for line in (b"[]", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a":' + b"9" * 5000 + b"}", b'{"a": NaN}'):
        with pytest.raises(InvalidInput, match=r"^line 2: it "):
            await moving_over(store).import_([lines[0], line, *lines[1:]], context=context(MINA))


async def test_a_file_of_another_tenant_or_user_is_not_let_in(store: Store) -> None:
    await remember(store, MINA, "부산")
    moving, lines = moving_over(store), await exported(moving_over(store), MINA)
    with pytest.raises(InvalidInput, match="of tenant 'default', not of 'acme'"):
        await moving.import_(lines, into=Destination("acme", "mina"))
    with pytest.raises(InvalidInput, match="not of user 'jun'"):
        await moving.import_(lines, into=Destination("default", "jun"))
    with pytest.raises(InvalidInput, match="cannot become one user's"):
        Destination("default", None, as_user="jun")
    # What agents have of their own, copied to another agent of the same user, would have one id twice.
    await store.write(Scope(user="mina", agent="coach"), Operation(attribute="goal", value="10km"), message="g")
    lines = await exported(moving, MINA)
    with pytest.raises(InvalidInput, match="in the memory already, of another agent"):
        await moving.import_(lines, into=Destination("default", "mina", as_agent="chef"))


async def test_no_line_holds_a_vector_or_a_fact(store: Store) -> None:
    await remember(store, MINA, "부산", "서울")
    header, *records, end = map(json.loads, await exported(moving_over(store), MINA))
    assert (header["format"], header["user"], end["counts"]) == ("perdure", "mina", {"statement": 2, "episode": 3})
    assert {record["type"] for record in records} == {"statement", "episode"}
    assert all("embedding" not in record for record in records)


async def test_what_expires_keeps_its_time_and_what_has_expired_is_not_in_the_file(
    database: str, store: Store, postgres: EmbeddedPostgres, migrated: str
) -> None:
    week = store.clock.now() + timedelta(days=7)
    await store.write(
        MINA, Operation(content="월요일까지만 기억할 것", expires_at=store.clock.now() + timedelta(days=1))
    )
    await store.write(MINA, Operation(content="일주일만 기억할 것", expires_at=week), message="m2")
    store.clock.forward(days=2)
    lines = await exported(moving_over(store), MINA)
    assert "월요일까지만".encode() not in b"".join(lines) and "일주일만".encode() in b"".join(lines)
    dsn = create_database(postgres, migrated)
    try:
        async with open_pool(dsn) as pool:
            other = store_over(pool)
            other.clock.set(store.clock.now())
            await moving_over(other).import_(lines, context=context(MINA))
            assert [fact.expires_at for fact in await other.facts.facts(MINA)] == [week]
            other.clock.set(week)
            assert await other.facts.facts(MINA) == []
    finally:
        drop_database(postgres, dsn)

"""The laws of undoing, with several agents, other spellings and merged attributes: any statement, in any order."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from batches import AGENTS, Batch, batches
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stored import Store
from vectors import vectors

from perdure.attributes import Cardinality
from perdure.facts import Action, Fact, Operation, Source, Statement, content_of
from perdure.scope import Scope
from perdure.stores.vocabulary import PostgresVocabularies

ON_POSTGRES = settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

Run = Callable[[Any], Any]


async def write_all(store: Store, user: str, wanted: Sequence[Batch]) -> None:
    for number, batch in enumerate(wanted):
        store.clock.forward(seconds=1)
        scope = Scope(user=user, agent=batch.agent)
        operations = batch.operations(await store.facts.facts(scope, history=True))
        source = Source(at=batch.at, message=f"m{number}")
        await store.facts.apply(scope, operations, source, vectors(map(content_of, operations)))


async def everything(store: Store, user: str) -> tuple[list[tuple[object, ...]], list[Statement]]:
    """All that is believed by the user's agents, without what counts the writes, and all that was said."""
    scope = Scope(user=user, agent=AGENTS[-1])
    facts = await store.facts.facts(scope, history=True)
    assert (await store.facts.rebuild(scope, check=True)).identical
    return [told(fact) for fact in facts], await store.facts.statements(scope)


def told(fact: Fact) -> tuple[object, ...]:
    return fact.slot, fact.agent, fact.attribute, fact.value, fact.valid_from, fact.valid_to, fact.corroboration


async def undo(store: Store, user: str, statement: Statement, message: str) -> Statement:
    """Take it back; the statement by which that was done."""
    scope = Scope(user=user, agent=AGENTS[-1])
    store.clock.forward(seconds=1)
    (receipt,) = await store.facts.take_back(scope, [statement.id], Source(at=store.clock.now(), message=message))
    assert receipt.outcome == "applied"
    (made,) = [one for one in await store.facts.statements(scope) if one.id == receipt.statement]
    return made


@ON_POSTGRES
@given(wanted=batches(), seed=st.integers(0, 999))
def test_undoing_everything_leaves_nothing_and_undoing_that_restores_all(
    wanted: list[Batch], seed: int, store: Store, run: Run
) -> None:
    async def check() -> None:
        user = uuid4().hex
        await write_all(store, user, wanted)
        known = store.clock.forward(seconds=1)
        before, statements = await everything(store, user)
        order = random.Random(seed).sample(statements, len(statements))
        undone = [await undo(store, user, one, f"undo{number}") for number, one in enumerate(order)]
        assert (await everything(store, user))[0] == []
        for number, statement in enumerate(random.Random(seed).sample(undone, len(undone))):
            await undo(store, user, statement, f"redo{number}")
        assert (await everything(store, user))[0] == before
        assert [told(f) for f in await then(store, user, known)] == before

    run(check())


async def then(store: Store, user: str, known: datetime) -> list[Fact]:
    return await store.facts.facts(Scope(user=user, agent=AGENTS[-1]), history=True, as_known_at=known)


@ON_POSTGRES
@given(wanted=batches(), cardinality=st.sampled_from(Cardinality), seed=st.integers(0, 999))
def test_what_is_undone_stays_undone_when_its_attribute_is_merged_and_split(
    wanted: list[Batch], cardinality: Cardinality, seed: int, store: Store, run: Run
) -> None:
    async def check() -> None:
        user, tenant = uuid4().hex, uuid4().hex
        scope = Scope(user=user, tenant=tenant)
        vocabularies = PostgresVocabularies(store.pool, store.clock)
        for number, batch in enumerate(wanted):
            store.clock.forward(seconds=1)
            operations = [
                Operation(attribute="floor", value=asked.value, valid_from=asked.valid_from, cardinality=cardinality)
                for asked in batch.asked
            ]
            source = Source(at=batch.at, message=f"m{number}")
            await store.facts.apply(scope, operations, source, vectors(map(content_of, operations)))
        seat = Operation(attribute="desk.floor", value="Oslo", cardinality=cardinality)
        await store.facts.apply(
            scope, [seat], Source(at=store.clock.now(), message="seat"), vectors([content_of(seat)])
        )
        await vocabularies.merge(scope, "floor", "desk.floor", "mina")
        moved = await store.facts.statements(scope, attribute="desk.floor")
        gone = random.Random(seed).choice(
            [one for one in moved if one.message != "seat" and one.action is not Action.RETRACT]
        )
        store.clock.forward(seconds=1)
        await store.facts.take_back(scope, [gone.id], Source(at=store.clock.now(), message="undo"))
        await vocabularies.split(scope, "floor", "mina")
        facts = await store.facts.facts(scope, history=True)
        assert {fact.attribute for fact in facts} <= {"floor", "desk.floor"}
        said = {(one.value, one.valid_from) for one in moved if one.id != gone.id and one.message != "seat"}
        assert {(f.value, f.valid_from) for f in facts if f.attribute == "floor"} <= said
        assert (await store.facts.rebuild(scope, check=True)).identical

    run(check())

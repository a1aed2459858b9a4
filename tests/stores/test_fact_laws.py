"""The laws of facts on real PostgreSQL: what the store does, write by write, is what the algebra says of its statements."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from statements import FACT_ACTIONS, HORIZON, VALUES, day
from stored import Store

from perdure.facts import Action, Fact, Operation
from perdure.recall import Query
from perdure.scope import Scope
from perdure.timeline import value_at

ON_POSTGRES = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
ATTRIBUTES = ("home.city", "work.employer", "pet")
INSTANTS = [day(number) for number in range(-1, HORIZON + 4, 3)]

Run = Callable[[Any], Any]


def nobody() -> Scope:
    """A user of whom nothing is stored, so that every example begins with an empty memory."""
    return Scope(user=uuid.uuid4().hex)


def said(fact: Fact) -> tuple[object, ...]:
    return fact.attribute, fact.value, fact.valid_from, fact.valid_to


@st.composite
def operations(draw: st.DrawFn, *, distinct: bool = False) -> list[Operation]:
    """Operations on a few slots, by attribute; with `distinct` only assertions, none of equal start in a slot."""
    made: list[Operation] = []
    taken: set[tuple[str, int]] = set()
    for _ in range(draw(st.integers(1, 6))):
        attribute, start = draw(st.sampled_from(ATTRIBUTES)), draw(st.integers(0, HORIZON))
        action = Action.ASSERT if distinct else draw(st.sampled_from(FACT_ACTIONS))
        if distinct and (attribute, start) in taken:
            continue
        taken.add((attribute, start))
        end = draw(st.none() | st.integers(start + 1, HORIZON + 2)) if action is Action.ASSERT else None
        made.append(
            Operation(
                action=action,
                attribute=attribute,
                value=draw(st.sampled_from(VALUES)),
                valid_from=day(start),
                valid_to=None if end is None else day(end),
            )
        )
    return made


async def write_all(store: Store, scope: Scope, wanted: Sequence[Operation]) -> None:
    for number, operation in enumerate(wanted):
        store.clock.forward(seconds=1)
        await store.write(scope, operation, message=f"m{number}")


@ON_POSTGRES
@given(wanted=operations(distinct=True), seed=st.integers(0, 999))
def test_law_1_order_of_arrival_does_not_matter(wanted: list[Operation], seed: int, store: Store, run: Run) -> None:
    shuffled = random.Random(seed).sample(wanted, len(wanted))

    async def both() -> None:
        one, other = nobody(), nobody()
        await write_all(store, one, wanted)
        await write_all(store, other, shuffled)
        first, second = await store.facts.facts(one, history=True), await store.facts.facts(other, history=True)
        assert sorted(map(said, first), key=str) == sorted(map(said, second), key=str)

    run(both())


@ON_POSTGRES
@given(wanted=operations())
def test_law_2_writing_the_same_turn_twice_changes_nothing(wanted: list[Operation], store: Store, run: Run) -> None:
    async def twice() -> None:
        scope = nobody()
        await write_all(store, scope, wanted)
        before = await store.facts.statements(scope), await store.facts.facts(scope, history=True)
        await write_all(store, scope, wanted)
        assert (await store.facts.statements(scope), await store.facts.facts(scope, history=True)) == before

    run(twice())


@ON_POSTGRES
@given(wanted=operations())
def test_laws_3_and_8_facts_are_what_follows_from_the_statements(
    wanted: list[Operation], store: Store, run: Run
) -> None:
    async def check() -> None:
        scope = nobody()
        await write_all(store, scope, wanted)
        told = await store.facts.statements(scope)
        for instant in INSTANTS:
            found = {fact.slot: fact for fact in await store.facts.facts(scope, as_of=instant)}
            for slot in {statement.slot for statement in told}:
                interval = value_at([statement for statement in told if statement.slot == slot], instant)
                assert (slot in found) == (interval is not None)
                assert interval is None or found[slot].value == interval.opening.value
        assert (await store.facts.rebuild(scope, check=True)).identical

    run(check())


@ON_POSTGRES
@given(wanted=operations())
def test_law_4_as_known_at_answers_what_was_answered_then(wanted: list[Operation], store: Store, run: Run) -> None:
    async def check() -> None:
        scope = nobody()
        answers: list[tuple[datetime, list[Fact], list[Fact]]] = []
        for number, operation in enumerate(wanted):
            store.clock.forward(seconds=1)
            await store.write(scope, operation, message=f"m{number}")
            known = store.clock.forward(seconds=1)
            current = await store.facts.facts(scope)
            answers.append((known, current, await store.facts.facts(scope, history=True)))
        for known, current, history in answers:
            assert await store.facts.facts(scope, as_known_at=known) == current
            assert await store.facts.facts(scope, as_known_at=known, history=True) == history

    run(check())


@pytest.mark.parametrize("attribute", ["home.city", "pet"])
def test_law_5_many_writers_at_once_give_the_result_of_one_serial_order(attribute: str, store: Store, run: Run) -> None:
    async def race() -> None:
        scope = nobody()
        writers = [
            store.write(
                scope, Operation(attribute=attribute, value=f"v{n % 4}", valid_from=day(n % 5)), message=f"m{n}"
            )
            for n in range(24)
        ]
        receipts = await asyncio.gather(*writers)
        assert all(receipt.outcome == "applied" for receipt in receipts)
        told = await store.facts.statements(scope)
        assert len(told) == 24 and len({statement.recorded_at for statement in told}) == 24
        assert len(await store.facts.facts(scope)) == (1 if attribute == "home.city" else 4)
        assert (await store.facts.rebuild(scope, check=True)).identical

    run(race())


@ON_POSTGRES
@given(wanted=operations())
def test_law_6_what_is_superseded_is_never_returned_as_current(wanted: list[Operation], store: Store, run: Run) -> None:
    async def check() -> None:
        scope = nobody()
        await write_all(store, scope, wanted)
        now = store.clock.now()
        assert all(fact.holds_at(now) for fact in await store.facts.facts(scope))
        for instant in (None, *INSTANTS):
            for hit in await store.recall(scope, Query("lives in 서울", k=50, as_of=instant)):
                assert hit.valid_from <= (instant or now)
                assert hit.past == (hit.valid_to is not None and hit.valid_to <= now)
                assert instant or not hit.past

    run(check())


@ON_POSTGRES
@given(wanted=operations(), last=st.sampled_from(ATTRIBUTES), start=st.integers(0, HORIZON))
def test_law_7_a_retracted_fact_leaves_the_timeline_as_if_it_had_never_been_told(
    wanted: list[Operation], last: str, start: int, store: Store, run: Run
) -> None:
    async def check() -> None:
        scope = nobody()
        await write_all(store, scope, wanted)
        before = [said(fact) for fact in await store.facts.facts(scope, history=True)]
        told = await store.write(scope, Operation(attribute=last, value="Jeju", valid_from=day(start)), message="last")
        assert told.after is not None and told.after.value == "Jeju"
        store.clock.forward(seconds=1)
        await store.write(scope, Operation(action=Action.RETRACT, target=told.after.id), message="retraction")
        assert [said(fact) for fact in await store.facts.facts(scope, history=True)] == before

    run(check())


def test_law_8_a_damaged_projection_is_found_and_repaired(store: Store, run: Run) -> None:
    async def check() -> None:
        scope = nobody()
        await store.write(scope, Operation(attribute="home.city", value="부산", valid_from=day(0)), message="m0")
        await store.write(scope, Operation(attribute="home.city", value="서울", valid_from=day(9)), message="m1")
        async with store.pool.connection() as connection:
            await connection.execute(
                "update perdure.facts set valid_to = valid_to - interval '1 day' where user_id = %s", (scope.user,)
            )
        report = await store.facts.rebuild(scope, check=True)
        assert not report.identical and len(report.missing) == len(report.surplus) == 1
        await store.facts.rebuild(scope)
        assert (await store.facts.rebuild(scope, check=True)).identical

    run(check())

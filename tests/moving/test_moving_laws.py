"""What is exported and imported is what was there: at every moment, as of every moment, whatever was told."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest
from databases import create_database, drop_database
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from moved import context, exported, known_of, moving_over
from statements import day
from stored import Store, store_over

from perdure.embedded import EmbeddedPostgres
from perdure.facts import Action, Operation
from perdure.moving.destination import Destination
from perdure.scope import Scope
from perdure.stores.pool import open_pool

VALUES = ("부산", "서울", "Incheon")


@pytest.fixture(scope="module")
def other(postgres: EmbeddedPostgres, migrated: str, run: Callable[[Any], Any]) -> Iterator[Store]:
    """Another database."""
    dsn = create_database(postgres, migrated)
    stack = AsyncExitStack()
    yield store_over(run(stack.enter_async_context(open_pool(dsn))))
    run(stack.aclose())
    drop_database(postgres, dsn)


@st.composite
def tellings(draw: st.DrawFn) -> list[tuple[str, Operation]]:
    """Operations on single and many-valued attributes and on notes, each told to an agent or to all."""
    told = []
    for _ in range(draw(st.integers(1, 8))):
        action = draw(st.sampled_from((Action.ASSERT, Action.ASSERT, Action.CORRECT, Action.END, Action.RETRACT)))
        attribute = draw(st.sampled_from(("home.city", "likes", "desk.floor", "")))
        if not attribute and action is not Action.ASSERT:
            continue
        value = draw(st.sampled_from(VALUES))
        start = draw(st.none() | st.integers(0, 9).map(day))
        told.append(
            (
                draw(st.sampled_from(("", "coach"))),
                Operation(
                    action=action,
                    attribute=attribute,
                    value=value if attribute else "",
                    content=f"lives in {value}" if action in {Action.ASSERT, Action.CORRECT} else "",
                    valid_from=start,
                ),
            )
        )
    return told


async def tell(store: Store, scope: Scope, told: list[tuple[str, Operation]]) -> None:
    for number, (agent, operation) in enumerate(told):
        store.clock.forward(minutes=1)
        await store.write(replace(scope, agent=agent), operation, message=f"m{number}")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(told=tellings())
def test_a_moved_memory_answers_as_before(
    told: list[tuple[str, Operation]], store: Store, other: Store, run: Callable[[Any], Any]
) -> None:
    async def check() -> None:
        scope = Scope(user=uuid.uuid4().hex, agent="coach")
        await tell(store, scope, told)
        lines = await exported(moving_over(store), scope)
        other.clock.set(store.clock.now())
        report = await moving_over(other).import_(lines, context=context(scope))
        assert report.read == report.new
        known = await known_of(other, scope)
        assert known == await known_of(store, scope) and known["identical"]
        again = await moving_over(other).import_(lines, context=context(scope))
        assert set(again.new.values()) <= {0}
        assert await known_of(other, scope) == known
        assert (await exported(moving_over(other), scope))[1:-1] == lines[1:-1]

    run(check())


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(told=tellings())
def test_under_another_name_it_is_the_same_memory_and_can_be_written_on(
    told: list[tuple[str, Operation]], store: Store, run: Callable[[Any], Any]
) -> None:
    async def check() -> None:
        scope, to = Scope(user=uuid.uuid4().hex, agent="coach"), Scope(uuid.uuid4().hex, "acme", "trainer")
        await tell(store, scope, told)
        lines = await exported(moving_over(store), scope)
        into = Destination("default", scope.user, as_tenant=to.tenant, as_user=to.user, as_agent=to.agent)
        await moving_over(store).import_(lines, into=into)
        before, after = await known_of(store, scope), await known_of(store, to)
        assert after["identical"]
        for facts, moved in zip(
            [before["history"], *before["as known"]], [after["history"], *after["as known"]], strict=True
        ):
            assert [told_of(fact) for fact in moved] == [told_of(fact) for fact in facts]
        for owner in (scope, to):  # what is told next finds the same slots
            await store.write(owner, Operation(attribute="home.city", value="Jeju"), message="next")
        now = [sorted(map(told_of, await store.facts.facts(owner))) for owner in (scope, to)]
        assert now[0] == now[1]

    run(check())


def told_of(fact: Any) -> tuple[Any, ...]:
    return (
        fact.attribute,
        fact.value,
        fact.valid_from,
        fact.valid_to,
        bool(fact.agent),
        fact.corroboration,
        fact.content,
    )

"""The laws of facts for writes of several operations, of several agents, that name facts and leave dates out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from batches import AGENTS, Batch, batches
from hypothesis import HealthCheck, given, settings
from statements import HORIZON, day
from stored import Store
from vectors import vectors

from perdure.facts import Action, Fact, Operation, Receipt, Source, Statement, content_of
from perdure.scope import Scope
from perdure.timeline import timeline, value_at

ON_POSTGRES = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
INSTANTS = [day(number) for number in range(-1, HORIZON + 4, 3)]

Run = Callable[[Any], Any]
Wrote = tuple[Scope, Source, list[Operation], list[Receipt]]


def scopes() -> dict[str, Scope]:
    """The scopes of the agents of a user of whom nothing is stored."""
    user = uuid4().hex
    return {agent: Scope(user=user, agent=agent) for agent in AGENTS}


async def write(store: Store, scope: Scope, batch: Batch, number: int) -> Wrote:
    store.clock.forward(seconds=1)
    operations = batch.operations(await store.facts.facts(scope, history=True))
    source = Source(at=batch.at, message=f"m{number}")
    receipts = await store.facts.apply(scope, operations, source, vectors(map(content_of, operations)))
    return scope, source, operations, receipts


async def stored(store: Store, scope: Scope) -> tuple[list[Statement], list[Fact]]:
    return await store.facts.statements(scope), await store.facts.facts(scope, history=True)


def by_slot(told: Sequence[Statement]) -> dict[UUID, list[Statement]]:
    slots: defaultdict[UUID, list[Statement]] = defaultdict(list)
    for statement in told:
        slots[statement.slot].append(statement)
    return slots


@ON_POSTGRES
@given(wanted=batches())
def test_facts_are_what_follows_from_the_statements(wanted: list[Batch], store: Store, run: Run) -> None:
    async def check() -> None:
        agents = scopes()
        for number, batch in enumerate(wanted):
            await write(store, agents[batch.agent], batch, number)
            assert (await store.facts.rebuild(agents[""], check=True)).identical
        told, facts = await stored(store, agents["coach"])
        for slot, statements in by_slot(told).items():
            expected = [(i.opening.value, i.valid_from, i.valid_to) for i in timeline(statements)]
            assert [(f.value, f.valid_from, f.valid_to) for f in facts if f.slot == slot] == expected
            assert len({statement.agent for statement in statements}) == 1
        assert all(fact.agent == "" for fact in await store.facts.facts(agents[""], history=True))

    run(check())


@ON_POSTGRES
@given(wanted=batches())
def test_what_is_recorded_is_not_recorded_twice(wanted: list[Batch], store: Store, run: Run) -> None:
    async def check() -> None:
        agents = scopes()
        wrote = [await write(store, agents[batch.agent], batch, number) for number, batch in enumerate(wanted)]
        before = await stored(store, agents["coach"])
        for scope, source, operations, receipts in wrote:
            again = [o for o, receipt in zip(operations, receipts, strict=True) if receipt.statement]
            repeated = await store.facts.apply(scope, again, source, vectors(map(content_of, again)))
            assert all(receipt.outcome == "unchanged" for receipt in repeated)
        assert await stored(store, agents["coach"]) == before

    run(check())


@ON_POSTGRES
@given(wanted=batches())
def test_as_known_at_answers_what_was_answered_then(wanted: list[Batch], store: Store, run: Run) -> None:
    async def check() -> None:
        agents = scopes()
        answers: list[tuple[datetime, list[Fact]]] = []
        for number, batch in enumerate(wanted):
            await write(store, agents[batch.agent], batch, number)
            known = store.clock.forward(seconds=1)
            answers.append((known, await store.facts.facts(agents["coach"], history=True)))
        for known, history in answers:
            assert await store.facts.facts(agents["coach"], as_known_at=known, history=True) == history

    run(check())


@ON_POSTGRES
@given(wanted=batches())
def test_a_receipt_tells_what_holds_after_its_operation(wanted: list[Batch], store: Store, run: Run) -> None:
    async def check() -> None:
        agents = scopes()
        for number, batch in enumerate(wanted):
            for place, asked in enumerate(batch.asked):
                alone = Batch(batch.agent, batch.at, (asked,))
                wrote = await write(store, agents[batch.agent], alone, 10 * number + place)
                scope, _, operations, receipts = wrote
                for operation, receipt in zip(operations, receipts, strict=True):
                    if receipt.outcome != "applied":
                        continue
                    told = await store.facts.statements(scope)
                    (made,) = (statement for statement in told if statement.id == receipt.statement)
                    holds = value_at([s for s in told if s.slot == made.slot], made.valid_from)
                    if operation.action is Action.END:
                        assert holds is None and receipt.after is None
                    elif operation.action is not Action.RETRACT:
                        assert holds and receipt.after and holds.opening.id == receipt.after.id
                        assert receipt.after.value == made.value

    run(check())

"""An operation that names a fact changes nothing else, and nothing that it does not name itself."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from stored import Store, store_over

from perdure.facts import Action, Fact, Operation
from perdure.scope import Scope
from perdure.stores.pool import open_pool

ME = Scope(user="u1")


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


async def told(store: Store, attribute: str, value: str) -> Fact:
    receipt = await store.write(ME, Operation(attribute=attribute, value=value), message=value)
    assert receipt.after
    return receipt.after


async def believed(store: Store) -> set[tuple[str, str, str]]:
    return {(fact.subject, fact.attribute, fact.value) for fact in await store.facts.facts(ME)}


@pytest.mark.parametrize(
    "told_instead",
    [
        {"attribute": "health.allergy", "value": "새우"},
        {"attribute": "health.condition", "value": "땅콩"},
        {"attribute": "health.allergy", "value": "땅콩", "subject": "Ann"},
        {"content": "Is allergic to 땅콩."},
    ],
)
async def test_a_confirmation_of_something_else_than_its_target_writes_nothing(
    store: Store, told_instead: dict[str, Any]
) -> None:
    """It is not asked about, for it tells nothing new: so it must not."""
    allergy = await told(store, "health.allergy", "땅콩")
    confirmation = Operation(action=Action.CONFIRM, target=allergy.id, **told_instead)
    assert (await store.write(ME, confirmation)).outcome == "dropped"
    assert len(await store.facts.statements(ME)) == 1


async def test_a_confirmation_of_a_fact_that_nobody_knows_writes_nothing(store: Store) -> None:
    confirmation = Operation(action=Action.CONFIRM, attribute="health.condition", value="당뇨", target=uuid.uuid4())
    receipt = await store.write(ME, confirmation)
    assert (receipt.outcome, await store.facts.statements(ME)) == ("dropped", [])


async def test_a_confirmation_in_other_words_confirms_its_target(store: Store) -> None:
    hobby = await told(store, "hobby", "hiking")
    confirmation = Operation(action=Action.CONFIRM, attribute="hobby", value="hikes", target=hobby.id)
    receipt = await store.write(ME, confirmation)
    assert receipt.outcome == "applied" and receipt.after and receipt.after.corroboration == 2


@pytest.mark.parametrize("action", [Action.END, Action.RETRACT])
@pytest.mark.parametrize(
    "named",
    [{"attribute": "likes"}, {"attribute": "home.city", "value": "부산"}, {"attribute": "home.city", "subject": "Ann"}],
)
async def test_an_end_or_retraction_that_names_something_else_than_its_target_leaves_it(
    store: Store, action: Action, named: dict[str, Any]
) -> None:
    home = await told(store, "home.city", "서울")
    receipt = await store.write(ME, Operation(action=action, target=home.id, **named))
    assert receipt.outcome == "dropped" and await believed(store) == {("user", "home.city", "서울")}


@pytest.mark.parametrize(
    "other",
    [
        {"attribute": "likes", "value": "tea"},
        {"attribute": "home.city", "value": "Oslo", "subject": "Ann"},
        {"content": "Likes tea."},
    ],
)
async def test_a_correction_about_something_else_strikes_nothing_unless_a_person_approved_it(
    store: Store, other: dict[str, Any]
) -> None:
    """Else what is asked about as a retraction could be had as a correction."""
    home = await told(store, "home.city", "서울")
    correction = Operation(action=Action.CORRECT, target=home.id, **other)
    receipt = await store.write(ME, correction, message="m1")
    assert receipt.action is Action.ASSERT and ("user", "home.city", "서울") in await believed(store)
    await store.write(ME, correction.model_copy(update={"approved_by": "mina"}), message="m2")
    assert ("user", "home.city", "서울") not in await believed(store)

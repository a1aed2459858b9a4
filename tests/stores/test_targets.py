"""Operations beside what is stored: facts that they name by id, values they leave out, terms that do not fit."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from stored import Store, store_over
from vectors import vectors

from perdure.errors import InvalidInput
from perdure.facts import Action, Fact, Operation, Source, content_of
from perdure.scope import Scope
from perdure.stores.pool import open_pool
from perdure.time import UNKNOWN_START

ME = Scope(user="u1")


def at(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


async def told(store: Store, operation: Operation) -> Fact:
    """Write it in a message of its own; the fact that holds then."""
    receipt = await store.write(ME, operation, message=uuid.uuid4().hex)
    assert receipt.outcome == "applied" and receipt.after
    return receipt.after


async def history(store: Store) -> list[tuple[str, datetime, datetime | None]]:
    assert (await store.facts.rebuild(ME, check=True)).identical
    return [(fact.value, fact.valid_from, fact.valid_to) for fact in await store.facts.facts(ME, history=True)]


@pytest.mark.parametrize("attribute", ["home.city", "pet", "desk.place"])
async def test_two_sentences_about_an_attribute_that_name_no_value_are_two(store: Store, attribute: str) -> None:
    await told(store, Operation(attribute=attribute, content="It was the first.", valid_from=at(2024)))
    second = await told(store, Operation(attribute=attribute, content="Now another.", valid_from=at(2025)))
    assert second.value == second.content == "Now another."
    assert [value for value, _, _ in await history(store)] == ["It was the first.", "Now another."]


async def test_an_end_of_one_of_many_values_is_not_guessed_from_a_sentence(store: Store) -> None:
    await told(store, Operation(attribute="pet", value="cat", valid_from=at(2024)))
    end = Operation(action=Action.END, attribute="pet", content="My cat has died.")
    receipt = await store.write(ME, end, message="end")
    assert receipt.outcome == "dropped" and "several values" in receipt.why


async def test_a_note_told_without_a_date_gives_way_to_a_dated_one_that_replaces_it(store: Store) -> None:
    window = await told(store, Operation(content="The desk is by the window."))
    store.clock.forward(days=1)
    await told(store, Operation(content="The desk is gone.", valid_from=at(2026, 10), target=window.id))
    assert [fact.content for fact in await store.facts.facts(ME)] == ["The desk is gone."]
    assert ("The desk is by the window.", UNKNOWN_START, at(2026, 10)) in await history(store)


@pytest.mark.parametrize("start", [at(2011), at(2020)])
async def test_only_the_term_that_is_named_ends_when_another_value_replaces_it(store: Store, start: datetime) -> None:
    first = await told(store, Operation(attribute="pet", value="cat", valid_from=at(2010), valid_to=at(2012)))
    await told(store, Operation(attribute="pet", value="cat", valid_from=at(2014)))
    await told(store, Operation(attribute="pet", value="dog", valid_from=start, target=first.id))
    assert [(begin, end) for value, begin, end in await history(store) if value == "cat"] == [
        (at(2010), min(at(2012), start)),
        (at(2014), None),
    ]


async def test_a_fact_is_known_by_the_id_that_it_had_before_it_was_confirmed(store: Store) -> None:
    read = await told(store, Operation(attribute="home.city", value="부산", valid_from=at(2024)))
    for start in (at(2024), at(2020)):
        await told(store, Operation(attribute="home.city", value="부산", valid_from=start))
    receipt = await store.write(ME, Operation(action=Action.END, target=read.id, valid_from=at(2026)), message="end")
    assert receipt.outcome == "applied"
    assert await history(store) == [("부산", at(2020), at(2026))]


async def test_what_is_asserted_is_kept_when_what_it_replaces_is_gone(store: Store) -> None:
    """It was read a while ago: a person decided late, or the run asked for what was believed before."""
    wrong = await told(store, Operation(attribute="home.city", value="일산", valid_from=at(2024)))
    await store.write(ME, Operation(action=Action.RETRACT, target=wrong.id), message="retraction")
    await told(store, Operation(attribute="home.city", value="서울", valid_from=at(2025), target=wrong.id))
    assert await history(store) == [("서울", at(2025), None)]


async def test_a_confirmation_without_a_date_leaves_the_stated_end(store: Store) -> None:
    await told(store, Operation(attribute="home.city", value="Berlin", valid_from=at(2026), valid_to=at(2027)))
    await told(store, Operation(attribute="home.city", value="Berlin"))
    assert await history(store) == [("Berlin", at(2026), at(2027))]


@pytest.mark.parametrize(
    "operation",
    [
        Operation(attribute="work.role", value="pilot", valid_to=at(2020)),
        Operation(action=Action.CORRECT, attribute="home.city", value="인천", valid_to=at(2020)),
    ],
)
async def test_a_term_that_would_be_empty_is_dropped_and_costs_no_other(store: Store, operation: Operation) -> None:
    await told(store, Operation(attribute="home.city", value="일산", valid_from=at(2024)))
    other = Operation(attribute="health.allergy", value="peanuts")
    both = [operation, other]
    receipts = await store.facts.apply(ME, both, Source(at=store.clock.now()), vectors(map(content_of, both)))
    assert [receipt.outcome for receipt in receipts] == ["dropped", "applied"]
    assert "not after its start" in receipts[0].why
    assert {value for value, _, _ in await history(store)} == {"일산", "peanuts"}


@pytest.mark.parametrize("action", [Action.END, Action.RETRACT])
async def test_an_end_has_no_end_of_its_own(store: Store, action: Action) -> None:
    operation = Operation(action=action, attribute="home.city", valid_to=at(2020))
    receipt = await store.write(ME, operation)
    assert receipt.outcome != "dropped" and await history(store) == []


async def test_an_operation_without_the_vector_of_its_content_is_refused(store: Store) -> None:
    """Its fact could not be searched, nor stored; its statement alone would be a fact that nobody sees."""
    with pytest.raises(InvalidInput, match="vector"):
        await store.facts.apply(ME, [Operation(attribute="Desk Floor", value="3")], Source(at=at(2026)), {})
    assert await store.facts.statements(ME) == []

"""The same thing in other words is one fact, said twice; what only looks alike stays two. Every merge can be undone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from stored import Store, store_over
from vectors import vectors

from perdure.attributes import Cardinality
from perdure.errors import NotFound
from perdure.facts import Action, Fact, Operation, Receipt, Source
from perdure.scope import Scope
from perdure.stores.pool import open_pool

ME = Scope(user="u1")
APART = [
    ("", "The spare key is under pot 3.", "The spare key is under pot 4."),
    ("", "예비 열쇠는 화분 두 개 밑에 있어.", "예비 열쇠는 화분 세 개 밑에 있어."),
    ("", "Call before you visit.", "Do not call before you visit."),
    ("", "회의 전에 전화해.", "회의 전에 전화하지 마."),
    ("", "Ann covers for Tom.", "Tom covers for Ann."),
    ("hobby", "tennis", "table tennis"),
    ("hobby", "등산", "등반"),
    ("pet", "Max", "Maxi"),
]


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


def told(attribute: str, words: str, **more: object) -> Operation:
    return Operation.model_validate(
        {"attribute": attribute, "value": words if attribute else "", "content": words} | more
    )


async def current(store: Store) -> list[Fact]:
    return await store.facts.facts(ME)


@pytest.mark.parametrize(
    ("attribute", "first", "second"),
    [
        ("hobby", "hiking", "hikes"),
        ("language.speaks", "한국어", "한국어를"),
        ("", "The router is behind the sofa.", "The router is behind my sofa"),
        ("", "공유기는 소파 뒤에 있어.", "공유기는 소파 뒤에 있습니다"),
        ("home.city", "서울", "Seoul"),
    ],
)
async def test_other_words_for_a_known_value_confirm_it(store: Store, attribute: str, first: str, second: str) -> None:
    await store.write(ME, told(attribute, first), message="m1")
    receipt = await store.write(ME, told(attribute, second), message="m2")
    assert (receipt.action, receipt.why) == (Action.CONFIRM, "said again in other words")
    (fact,) = await current(store)
    assert (fact.value, fact.corroboration) == (first, 2)
    assert (await store.facts.rebuild(ME, check=True)).identical


@pytest.mark.parametrize(("attribute", "first", "second"), APART)
async def test_what_only_looks_alike_stays_two(store: Store, attribute: str, first: str, second: str) -> None:
    await store.write(ME, told(attribute, first), message="m1")
    receipt = await store.write(ME, told(attribute, second), message="m2")
    assert receipt.action is Action.ASSERT
    assert {fact.value for fact in await current(store)} == {first, second}


async def test_the_same_words_about_somebody_else_or_another_attribute_are_not_the_same(store: Store) -> None:
    await store.write(ME, told("hobby", "hiking"), message="m1")
    await store.write(ME, told("hobby", "hikes", subject="Ann"), message="m2")
    await store.write(ME, told("likes", "hikes"), message="m3")
    assert len(await current(store)) == 3


async def test_an_end_in_other_words_ends_the_known_value(store: Store) -> None:
    await store.write(ME, told("hobby", "hiking"), message="m1")
    receipt = await store.write(ME, Operation(action=Action.END, attribute="hobby", value="hikes"), message="m2")
    assert receipt.outcome == "applied" and await current(store) == []


async def test_another_term_in_other_words_stands_in_the_same_timeline(store: Store) -> None:
    first = told(
        "hobby", "hiking", valid_from=datetime(2024, 1, 1, tzinfo=UTC), valid_to=datetime(2024, 4, 1, tzinfo=UTC)
    )
    again = told("hobby", "hikes", valid_from=datetime(2025, 1, 1, tzinfo=UTC))
    for message, operation in enumerate((first, again)):
        await store.write(ME, operation, message=str(message))
    spells = await store.facts.facts(ME, history=True)
    assert [fact.value for fact in spells] == ["hiking", "hiking"] and len({fact.slot for fact in spells}) == 1


async def test_a_merge_written_again_changes_nothing_even_after_the_known_value_is_gone(store: Store) -> None:
    await store.write(ME, told("hobby", "hiking"), message="m1")
    await store.write(ME, told("hobby", "hikes"), message="m2")
    (fact,) = await current(store)
    await store.write(ME, Operation(action=Action.RETRACT, target=fact.id), message="m3")
    receipt = await store.write(ME, told("hobby", "hikes"), message="m2")
    assert receipt.outcome == "unchanged" and await current(store) == []


async def undone(store: Store, receipt: Receipt, *, apart: bool = False, message: str = "undo") -> Receipt:
    assert receipt.statement
    source = Source(at=store.clock.now(), message=message, author="mina")
    (after,) = await store.facts.take_back(ME, [receipt.statement], source, apart=apart)
    return after


@pytest.mark.parametrize("attribute", ["hobby", "home.city", ""])
async def test_a_merge_that_is_undone_leaves_the_known_value_as_it_was(store: Store, attribute: str) -> None:
    await store.write(ME, told(attribute, "hiking"), message="m1")
    before = [(fact.value, fact.valid_from, fact.valid_to, fact.corroboration) for fact in await current(store)]
    merged = await store.write(ME, told(attribute, "hikes"), message="m2")
    await undone(store, merged)
    assert before == [(fact.value, fact.valid_from, fact.valid_to, fact.corroboration) for fact in await current(store)]


@pytest.mark.parametrize("attribute", ["hobby", ""])
async def test_what_was_merged_wrongly_can_be_stated_apart(store: Store, attribute: str) -> None:
    await store.write(ME, told(attribute, "hiking"), message="m1")
    merged = await store.write(ME, told(attribute, "hikes"), message="m2")
    receipt = await undone(store, merged, apart=True)
    assert receipt.action is Action.ASSERT
    assert {(fact.value, fact.corroboration) for fact in await current(store)} == {("hiking", 1), ("hikes", 1)}
    assert (await undone(store, merged, apart=True)).outcome == "unchanged"
    again = await store.write(ME, told(attribute, "hikes"), message="m3")
    assert again.why == "said again" and (await store.facts.rebuild(ME, check=True)).identical


async def test_what_an_agent_takes_apart_stays_in_the_memory_that_all_agents_share(store: Store) -> None:
    await store.write(ME, told("hobby", "hiking"), message="m1")
    merged = await store.write(ME, told("hobby", "hikes"), message="m2")
    coach, source = Scope(user="u1", agent="coach"), Source(at=store.clock.now(), message="undo")
    assert merged.statement
    for _ in range(2):
        await store.facts.take_back(coach, [merged.statement], source, apart=True)
    assert {fact.value for fact in await current(store)} == {"hiking", "hikes"}


async def test_what_something_else_had_struck_can_be_taken_back_for_good(store: Store) -> None:
    first = await store.write(ME, told("home.city", "Busan"), message="m1")
    second = await store.write(ME, told("home.city", "Oslo", action=Action.CORRECT), message="m2")
    assert (await undone(store, first)).outcome == "applied"
    assert (await undone(store, second, message="undo 2")).outcome == "applied" and await current(store) == []


async def test_whatever_was_written_can_be_undone_and_the_undoing_too(store: Store) -> None:
    first = told("home.city", "Busan", valid_from=datetime(2020, 1, 1, tzinfo=UTC))
    await store.write(ME, first, message="m1")
    (busan,) = await current(store)
    for action, value in (
        (Action.ASSERT, "Seoul"),
        (Action.CORRECT, "Incheon"),
        (Action.END, ""),
        (Action.RETRACT, ""),
    ):
        change = Operation(action=action, attribute="home.city", value=value, target=busan.id)
        written = await store.write(ME, change, message=action)
        changed = [(fact.value, fact.valid_from) for fact in await current(store)]
        assert changed != [("Busan", busan.valid_from)]
        taken = await undone(store, written, message=f"undo {action}")
        assert [(fact.value, fact.valid_from) for fact in await current(store)] == [("Busan", busan.valid_from)]
        await undone(store, taken, message=f"redo {action}")
        assert [(fact.value, fact.valid_from) for fact in await current(store)] == changed
        await undone(store, written, message=f"undo {action} again")
    assert (await store.facts.rebuild(ME, check=True)).identical


async def test_a_strangers_statement_cannot_be_taken_back(store: Store) -> None:
    receipt = await store.write(ME, told("home.city", "Busan"))
    assert receipt.statement
    with pytest.raises(NotFound):
        await store.facts.take_back(Scope(user="u2"), [receipt.statement], Source(at=store.clock.now()))
    assert len(await current(store)) == 1


async def test_a_fact_about_something_else_is_never_retired_by_id(store: Store) -> None:
    await store.write(ME, told("work.employer", "Acme"), message="m1")
    (job,) = await current(store)
    unrelated = [
        told("home.city", "Oslo", target=job.id),
        told("work.employer", "Globex", subject="Ann", target=job.id),
        told("", "Administers the hosting account of Acme.", target=job.id),
    ]
    for number, operation in enumerate(unrelated):
        receipt = await store.write(ME, operation, message=f"u{number}")
        assert receipt.outcome == "applied"
    assert job.value in {fact.value for fact in await current(store) if fact.subject == "user"}
    assert len(await current(store)) == 1 + len(unrelated)


async def test_many_values_are_told_from_each_other_among_hundreds(store: Store) -> None:
    """The known value is found however many others the attribute has."""
    operations = [
        Operation(attribute="likes", value=f"band number {n}", cardinality=Cardinality.MANY) for n in range(200)
    ]
    texts = [f"likes: {operation.value}" for operation in operations]
    await store.facts.apply(ME, operations, Source(at=store.clock.now(), message="m1"), vectors(texts))
    receipt = await store.write(ME, Operation(attribute="likes", value="the band number 77"), message="m2")
    assert receipt.after and receipt.after.value == "band number 77" and receipt.after.corroboration == 2

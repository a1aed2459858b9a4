"""A merge of facts is made of statements: dated by all of them, never over what was said meanwhile, undone exactly."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest
from stored import Store, store_over
from vectors import vector, vectors

from perdure.alike import Group, groups_of
from perdure.errors import NotFound, StaleFact
from perdure.facts import Action, Fact, Operation, Source
from perdure.merging import CHANGED, UNDONE, UNFIT, Merging
from perdure.scope import Scope
from perdure.stores.consolidation import PostgresConsolidationStore
from perdure.stores.pool import open_pool

ME = Scope(user="u1")
NOTES = ("에디터는 Neovim 쓰고 있어.", "에디터는 Neovim 씁니다.", "에디터는 Neovim 쓴다")
SENTENCE = "에디터는 Neovim 써요."
NOBODY = UUID(int=0)


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


@pytest.fixture
def merges(store: Store) -> PostgresConsolidationStore:
    return PostgresConsolidationStore(store.pool, store.facts, store.clock)


async def tell(store: Store, *contents: str, scope: Scope = ME, **more: object) -> Group:
    """Each in its own message and at its own time; then all as a group."""
    for content in contents:
        store.clock.forward(days=1)
        operation = Operation.model_validate({"content": content, **more})
        await store.write(scope, operation, message=f"says {content}")
    return Group(tuple(sorted(await store.facts.facts(scope), key=lambda fact: fact.recorded_at)), 1.0)


async def merge(merges: PostgresConsolidationStore, group: Group, sentence: str = "", scope: Scope = ME) -> Merging:
    return await merges.merge(scope, group, sentence, vectors([sentence]))


def shown(fact: Fact) -> Fact:
    """A row without when it was believed, and how many statements its slot had then."""
    return replace(fact, recorded_at=datetime(2000, 1, 1, tzinfo=UTC), version=0)


@pytest.mark.parametrize("sentence", ["", SENTENCE, NOTES[2]], ids=["by rule", "worded", "as one of them"])
async def test_a_group_becomes_one_fact_and_undoing_restores_the_exact_rows(
    store: Store, merges: PostgresConsolidationStore, sentence: str
) -> None:
    group = await tell(store, *NOTES)
    store.clock.forward(days=1)
    await store.write(ME, Operation(content=NOTES[1], importance=8), message="said again")
    group = Group(tuple(sorted(await store.facts.facts(ME), key=lambda fact: fact.valid_from)), 1.0)
    before, known = await store.facts.facts(ME, history=True), store.clock.now()
    store.clock.forward(days=1)
    made = await merge(merges, group, sentence)
    (fact,) = await store.facts.facts(ME)
    assert made.outcome == "merged" and made.after == fact
    assert (fact.content, fact.corroboration, fact.importance) == (sentence or NOTES[1], 4, 8)
    assert (fact.valid_from, fact.valid_to) == (group.facts[0].valid_from, None)
    assert await store.facts.facts(ME, history=True, as_known_at=known) == before
    assert [f.content for f in await store.facts.facts(ME, as_of=group.facts[0].valid_from)] == [fact.content]
    assert (await store.facts.rebuild(ME, check=True)).identical
    store.clock.forward(days=1)
    undone = await merges.undo(ME, made.merge, Source(at=store.clock.now(), author="mina"))
    assert undone.undone and [one.undone for one in await merges.merges(ME)] == [True]
    after = await store.facts.facts(ME, history=True)
    assert sorted(map(shown, after), key=str) == sorted(map(shown, before), key=str)
    assert (await store.facts.rebuild(ME, check=True)).identical
    said = await store.facts.statements(ME)
    assert await merges.undo(ME, made.merge, Source(at=store.clock.now())) == undone
    assert await store.facts.statements(ME) == said


async def test_merging_again_changes_nothing_and_what_was_undone_stays_apart(
    store: Store, merges: PostgresConsolidationStore
) -> None:
    group = await tell(store, *NOTES)
    first = await merge(merges, group, SENTENCE)
    said = await store.facts.statements(ME)
    assert await merge(merges, group, SENTENCE) == first and await store.facts.statements(ME) == said
    await merges.undo(ME, first.merge, Source(at=store.clock.now()))
    assert (await merge(merges, group, SENTENCE)).why == UNDONE
    near = await merges.neighbours(ME, NOBODY, -1.0)
    assert groups_of(near.pairs, near.members, [])
    assert groups_of(near.pairs, near.members, await merges.apart(ME)) == []


async def test_a_merge_of_what_was_merged_is_undone_first_and_then_the_other_can_be(
    store: Store, merges: PostgresConsolidationStore
) -> None:
    before = await tell(store, *NOTES[:2])
    first = await merge(merges, before)
    second = await merge(merges, await tell(store, NOTES[2]), SENTENCE)
    with pytest.raises(StaleFact, match=second.merge):
        await merges.undo(ME, first.merge, Source(at=store.clock.now(), message="undo 1"))
    for number, made in enumerate((second, first)):
        assert (await merges.undo(ME, made.merge, Source(at=store.clock.now(), message=f"undo {number}"))).undone
    assert {fact.content for fact in await store.facts.facts(ME)} == set(NOTES)


@pytest.mark.parametrize("action", [Action.CONFIRM, Action.END, Action.CORRECT, Action.RETRACT])
async def test_what_is_said_of_a_source_meanwhile_leaves_the_group_alone(
    store: Store, merges: PostgresConsolidationStore, action: Action
) -> None:
    group = await tell(store, *NOTES)
    target = group.facts[1]
    content = "에디터는 Emacs 쓴다" if action is Action.CORRECT else target.content
    await store.write(ME, Operation(action=action, content=content, target=target.id), message="meanwhile")
    said = await store.facts.statements(ME)
    made = await merge(merges, group, SENTENCE)
    assert (made.outcome, made.why) == ("left alone", CHANGED) and await store.facts.statements(ME) == said


async def test_a_sentence_that_somebody_else_has_said_meanwhile_is_not_overwritten(
    store: Store, merges: PostgresConsolidationStore
) -> None:
    group = await tell(store, *NOTES)
    await tell(store, SENTENCE)
    assert (await merge(merges, group, SENTENCE)).why == CHANGED


async def test_values_of_an_attribute_keep_their_attribute_and_what_was_ended_before_stays_ended(
    store: Store, merges: PostgresConsolidationStore
) -> None:
    began = datetime(2019, 1, 1, tzinfo=UTC)
    first = Operation(attribute="hobby", content="x", value="밤에 산책해", valid_from=began)
    await store.write(ME, first, message="1")
    await store.write(ME, Operation(attribute="hobby", content="x", value="밤에 산책한다", apart=True), message="2")
    group = Group(tuple(await store.facts.facts(ME)), 1.0)
    made = await merge(merges, group)
    (fact,) = await store.facts.facts(ME, attribute="hobby")
    assert (fact.attribute, fact.valid_from, fact.corroboration) == ("hobby", began, 2)
    end = Operation(action=Action.END, target=fact.id)
    ended = await store.write(ME, end, message="3")
    with pytest.raises(StaleFact, match=str(ended.statement)):
        await merges.undo(ME, made.merge, Source(at=store.clock.now()))
    assert await store.facts.facts(ME) == []


async def test_a_term_that_the_canonical_fact_cannot_have_leaves_the_group_alone(
    store: Store, merges: PostgresConsolidationStore
) -> None:
    """The one that stands for all was over for a while, in which another held."""
    first, second = NOTES[0], NOTES[1]
    years = [datetime(year, 1, 1, tzinfo=UTC) for year in (2019, 2020, 2021, 2024)]
    await store.write(ME, Operation(content=second, valid_from=years[0]), message="1")
    await store.write(ME, Operation(content=first, valid_from=years[1], valid_to=years[2]), message="2")
    await store.write(ME, Operation(content=first, valid_from=years[3]), message="3")
    await store.write(ME, Operation(content=first, valid_from=years[3]), message="4")
    said = await store.facts.statements(ME)
    made = await merge(merges, Group(tuple(await store.facts.facts(ME)), 1.0))
    assert made.why == UNFIT and await store.facts.statements(ME) == said


async def test_erasing_the_canonical_fact_leaves_nothing_of_its_sources(
    store: Store, merges: PostgresConsolidationStore
) -> None:
    group = await tell(store, *NOTES)
    made = await merge(merges, group, SENTENCE)
    assert made.after
    await store.facts.erase(ME, made.after.id)
    assert await store.facts.statements(ME) == [] and await store.facts.facts(ME, history=True) == []


async def test_erasing_a_source_erases_it_in_other_words_too(store: Store, merges: PostgresConsolidationStore) -> None:
    group = await tell(store, *NOTES)
    await merge(merges, group, SENTENCE)
    await tell(store, "나는 성수동에 살아.")
    await store.facts.erase(ME, group.facts[0].id)
    assert [one.content for one in await store.facts.statements(ME)] == ["나는 성수동에 살아."]


async def test_only_exactly_this_memory_is_looked_at(store: Store, merges: PostgresConsolidationStore) -> None:
    coach = Scope(user="u1", agent="coach")
    await tell(store, NOTES[0])
    await tell(store, NOTES[1], scope=coach)
    await tell(store, NOTES[2], scope=Scope(user="u2"))
    await store.write(ME, Operation(attribute="home.city", value="Seoul"), message="single")
    for scope in (ME, coach):
        near = await merges.neighbours(scope, NOBODY, -1.0)
        assert (await merges.count(scope), near.facts, near.pairs) == (1, 1, ())
    assert await merges.merges(coach) == []
    with pytest.raises(NotFound):
        await merges.undo(coach, "consolidation-0", Source(at=store.clock.now()))


async def test_each_pair_is_found_once_by_its_similarity(store: Store, merges: PostgresConsolidationStore) -> None:
    group = await tell(store, *NOTES)
    near = await merges.neighbours(ME, NOBODY, -1.0)
    assert {frozenset((pair.one, pair.other)) for pair in near.pairs} == {
        frozenset((a.id, b.id)) for a in group.facts for b in group.facts if a.id != b.id
    }
    by_id = {fact.id: fact for fact in near.members}
    for pair in near.pairs:
        one, other = (vector(by_id[identity].content) for identity in (pair.one, pair.other))
        assert pair.similarity == pytest.approx(sum(a * b for a, b in zip(one, other, strict=True)), abs=1e-6)
    assert near.last
    assert (await merges.neighbours(ME, near.last, -1.0)).facts == 0

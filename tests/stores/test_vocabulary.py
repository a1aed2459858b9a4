"""A tenant's own vocabulary: added to, learned, merged and split, for every user of the tenant and for nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from stored import Store, store_over
from wire_proxy import proxied

from perdure.attributes import BUILT_IN, Attribute, Cardinality
from perdure.errors import InvalidInput, NotFound
from perdure.facts import Action, Fact, Operation, Receipt, Statement
from perdure.learned import LearnedName
from perdure.operations import checked
from perdure.scope import Scope
from perdure.stores.pool import open_pool
from perdure.stores.vocabulary import PostgresVocabularies

MINJI, ADA = Scope(user="민지", tenant="acme"), Scope(user="ada", tenant="acme")
COACH = replace(MINJI, agent="coach")
STRANGER = Scope(user="민지", tenant="acme-corp")
GRADE = Attribute("work.grade", Cardinality.SINGLE, "profile", ("job grade",), ("직급", "직위"))
OLD, NEW = "desk.floor", "work.floor"
BY = "ops@acme"


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


@pytest.fixture
def vocabularies(store: Store) -> PostgresVocabularies:
    return process(store)


def process(store: Store) -> PostgresVocabularies:
    """What each process has of its own."""
    return PostgresVocabularies(store.pool, store.clock)


async def tell(store: Store, vocabularies: PostgresVocabularies, scope: Scope, operation: Operation) -> Receipt:
    """Write an operation as the memory layer does, at a moment of its own."""
    store.clock.forward(minutes=5)
    wanted = checked(operation, await vocabularies.of(scope))
    return await store.write(scope, wanted, message=store.clock.now().isoformat())


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


async def everything(store: Store, *scopes: Scope) -> list[Fact]:
    """The facts with all that they say, but for when they came to be believed."""
    found = [fact for scope in scopes for fact in await store.facts.facts(scope, history=True)]
    return [replace(fact, version=0, recorded_at=year(2000)) for fact in found]


async def terms(
    store: Store, scope: Scope, name: str, *, known: datetime | None = None
) -> list[tuple[str, int, int | None]]:
    """Value, first and last year of the facts that are stored under exactly this name."""
    found = await store.facts.facts(scope, as_known_at=known, history=True)
    named = [fact for fact in found if fact.attribute == name]
    return sorted((fact.value, fact.valid_from.year, fact.valid_to.year if fact.valid_to else None) for fact in named)


async def statements(store: Store, scope: Scope, name: str) -> list[Statement]:
    return [one for one in await store.facts.statements(scope) if one.attribute == name]


async def moving_desks(store: Store, vocabularies: PostgresVocabularies) -> None:
    """Three users' memories in which a learned name has a history: said again, corrected, ended."""
    for scope, floor in ((MINJI, "3층"), (COACH, "7층"), (ADA, "third")):
        for value, since in ((floor, 2020), (floor, 2021), ("4th", 2022)):
            await tell(store, vocabularies, scope, Operation(attribute=OLD, value=value, valid_from=year(since)))
    await tell(
        store,
        vocabularies,
        ADA,
        Operation(
            action=Action.CORRECT, attribute=OLD, value="fifth", content="It was the fifth.", valid_from=year(2022)
        ),
    )
    await tell(store, vocabularies, ADA, Operation(action=Action.END, attribute=OLD, valid_from=year(2024)))
    await tell(store, vocabularies, ADA, Operation(attribute=NEW, value="roof", valid_from=year(2018)))


async def test_a_tenants_attributes_are_its_own(vocabularies: PostgresVocabularies) -> None:
    await vocabularies.put(MINJI, GRADE, BY)
    assert (await vocabularies.of(ADA)).canonical("직급") == "work.grade"
    assert await vocabularies.of(STRANGER) is BUILT_IN
    await vocabularies.put(STRANGER, replace(GRADE, name="school.grade", cardinality=Cardinality.MANY), BY)
    assert (await vocabularies.of(STRANGER)).canonical("직급") == "school.grade"
    assert (await vocabularies.of(MINJI)).canonical("직급") == "work.grade"


async def test_what_is_told_by_a_korean_alias_supersedes_what_was_told_by_the_english_name(
    store: Store, vocabularies: PostgresVocabularies
) -> None:
    await vocabularies.put(MINJI, GRADE, BY)
    await tell(store, vocabularies, MINJI, Operation(attribute="Job Grade", value="manager", valid_from=year(2020)))
    receipt = await tell(store, vocabularies, MINJI, Operation(attribute="직위", value="부장", valid_from=year(2025)))
    assert receipt.before and receipt.before.value == "manager"
    assert await terms(store, MINJI, "work.grade") == [("manager", 2020, 2025), ("부장", 2025, None)]


@pytest.mark.parametrize(
    ("attribute", "why"),
    [
        (replace(GRADE, name="occupation"), "already names work.role"),
        (replace(GRADE, korean=("직책",)), "already names work.role"),
        (replace(GRADE, name="team.rank"), "already names work.grade"),
        (replace(GRADE, name="pet", english=(), korean=("댕댕이",)), "built in and holds many values"),
        (replace(GRADE, name="???"), "not a name"),
        (replace(GRADE, kind="rank"), "not a kind"),
        (replace(GRADE, korean=("",)), "empty"),
        (replace(GRADE, english=("my password is hunter2hunter2",)), "holds a password, which is never stored"),
        (replace(GRADE, korean=("내 비밀번호는 qwer1234!",)), "holds a password, which is never stored"),
    ],
)
async def test_an_attribute_that_would_take_anothers_place_is_refused(
    vocabularies: PostgresVocabularies, attribute: Attribute, why: str
) -> None:
    await vocabularies.put(MINJI, GRADE, BY)
    before = await vocabularies.of(MINJI)
    with pytest.raises(InvalidInput, match=why):
        await vocabularies.put(MINJI, attribute, BY)
    assert await vocabularies.of(MINJI) == before


async def test_a_built_in_attribute_gets_more_aliases_and_stays_what_it_is(vocabularies: PostgresVocabularies) -> None:
    await vocabularies.put(MINJI, Attribute("pet", Cardinality.MANY, "fact", (), ("댕댕이",)), BY)
    vocabulary = await vocabularies.of(MINJI)
    pet, built_in = vocabulary.find("댕댕이"), BUILT_IN.find("pet")
    assert pet and built_in
    assert (pet.name, pet.kind, pet.label("ko")) == ("pet", "profile", built_in.label("ko"))
    assert len(list(vocabulary)) == len(list(BUILT_IN))
    await vocabularies.remove(MINJI, "pet")
    assert await vocabularies.of(MINJI) is BUILT_IN


async def test_an_attribute_that_facts_use_keeps_its_number_of_values_and_stays(
    store: Store, vocabularies: PostgresVocabularies
) -> None:
    await tell(store, vocabularies, MINJI, Operation(attribute="work.grade", value="과장"))
    with pytest.raises(InvalidInput, match="and it holds a single value"):
        await vocabularies.put(MINJI, replace(GRADE, cardinality=Cardinality.MANY), BY)
    await vocabularies.put(MINJI, GRADE, BY)
    with pytest.raises(InvalidInput, match="it must stay"):
        await vocabularies.remove(MINJI, "work.grade")
    with pytest.raises(NotFound):
        await vocabularies.remove(MINJI, "pet")
    await vocabularies.put(STRANGER, GRADE, BY)
    await vocabularies.remove(STRANGER, "work.grade")


async def test_another_process_knows_of_a_change_after_a_minute(store: Store) -> None:
    here, there = process(store), process(store)
    assert (await there.of(MINJI)).find("직급") is None
    await here.of(MINJI)
    await here.put(MINJI, GRADE, BY)
    store.clock.forward(seconds=59)
    assert (await here.of(MINJI)).find("직급")
    assert (await there.of(MINJI)).find("직급") is None
    store.clock.forward(seconds=1)
    assert (await there.of(MINJI)).find("직급")


async def test_those_who_miss_it_at_once_share_one_statement(store: Store, database: str) -> None:
    async with proxied(database) as proxy, open_pool(proxy.dsn, size=1) as pool:
        vocabularies = PostgresVocabularies(pool, store.clock)
        before = proxy.round_trips
        found = await asyncio.gather(*(vocabularies.of(scope) for scope in (MINJI, ADA, MINJI, ADA) * 5))
        assert proxy.round_trips - before == 1
        assert len(found) == 20


async def test_a_learned_name_is_listed_with_who_uses_it_and_not_with_what_is_in_it(
    store: Store, vocabularies: PostgresVocabularies
) -> None:
    await moving_desks(store, vocabularies)
    await tell(store, vocabularies, MINJI, Operation(attribute="home.city", value="서울"))
    assert await vocabularies.learned(ADA) == [
        LearnedName(OLD, Cardinality.SINGLE, facts=6, users=2),
        LearnedName(NEW, Cardinality.SINGLE, facts=1, users=1),
    ]
    assert await vocabularies.learned(STRANGER) == []


async def test_a_merge_moves_every_users_timelines_and_a_split_brings_them_back(
    store: Store, vocabularies: PostgresVocabularies
) -> None:
    await moving_desks(store, vocabularies)
    before, known = await everything(store, COACH, ADA), store.clock.now()
    await tell(store, vocabularies, STRANGER, Operation(attribute=OLD, value="cellar"))

    merged = await vocabularies.merge(MINJI, OLD, NEW, BY)
    assert (merged.users, merged.facts, merged.shortened) == (2, 6, 1)
    assert await terms(store, MINJI, NEW) == [("3층", 2020, 2022), ("4th", 2022, None)]
    assert await terms(store, COACH, NEW) == [
        ("3층", 2020, 2022),
        ("4th", 2022, None),
        ("4th", 2022, None),
        ("7층", 2020, 2022),
    ]
    assert await terms(store, ADA, NEW) == [("fifth", 2022, 2024), ("roof", 2018, 2020), ("third", 2020, 2022)]
    assert await terms(store, ADA, OLD) == []
    assert await terms(store, STRANGER, OLD) == [("cellar", 2026, None)]
    assert await terms(store, ADA, OLD, known=known) == [("fifth", 2022, 2024), ("third", 2020, 2022)]
    twice = [fact for fact in await store.facts.facts(ADA, history=True) if fact.value == "third"]
    assert [fact.corroboration for fact in twice] == [2]

    split = await vocabularies.split(MINJI, OLD, BY)
    assert (split.users, split.facts) == (2, 6)
    assert await everything(store, COACH, ADA) == before
    assert (await vocabularies.of(MINJI)).canonical(OLD) == OLD
    for scope in (MINJI, ADA, STRANGER):
        assert (await store.facts.rebuild(scope, check=True)).identical


async def test_what_is_said_of_the_other_name_after_a_merge_stays_there(
    store: Store, vocabularies: PostgresVocabularies
) -> None:
    await moving_desks(store, vocabularies)
    await vocabularies.merge(ADA, OLD, NEW, BY)
    await tell(store, vocabularies, ADA, Operation(attribute=OLD, value="cellar", valid_from=year(2025)))
    await vocabularies.split(ADA, OLD, BY)
    assert await terms(store, ADA, NEW) == [("cellar", 2025, None), ("roof", 2018, 2025)]
    assert await terms(store, ADA, OLD) == [("fifth", 2022, 2024), ("third", 2020, 2022)]


async def test_a_merge_and_a_split_that_were_killed_half_way_are_finished_by_running_them_again(
    store: Store, vocabularies: PostgresVocabularies
) -> None:
    await moving_desks(store, vocabularies)
    before = await everything(store, COACH, ADA)

    def kill(done: int, users: int) -> None:
        assert (done, users) == (1, 2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await vocabularies.merge(ADA, OLD, NEW, BY, kill)
    assert [name.merged_into for name in await vocabularies.learned(ADA) if name.name == OLD] == [NEW]
    rest = await process(store).merge(ADA, OLD, NEW, BY)
    assert rest.users == 1
    assert await terms(store, COACH, OLD) == await terms(store, ADA, OLD) == []
    assert (await vocabularies.merge(ADA, OLD, NEW, BY)).facts == 0

    with pytest.raises(KeyboardInterrupt):
        await vocabularies.split(ADA, OLD, BY, kill)
    assert (await process(store).split(ADA, OLD, BY)).users == 1
    assert await everything(store, COACH, ADA) == before
    with pytest.raises(NotFound):
        await vocabularies.split(ADA, OLD, BY)


async def test_what_a_process_writes_that_does_not_know_of_the_merge_is_taken_up_by_merging_again(
    store: Store, vocabularies: PostgresVocabularies
) -> None:
    await tell(store, vocabularies, ADA, Operation(attribute=OLD, value="3", valid_from=year(2020)))
    await tell(store, vocabularies, ADA, Operation(attribute=NEW, value="1", valid_from=year(2019)))
    await vocabularies.merge(ADA, OLD, NEW, BY)
    await store.write(ADA, checked(Operation(attribute=OLD, value="4", valid_from=year(2021))), message="late")
    assert (await vocabularies.merge(ADA, OLD, NEW, BY)).facts == 1
    assert await terms(store, ADA, NEW) == [("1", 2019, 2020), ("3", 2020, 2021), ("4", 2021, None)]
    await vocabularies.split(ADA, OLD, BY)
    assert await terms(store, ADA, OLD) == [("3", 2020, 2021), ("4", 2021, None)]
    assert (await store.facts.rebuild(ADA, check=True)).identical


async def test_merging_and_splitting_again_and_again_is_the_same_each_time(
    store: Store, vocabularies: PostgresVocabularies
) -> None:
    await moving_desks(store, vocabularies)
    before = await everything(store, COACH, ADA)
    for _ in range(3):
        assert (await vocabularies.merge(ADA, OLD, NEW, BY)).facts == 6
        assert (await vocabularies.split(ADA, OLD, BY)).facts == 6
        assert await everything(store, COACH, ADA) == before
    assert (await store.facts.rebuild(ADA, check=True)).identical


async def test_values_are_kept_side_by_side_where_the_other_attribute_holds_many(
    store: Store, vocabularies: PostgresVocabularies
) -> None:
    for value, since in (("tea", 2020), ("mate", 2022)):
        await tell(
            store, vocabularies, ADA, Operation(attribute="favourite.drink", value=value, valid_from=year(since))
        )
    await vocabularies.merge(ADA, "favourite.drink", "좋아하는 것", BY)
    assert await terms(store, ADA, "likes") == [("mate", 2022, None), ("tea", 2020, 2022)]
    again = await tell(
        store, vocabularies, ADA, Operation(attribute="favourite.drink", value="tea", valid_from=year(2024))
    )
    assert again.after and again.after.cardinality is Cardinality.MANY
    assert {fact.value for fact in await store.facts.facts(ADA)} == {"mate", "tea"}


async def test_a_merge_into_a_merged_name_reaches_the_end_and_is_undone_from_there(
    store: Store, vocabularies: PostgresVocabularies
) -> None:
    for name, since in (("a.floor", 2020), ("b.floor", 2021), ("c.floor", 2022)):
        await tell(store, vocabularies, ADA, Operation(attribute=name, value=name, valid_from=year(since)))
    before = await everything(store, ADA)
    await vocabularies.merge(ADA, "a.floor", "b.floor", BY)
    await vocabularies.merge(ADA, "b.floor", "c.floor", BY)
    assert (await vocabularies.of(ADA)).canonical("a.floor") == "c.floor"
    assert [value for value, *_ in await terms(store, ADA, "c.floor")] == ["a.floor", "b.floor", "c.floor"]
    for old, new in (("c.floor", "a.floor"), ("a.floor", "likes")):
        with pytest.raises(InvalidInput):
            await vocabularies.merge(ADA, old, new, BY)
    with pytest.raises(InvalidInput, match=r"split b\.floor first"):
        await vocabularies.split(ADA, "a.floor", BY)
    await vocabularies.split(ADA, "b.floor", BY)
    await vocabularies.split(ADA, "a.floor", BY)
    assert await everything(store, ADA) == before


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("home.city", NEW, InvalidInput),
        (OLD, OLD, InvalidInput),
        (OLD, "no.such.floor", NotFound),
        ("no.such.floor", "home.city", NotFound),
        ("???", "home.city", InvalidInput),
    ],
)
async def test_a_merge_that_means_nothing_is_refused(
    store: Store, vocabularies: PostgresVocabularies, old: str, new: str, error: type[Exception]
) -> None:
    await moving_desks(store, vocabularies)
    before = await everything(store, COACH, ADA)
    with pytest.raises(error):
        await vocabularies.merge(ADA, old, new, BY)
    assert await everything(store, COACH, ADA) == before
    assert await vocabularies.of(ADA) is BUILT_IN


async def test_who_merged_is_recorded_and_who_said_it_is_kept(store: Store, vocabularies: PostgresVocabularies) -> None:
    await moving_desks(store, vocabularies)
    (told, *_) = await statements(store, ADA, OLD)
    await vocabularies.merge(ADA, OLD, NEW, BY)
    struck = [one for one in await statements(store, ADA, OLD) if told.id in one.targets]
    assert [(one.action, one.author, one.message) for one in struck] == [(Action.RETRACT, BY, f"merge:{OLD}->{NEW}")]
    (again,) = [one for one in await statements(store, ADA, NEW) if told.id in one.targets]
    assert (again.author, again.thread, again.message) == (told.author, told.thread, told.message)


@pytest.mark.parametrize("split", [False, True])
async def test_what_is_erased_is_gone_from_both_names(
    store: Store, vocabularies: PostgresVocabularies, split: bool
) -> None:
    await moving_desks(store, vocabularies)
    await vocabularies.merge(ADA, OLD, NEW, BY)
    if split:
        await vocabularies.split(ADA, OLD, BY)
    fifth = next(fact for fact in await store.facts.facts(ADA, history=True) if fact.value == "fifth")
    await store.facts.erase(ADA, fifth.id)
    left = str([await store.facts.statements(ADA), await store.facts.facts(ADA, history=True)])
    assert "fifth" not in left
    assert "third" in left
    async with store.pool.connection() as connection:
        for table in ("statements", "facts", "embeddings"):
            rows = await (await connection.execute(f"select t::text as row from perdure.{table} t")).fetchall()
            assert not [row for row in rows if "fifth" in row["row"]]
    assert (await store.facts.rebuild(ADA, check=True)).identical
    assert await terms(store, MINJI, NEW if not split else OLD) == [("3층", 2020, 2022), ("4th", 2022, None)]

"""What each operation does to what is stored."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from stored import Store, store_over

from perdure.attributes import Cardinality
from perdure.errors import InvalidInput, InvalidText, InvalidTime, NotFound, StaleFact
from perdure.facts import Action, Operation, Source, Trust
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


async def tell(store: Store, operation: Operation, message: str) -> None:
    receipt = await store.write(ME, operation, message=message)
    assert receipt.outcome == "applied"


async def home(store: Store, instant: datetime | None = None) -> str | None:
    facts = await store.facts.facts(ME, attribute="home.city", as_of=instant)
    return facts[0].value if facts else None


async def test_a_move_closes_the_old_home_where_the_new_begins(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="부산", valid_from=at(2024)), "m1")
    receipt = await store.write(ME, Operation(attribute="사는 곳", value="서울", valid_from=at(2026, 10)), message="m2")
    assert receipt.before and receipt.before.value == "부산"
    assert receipt.after and receipt.after.value == "서울"
    assert [await home(store, at(2025)), await home(store, at(2026, 10)), await home(store)] == ["부산", "서울", "서울"]
    busan, seoul = await store.facts.facts(ME, history=True)
    assert busan.valid_to == seoul.valid_from == at(2026, 10) and seoul.valid_to is None


async def test_a_late_arriving_older_statement_takes_its_place_in_the_past(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="서울", valid_from=at(2022)), "m1")
    await tell(store, Operation(attribute="home.city", value="대전", valid_from=at(2015)), "m2")
    assert await home(store) == "서울" and await home(store, at(2018)) == "대전"


async def test_the_same_value_said_again_confirms(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="Seoul", valid_from=at(2022)), "m1")
    receipt = await store.write(ME, Operation(attribute="home.city", value="seoul."), message="m2")
    assert receipt.action is Action.CONFIRM
    (fact,) = await store.facts.facts(ME)
    assert fact.corroboration == 2 and fact.valid_from == at(2022)


async def test_the_identical_note_twice_is_one_note(store: Store) -> None:
    for message in ("m1", "m2"):
        await tell(store, Operation(content="The parking code is 4711."), message)
    (note,) = await store.facts.facts(ME)
    assert note.corroboration == 2


async def test_a_note_is_superseded_only_by_id(store: Store) -> None:
    await tell(store, Operation(content="The desk is by the window.", valid_from=at(2025)), "m1")
    await tell(store, Operation(content="The desk is by the door.", valid_from=at(2026)), "m2")
    assert len(await store.facts.facts(ME)) == 2
    old = (await store.facts.facts(ME))[0]
    await tell(store, Operation(content="The desk is gone.", target=old.id, valid_from=at(2026, 5)), "m3")
    contents = {fact.content for fact in await store.facts.facts(ME)}
    assert contents == {"The desk is by the door.", "The desk is gone."}


async def test_a_correction_takes_the_dates_of_what_was_never_true(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="일산", valid_from=at(2024)), "m1")
    await tell(store, Operation(action=Action.CORRECT, attribute="home.city", value="인천"), "m2")
    (fact,) = await store.facts.facts(ME, history=True)
    assert (fact.value, fact.valid_from) == ("인천", at(2024))


async def test_a_correction_of_one_of_many_values_leaves_the_others(store: Store) -> None:
    for name in ("Jon", "Mia"):
        await tell(store, Operation(attribute="social.friend", value=name, valid_from=at(2024)), name)
    jon = next(fact for fact in await store.facts.facts(ME) if fact.value == "Jon")
    correction = Operation(action=Action.CORRECT, attribute="social.friend", value="John", target=jon.id)
    await tell(store, correction, "m3")
    facts = await store.facts.facts(ME, history=True)
    assert {(fact.value, fact.valid_from) for fact in facts} == {("John", at(2024)), ("Mia", at(2024))}


async def test_a_correction_of_a_confirmed_fact_strikes_the_confirmations_too(store: Store) -> None:
    for number in range(3):
        await tell(store, Operation(attribute="home.city", value="일산", valid_from=at(2020 + number)), f"m{number}")
    await tell(store, Operation(action=Action.CORRECT, attribute="home.city", value="인천"), "m3")
    assert [fact.value for fact in await store.facts.facts(ME, history=True)] == ["인천"]


async def test_retracting_the_correction_brings_back_what_it_struck(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="일산", valid_from=at(2024)), "m1")
    await tell(store, Operation(action=Action.CORRECT, attribute="home.city", value="인천"), "m2")
    await tell(store, Operation(action=Action.RETRACT, attribute="home.city"), "m3")
    assert await home(store) == "일산"


async def test_an_end_leaves_nothing_after_it(store: Store) -> None:
    await tell(store, Operation(attribute="work.employer", value="Acme", valid_from=at(2020)), "m1")
    await tell(store, Operation(action=Action.END, attribute="work.employer", valid_from=at(2024)), "m2")
    assert await store.facts.facts(ME) == []
    (past,) = await store.facts.facts(ME, as_of=at(2023))
    assert past.valid_to == at(2024)


async def test_an_end_told_before_its_beginning_still_ends_it(store: Store) -> None:
    await tell(store, Operation(action=Action.END, attribute="work.employer", valid_from=at(2024)), "m1")
    await tell(store, Operation(attribute="work.employer", value="Acme", valid_from=at(2020)), "m2")
    assert await store.facts.facts(ME) == []
    assert [fact.value for fact in await store.facts.facts(ME, as_of=at(2023))] == ["Acme"]


async def test_an_end_of_one_of_many_values_must_say_which(store: Store) -> None:
    await tell(store, Operation(attribute="pet", value="cat", valid_from=at(2020)), "m1")
    receipt = await store.write(ME, Operation(action=Action.END, attribute="pet"), message="m2")
    assert receipt.outcome == "dropped" and "several values" in receipt.why
    await tell(store, Operation(action=Action.END, attribute="pet", value="Cat"), "m3")
    assert await store.facts.facts(ME) == []


async def test_an_end_before_the_fact_began_is_refused(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="서울", valid_from=at(2024)), "m1")
    (fact,) = await store.facts.facts(ME)
    receipt = await store.write(ME, Operation(action=Action.END, target=fact.id, valid_from=at(2023)), message="m2")
    assert receipt.outcome == "dropped" and "only began" in receipt.why
    assert await home(store) == "서울"


async def test_a_retraction_opens_again_what_had_been_closed(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="부산", valid_from=at(2024)), "m1")
    await tell(store, Operation(attribute="home.city", value="서울", valid_from=at(2026)), "m2")
    (seoul,) = await store.facts.facts(ME)
    await tell(store, Operation(action=Action.RETRACT, target=seoul.id), "m3")
    (busan,) = await store.facts.facts(ME, history=True)
    assert busan.value == "부산" and busan.valid_to is None


async def test_two_intervals_of_one_value_stay_two(store: Store) -> None:
    for number, (start, end) in enumerate(((1, 4), (7, 10))):
        operation = Operation(
            attribute="project.assignment", value="Payments", valid_from=at(2026, start), valid_to=at(2026, end)
        )
        await tell(store, operation, f"m{number}")
    values = [await store.facts.facts(ME, as_of=at(2026, month)) for month in (2, 5, 8, 11)]
    assert [len(found) for found in values] == [1, 0, 1, 0]


async def test_an_expected_version_that_has_passed_is_refused_and_nothing_is_written(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="부산", valid_from=at(2024)), "m1")
    (read,) = await store.facts.facts(ME)
    await tell(store, Operation(attribute="home.city", value="부산"), "m2")
    with pytest.raises(StaleFact, match="has changed since it was read"):
        end = Operation(action=Action.END, target=read.id, expected_version=read.version)
        await store.write(ME, end, message="m3")
    (fact,) = await store.facts.facts(ME)
    assert fact.valid_to is None and len(await store.facts.statements(ME)) == 2
    end = Operation(action=Action.END, target=read.id, expected_version=fact.version)
    await tell(store, end, "m4")


async def test_an_unknown_target_changes_nothing(store: Store) -> None:
    receipt = await store.write(ME, Operation(action=Action.RETRACT, target=uuid.uuid4()))
    assert receipt.outcome == "dropped" and await store.facts.statements(ME) == []


async def test_one_bad_operation_undoes_the_whole_write(store: Store) -> None:
    good, bad = Operation(attribute="home.city", value="서울"), Operation(content="x", valid_from=at(2026))
    with pytest.raises(InvalidInput):
        poisoned = bad.model_copy(update={"content": "a\x00b"})
        await store.facts.apply(ME, [good, poisoned], Source(at=at(2026)), {})
    assert await store.facts.statements(ME) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("valid_from", datetime(2026, 1, 1)),  # noqa: DTZ001  # naive on purpose
        ("valid_from", datetime(1, 1, 1, tzinfo=UTC)),
        ("valid_to", datetime(9999, 12, 31, tzinfo=UTC)),
    ],
)
async def test_a_naive_or_absurd_date_is_refused(store: Store, field: str, value: datetime) -> None:
    operation = Operation(attribute="home.city", value="서울").model_copy(update={field: value})
    with pytest.raises(InvalidTime):
        await store.write(ME, operation)
    assert await store.facts.statements(ME) == []


async def test_a_term_must_end_after_it_begins(store: Store) -> None:
    with pytest.raises(InvalidTime, match="not after its start"):
        await store.write(ME, Operation(attribute="home.city", value="x", valid_from=at(2026), valid_to=at(2026)))


async def test_a_fact_is_found_by_id_prefix_or_attribute(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="서울", valid_from=at(2024)), "m1")
    (fact,) = await store.facts.facts(ME)
    assert await store.facts.find(ME, str(fact.id)[:8]) == fact == await store.facts.find(ME, "사는 곳")
    for name in ("cat", "100%", "________"):
        with pytest.raises((NotFound, InvalidInput)):
            await store.facts.find(ME, name)


async def test_an_empty_name_is_no_fact_even_if_there_is_only_one(store: Store) -> None:
    await tell(store, Operation(content="I live in Seoul."), "m1")
    for name in ("", " "):
        with pytest.raises(InvalidText, match="the name of the fact is empty"):
            await store.facts.find(ME, name)


async def test_an_attribute_outside_the_vocabulary_keeps_the_cardinality_it_is_given(store: Store) -> None:
    for value in ("3", "5"):
        await tell(store, Operation(attribute="desk.floor", value=value), value)
        await tell(store, Operation(attribute="badge", value=value, cardinality=Cardinality.MANY), f"b{value}")
    current = [(fact.attribute, fact.value) for fact in await store.facts.facts(ME)]
    assert current == [("badge", "3"), ("badge", "5"), ("desk.floor", "5")]


async def test_a_user_who_confirms_a_document_lends_it_their_trust(store: Store) -> None:
    await tell(store, Operation(attribute="work.role", value="engineer", trust=Trust.DOCUMENT), "m1")
    await tell(store, Operation(attribute="work.role", value="engineer"), "m2")
    (fact,) = await store.facts.facts(ME)
    assert fact.trust is Trust.USER


async def test_erasing_a_fact_leaves_neither_statement_nor_belief_of_it(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="부산", valid_from=at(2024)), "m1")
    await tell(store, Operation(attribute="home.city", value="서울", valid_from=at(2026)), "m2")
    await tell(store, Operation(attribute="home.city", value="서울", valid_from=at(2026, 3)), "m3")
    (seoul,) = await store.facts.facts(ME)
    counts = await store.facts.erase(ME, seoul.id)
    assert counts["statements"] == 2 and counts["facts"] > 0
    async with store.pool.connection() as connection:
        for table in ("statements", "facts"):
            rows = await (await connection.execute(f"select from perdure.{table} where value = '서울'")).fetchall()
            assert rows == []
    assert await home(store) == "부산"
    assert (await store.facts.rebuild(ME, check=True)).identical
    with pytest.raises(NotFound):
        await store.facts.erase(ME, seoul.id)


async def test_erasing_a_user_leaves_nothing_of_the_user_and_all_of_the_others(store: Store) -> None:
    other = Scope(user="u2")
    await tell(store, Operation(attribute="home.city", value="부산"), "m1")
    await store.write(other, Operation(attribute="home.city", value="부산"), message="m1")
    await store.facts.erase(ME)
    async with store.pool.connection() as connection:
        for table in ("statements", "facts", "episodes", "embeddings"):
            rows = await (await connection.execute(f"select distinct user_id from perdure.{table}")).fetchall()
            assert all(row["user_id"] == "u2" for row in rows)
    assert len(await store.facts.facts(other)) == 1


async def test_a_dated_change_shows_that_what_it_supersedes_held_before(store: Store) -> None:
    """Both are told within minutes, but the move was last month: the old home cannot have begun when it was told."""
    await tell(store, Operation(attribute="home.city", value="부산"), "m1")
    (told,) = await store.facts.facts(ME)
    assert not told.dated and told.valid_from == store.clock.now()
    store.clock.forward(minutes=5)
    known = store.clock.now()
    store.clock.forward(minutes=5)
    await tell(store, Operation(attribute="home.city", value="서울", valid_from=at(2026, 10), target=told.id), "m2")
    busan, seoul = await store.facts.facts(ME, attribute="home.city", history=True)
    assert (busan.value, busan.valid_from, busan.valid_to) == ("부산", UNKNOWN_START, at(2026, 10))
    assert (seoul.value, seoul.valid_from, seoul.valid_to) == ("서울", at(2026, 10), None)
    assert await home(store, at(2025, 11)) == "부산"
    assert await store.facts.facts(ME, as_known_at=known) == [told]
    assert (await store.facts.rebuild(ME, check=True)).identical


async def test_a_dated_end_shows_the_same(store: Store) -> None:
    await tell(store, Operation(attribute="work.employer", value="Acme"), "m1")
    (told,) = await store.facts.facts(ME)
    await tell(store, Operation(action=Action.END, target=told.id, valid_from=at(2026, 10)), "m2")
    assert await store.facts.facts(ME) == []
    assert [fact.value for fact in await store.facts.facts(ME, as_of=at(2026, 9))] == ["Acme"]


async def test_a_start_that_was_told_does_not_give_way(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="부산", valid_from=at(2026, 11)), "m1")
    (told,) = await store.facts.facts(ME)
    await tell(store, Operation(attribute="home.city", value="서울", valid_from=at(2026, 10), target=told.id), "m2")
    assert await home(store) == "부산" and await home(store, at(2026, 10, 15)) == "서울"


async def test_erasing_a_correction_leaves_what_it_corrected_struck(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="일산", valid_from=at(2024)), "m1")
    await tell(store, Operation(action=Action.CORRECT, attribute="home.city", value="인천"), "m2")
    (incheon,) = await store.facts.facts(ME)
    await store.facts.erase(ME, incheon.id)
    assert await store.facts.facts(ME, history=True) == []
    assert all("인천" not in str(statement) for statement in await store.facts.statements(ME))
    assert (await store.facts.rebuild(ME, check=True)).identical


async def test_an_erased_value_does_not_stay_in_what_was_said_of_its_end_or_its_successor(store: Store) -> None:
    await tell(store, Operation(attribute="pet", value="cat", valid_from=at(2020), evidence="I have a cat"), "m1")
    await tell(store, Operation(action=Action.END, attribute="pet", value="cat", evidence="my cat died"), "m2")
    await tell(store, Operation(attribute="work.employer", value="Acme", valid_from=at(2020)), "m3")
    await tell(store, Operation(attribute="work.employer", value="Globex", evidence="I left Acme for Globex"), "m4")
    for fact in await store.facts.facts(ME, history=True):
        if fact.value in {"cat", "Acme"}:
            await store.facts.erase(ME, fact.id)
    (left,) = await store.facts.statements(ME)
    assert (left.value, left.evidence) == ("Globex", "") and (await store.facts.rebuild(ME, check=True)).identical


async def test_an_undated_confirmation_gives_way_to_an_end_before_it(store: Store) -> None:
    """Told in one sitting: "I work at Acme", "since 2021", "I left last week"."""
    await tell(store, Operation(attribute="work.employer", value="Acme"), "m1")
    await tell(store, Operation(attribute="work.employer", value="Acme", valid_from=at(2021)), "m2")
    (acme,) = await store.facts.facts(ME)
    await tell(store, Operation(action=Action.END, target=acme.id, valid_from=at(2026, 11, 23)), "m3")
    (past,) = await store.facts.facts(ME, history=True)
    assert (past.valid_from, past.valid_to) == (at(2021), at(2026, 11, 23))
    assert (await store.facts.rebuild(ME, check=True)).identical


async def test_an_undated_confirmation_gives_way_to_a_dated_change_before_it(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="부산", valid_from=at(2020)), "m1")
    await tell(store, Operation(attribute="home.city", value="부산"), "m2")
    (busan,) = await store.facts.facts(ME)
    await tell(store, Operation(attribute="home.city", value="서울", valid_from=at(2026, 10), target=busan.id), "m3")
    history = [(fact.value, fact.valid_to) for fact in await store.facts.facts(ME, history=True)]
    assert history == [("부산", at(2026, 10)), ("서울", None)]


async def test_the_same_value_with_a_date_only_tells_since_when(store: Store) -> None:
    await tell(store, Operation(attribute="home.city", value="부산"), "m1")
    (busan,) = await store.facts.facts(ME)
    await tell(store, Operation(attribute="home.city", value="부산", valid_from=at(2020), target=busan.id), "m2")
    (fact,) = await store.facts.facts(ME, history=True)
    assert (fact.valid_from, fact.dated, fact.corroboration) == (at(2020), True, 2)

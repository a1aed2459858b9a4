"""The laws of the timeline algebra, without a database, against an oracle that answers for one instant at a time."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from statements import HORIZON, VALUES, assertions, day, histories, oracle, rerecorded, statement

from perdure.facts import Action, Fact, Statement
from perdure.projection import changes, replay
from perdure.timeline import as_known_at, timeline, value_at

INSTANTS = [day(number) for number in range(-1, HORIZON + 4)]


def shape(told: list[Statement]) -> list[tuple[object, ...]]:
    return [(i.key, i.valid_from, i.valid_to) for i in timeline(told)]


@given(histories())
def test_at_every_instant_the_timeline_says_what_the_oracle_says(told: list[Statement]) -> None:
    for instant in INSTANTS:
        interval = value_at(told, instant)
        assert (interval.opening.value if interval else None) == oracle(told, instant)


@given(histories())
def test_intervals_are_in_order_disjoint_and_neighbours_differ(told: list[Statement]) -> None:
    intervals = timeline(told)
    for earlier, later in pairwise(intervals):
        assert earlier.valid_to is not None and earlier.valid_to <= later.valid_from
        assert earlier.valid_to < later.valid_from or earlier.key != later.key
    assert all(i.valid_to is None or i.valid_from < i.valid_to for i in intervals)


@given(assertions(distinct=True), st.randoms())
def test_law_1_order_of_arrival_does_not_matter(told: list[Statement], random: object) -> None:
    shuffled = list(told)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert shape(rerecorded(shuffled)) == shape(told)


@given(histories(), st.integers(0, 10))
def test_law_4_what_was_known_is_the_timeline_of_what_was_recorded_by_then(told: list[Statement], count: int) -> None:
    early = told[:count]
    known = early[-1].recorded_at if early else day(0)
    assert as_known_at(told, known) == timeline(early)


@given(histories().filter(bool), st.data())
def test_law_7_a_retracted_statement_might_never_have_been_made(told: list[Statement], data: st.DataObject) -> None:
    struck = data.draw(st.sampled_from(told))
    retraction = statement(Action.RETRACT, "", 0, None, len(told), (struck.id,))
    without = [statement for statement in told if statement is not struck]
    assert timeline([*told, retraction]) == timeline(without)


@given(histories())
def test_law_8_the_projection_grows_write_by_write_into_what_a_replay_makes(told: list[Statement]) -> None:
    believed: list[Fact] = []
    for count, written in enumerate(told, 1):
        change = changes(believed, told[:count], written.recorded_at)
        believed = [fact for fact in believed if fact not in change.closed] + list(change.opened)
    assert set(believed) == {belief.fact for belief in replay(told) if belief.known_to is None}


def test_after_a_stated_end_the_value_before_does_not_come_back() -> None:
    told = [statement(Action.ASSERT, VALUES[0], 0, None, 0), statement(Action.ASSERT, VALUES[1], 5, 8, 1)]
    assert [oracle(told, day(n)) for n in (1, 6, 9)] == [VALUES[0], VALUES[1], None]
    assert value_at(told, day(9)) is None


def test_of_an_equal_start_the_later_recorded_wins_and_the_same_value_corroborates() -> None:
    told = [
        statement(Action.ASSERT, "서울", 0, None, 0),
        statement(Action.ASSERT, "부산", 0, None, 1),
        statement(Action.ASSERT, "서울.", 0, None, 2),
    ]
    (interval,) = timeline(told)
    assert interval.opening.id == told[2].id and len(interval.statements) == 2


def test_a_retraction_of_a_retraction_restores() -> None:
    said = statement(Action.ASSERT, "서울", 0, None, 0)
    struck = statement(Action.RETRACT, "", 0, None, 1, (said.id,))
    restored = statement(Action.RETRACT, "", 0, None, 2, (struck.id,))
    assert timeline([said, struck]) == ()
    assert timeline([said, struck, restored]) == timeline([said])

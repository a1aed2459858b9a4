"""A renaming moves a timeline as it is, and taking it back leaves everything as it was: for any history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from hypothesis import given
from statements import assertions, day, histories, statement

from perdure.attributes import Cardinality
from perdure.facts import Action, Source, Statement, slot_of
from perdure.renaming import Renaming, merges_in_force, moved, restatements_of
from perdure.scope import Scope
from perdure.slots import Slots, Stored
from perdure.timeline import Interval, timeline
from perdure.undo import take_back

ME = Scope(user="민지")
OLD, NEW = "home.city", "home.town"
LATER = day(2000)
Terms = list[tuple[str, datetime, datetime | None]]


def renaming(cardinality: Cardinality = Cardinality.SINGLE) -> Renaming:
    return Renaming(OLD, NEW, cardinality, author="ops@acme")


def in_slot(told: Sequence[Statement]) -> list[Statement]:
    """The history of one slot of the single attribute `OLD`, as stored."""
    slot = slot_of(ME, "user", OLD, Cardinality.SINGLE, "")
    return [replace(one, slot=slot) for one in told]


def of_each_value(told: Sequence[Statement]) -> list[Statement]:
    """What is asserted, as stored where `OLD` holds many values at a time."""
    return [
        replace(one, slot=slot_of(ME, "user", OLD, Cardinality.MANY, one.value), cardinality=Cardinality.MANY)
        for one in told
    ]


def slots_of(told: Sequence[Statement]) -> dict[UUID, list[Statement]]:
    slots: defaultdict[UUID, list[Statement]] = defaultdict(list)
    for one in told:
        slots[one.slot].append(one)
    return slots


def terms(intervals: Sequence[Interval]) -> Terms:
    return [(one.key, one.valid_from, one.valid_to) for one in intervals]


def timelines(told: Sequence[Statement], attribute: str) -> list[Terms]:
    """The timelines of the slots of an attribute in which something is believed."""
    slots = slots_of([one for one in told if one.attribute == attribute]).values()
    return sorted(found for slot in slots if (found := terms(timeline(slot))))


def merged(told: Sequence[Statement], into: Renaming, at: datetime = LATER) -> list[Statement]:
    slots = Slots(Stored(tuple(told), (), {}), at)
    for one in moved(ME, [one for one in told if one.attribute == OLD], into, at):
        slots.add(one)
    return [*told, *slots.new]


def split(told: Sequence[Statement], at: datetime) -> list[Statement]:
    merges = merges_in_force([one for one in told if one.attribute == OLD], OLD)
    restated = {identity for merge in merges for identity in restatements_of(merge)}
    taken = [*merges, *(one for one in told if one.id in restated)]
    source = Source(at=at, message=f"split:{OLD}", author="ops@acme")
    return [*told, *take_back(ME, taken, source, Stored(tuple(told), (), {}), at).statements]


@given(histories())
def test_the_timeline_moves_as_it_is(history: list[Statement]) -> None:
    told = in_slot(history)
    after = merged(told, renaming())
    assert timelines(after, NEW) == timelines(told, OLD)
    assert timelines(after, OLD) == []


@given(histories())
def test_what_counted_towards_each_value_still_does(history: list[Statement]) -> None:
    told = in_slot(history)
    new = [one for one in merged(told, renaming()) if one.attribute == NEW]

    def support(intervals: Sequence[Interval]) -> list[list[tuple[str, str, bool]]]:
        return [[(one.content, one.message, one.dated) for one in interval.statements] for interval in intervals]

    assert support(timeline(new)) == support(timeline(told))


@given(histories())
def test_taking_it_back_restores_what_was_believed_and_leaves_nothing_behind(history: list[Statement]) -> None:
    told = in_slot(history)
    after = split(merged(told, renaming()), LATER + timedelta(days=1))
    assert timeline([one for one in after if one.attribute == OLD]) == timeline(told)
    assert timelines(after, NEW) == []


@given(histories())
def test_merging_again_after_a_split_has_ids_of_its_own(history: list[Statement]) -> None:
    told = in_slot(history)
    once = split(merged(told, renaming()), LATER + timedelta(days=1))
    again = merged(once, renaming(), LATER + timedelta(days=2))
    assert len({one.id for one in again}) == len(again)
    assert timelines(again, NEW) == timelines(told, OLD)


@given(histories())
def test_merging_twice_moves_nothing_the_second_time(history: list[Statement]) -> None:
    after = merged(in_slot(history), renaming())
    assert merged(after, renaming(), LATER + timedelta(days=1)) == after


@given(histories())
def test_values_of_a_single_attribute_keep_their_terms_where_many_may_hold(history: list[Statement]) -> None:
    told = in_slot(history)
    after = merged(told, renaming(Cardinality.MANY))
    by_value = sorted(term for slot in timelines(after, NEW) for term in slot)
    assert by_value == sorted(term for slot in timelines(told, OLD) for term in slot)


@given(assertions(distinct=True))
def test_values_of_a_many_valued_attribute_follow_each_other_where_one_may_hold(told: list[Statement]) -> None:
    after = merged(of_each_value(told), renaming())
    assert timelines(after, NEW) == timelines(in_slot(told), OLD)


def test_an_end_of_one_of_many_values_ends_that_value() -> None:
    told = of_each_value([statement(Action.ASSERT, "부산", 0, None, 0), statement(Action.ASSERT, "서울", 1, None, 1)])
    told.append(replace(statement(Action.END, "", 5, None, 2), slot=told[0].slot, cardinality=Cardinality.MANY))
    after = merged(told, renaming(Cardinality.MANY))
    assert timelines(after, NEW) == [[("부산", day(0), day(5))], [("서울", day(1), None)]]

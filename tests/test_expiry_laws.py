"""Taking out what has expired changes nothing else of a slot, now or as of any day."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from statements import DAY_ZERO, HORIZON, day, histories, oracle, statement

from perdure.expiry import expired_of
from perdure.facts import Action, Statement
from perdure.projection import replay
from perdure.timeline import timeline

EXPIRED, NOW, LATER = (DAY_ZERO + timedelta(days=days) for days in (1500, 1600, 1700))


@st.composite
def expiring(draw: st.DrawFn) -> list[Statement]:
    told = draw(histories())
    expiries = st.sampled_from((None, None, EXPIRED, LATER))
    return [replace(s, expires_at=draw(expiries) if s.value else None) for s in told]


@given(expiring())
def test_every_day_keeps_its_value_unless_that_has_expired(told: list[Statement]) -> None:
    remaining = expired_of(told, NOW).remaining
    gone = {interval.opening.id for interval in timeline(told) if _lasts(interval.statements) == EXPIRED}
    for number in range(HORIZON + 3):
        before = next((i for i in timeline(told) if i.holds_at(day(number))), None)
        expected = None if before is None or before.opening.id in gone else oracle(told, day(number))
        assert oracle(remaining, day(number)) == expected


@given(expiring())
def test_nothing_of_what_has_expired_is_left_and_doing_it_again_changes_nothing(told: list[Statement]) -> None:
    first = expired_of(told, NOW)
    assert all(one.expires_at is None or one.expires_at > NOW for one in first.remaining)
    assert all(not (one.value or one.content or one.evidence or one.said) for one in first.hollowed)
    again = expired_of(first.remaining, NOW)
    assert (again.deleted, again.hollowed, again.renewed) == ((), (), ())
    assert again.remaining == first.remaining


@given(expiring())
def test_what_had_not_expired_is_told_as_before(told: list[Statement]) -> None:
    remaining = {one.id: one for one in expired_of(told, NOW).remaining}
    for one in told:
        if one.expires_at is None or one.expires_at > NOW:
            assert replace(remaining[one.id], targets=one.targets) == one


def test_what_was_said_again_without_an_expiry_stays() -> None:
    temporary = replace(statement(Action.ASSERT, "부산", 1, None, 0), expires_at=EXPIRED)
    again = statement(Action.CONFIRM, "부산", 3, None, 1)
    expired = expired_of([temporary, again], NOW)
    assert [one.expires_at for one in expired.renewed] == [None]
    assert [belief.fact.value for belief in replay(expired.remaining) if belief.known_to is None] == ["부산"]


def test_what_a_temporary_fact_had_closed_does_not_come_back() -> None:
    busan = statement(Action.ASSERT, "부산", 1, None, 0)
    hotel = replace(statement(Action.ASSERT, "서울", 5, None, 1), expires_at=EXPIRED)
    expired = expired_of([busan, hotel], NOW)
    assert [one.action for one in expired.hollowed] == [Action.END]
    assert [(i.opening.value, i.valid_to) for i in timeline(expired.remaining)] == [("부산", day(5))]


def _lasts(statements: tuple[Statement, ...]) -> object:
    expiries = [one.expires_at for one in statements]
    return EXPIRED if all(expiry == EXPIRED for expiry in expiries) else None

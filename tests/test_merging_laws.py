"""The laws of merging, whatever was told of the sources: the term covers theirs, and undoing leaves no trace but a record."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid5

from hypothesis import given
from hypothesis import strategies as st
from statements import DAY_ZERO, HORIZON, SLOT, day, statement

from perdure.alike import Group
from perdure.attributes import Cardinality
from perdure.facts import Action, Fact, Source, Statement
from perdure.merging import Canonical, merges_among, plan_merge, undo_plan
from perdure.projection import fact_of, replay
from perdure.scope import Scope
from perdure.slots import Stored
from perdure.timeline import timeline

ME = Scope(user="u1")
SENTENCES = ("에디터는 Neovim 쓰고 있어", "에디터는 Neovim 씁니다", "에디터는 Neovim 쓴다")
WORDED = "에디터는 Neovim 써요"
MERGED_AT, UNDONE_AT = (DAY_ZERO + timedelta(days=days) for days in (2000, 2001))
NOW = day(HORIZON + 1)


@st.composite
def notes(draw: st.DrawFn) -> list[Statement]:
    """What was told of three notes: each may have been said often, ended, and said again."""
    told: list[Statement] = []
    for sentence in SENTENCES[: draw(st.integers(2, 3))]:
        for _ in range(draw(st.integers(1, 4))):
            action = draw(st.sampled_from((Action.ASSERT, Action.CONFIRM, Action.END))) if told else Action.ASSERT
            value = "" if action is Action.END else sentence
            one = statement(action, value, draw(st.integers(0, HORIZON)), None, len(told))
            slot = uuid5(SLOT, sentence)
            told.append(
                replace(
                    one,
                    slot=slot,
                    attribute="",
                    cardinality=Cardinality.MANY,
                    content=value,
                    importance=draw(st.integers(1, 10)),
                    dated=draw(st.booleans()),
                )
            )
    return told


def by_slot(told: list[Statement]) -> dict[UUID, list[Statement]]:
    slots: dict[UUID, list[Statement]] = {}
    for one in told:
        slots.setdefault(one.slot, []).append(one)
    return slots


def believed(told: list[Statement]) -> list[Fact]:
    return [belief.fact for slot in by_slot(told).values() for belief in replay(slot) if belief.known_to is None]


def row(fact: Fact) -> Fact:
    return replace(fact, recorded_at=DAY_ZERO, version=0)


def everything(told: list[Statement]) -> list[Fact]:
    """All intervals, without what counts the writes."""
    found = [fact_of(one, version=0, recorded_at=DAY_ZERO) for slot in by_slot(told).values() for one in timeline(slot)]
    return sorted(found, key=lambda fact: (fact.slot, fact.valid_from))


@given(told=notes(), sentence=st.sampled_from(("", WORDED, SENTENCES[1])))
def test_a_merge_covers_its_sources_adds_up_and_is_undone_without_a_trace(told: list[Statement], sentence: str) -> None:
    live = [fact for fact in believed(told) if fact.holds_at(NOW)]
    if len(live) < 2:
        return
    group = Group(tuple(live), 1.0)
    canonical = Canonical.of(ME, group, sentence)
    plan, merging = plan_merge(group, canonical, Stored(tuple(told), tuple(believed(told)), {}), MERGED_AT)
    if merging.outcome == "left alone":
        assert plan.statements == () and merging.after is None
        return
    after = [*told, *plan.statements]
    (now,) = [fact for fact in believed(after) if fact.holds_at(NOW)]
    assert merging.after and row(now) == row(merging.after)
    assert now.corroboration == sum(fact.corroboration for fact in live)
    assert now.importance == max(fact.importance for fact in live)
    for number in range(HORIZON + 2):
        held = any(fact.holds_at(day(number)) for fact in live)
        assert not held or now.holds_at(day(number))
    stored = Stored(tuple(after), tuple(believed(after)), {})
    undoing, merge = undo_plan(ME, group.merge, Source(at=NOW, message="undo"), stored, UNDONE_AT)
    assert merge.undone and merges_among([*after, *undoing.statements]) == [merge]
    assert everything([*after, *undoing.statements]) == everything(told)
    again, _ = plan_merge(
        group,
        canonical,
        Stored((*after, *undoing.statements), tuple(believed(told)), {}),
        UNDONE_AT + timedelta(days=1),
    )
    assert again.statements == ()

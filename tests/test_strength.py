"""What is of use stays: the laws of strength, and of how long a kind is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from perdure.retention import FADED, Retention
from perdure.strength import HALF_LIVES, PERMANENT, Traits, falls_below, strength

START = datetime(2026, 1, 1, tzinfo=UTC)
TRAITS = st.builds(
    Traits,
    kind=st.sampled_from(sorted({*HALF_LIVES, *PERMANENT, "unheard_of"})),
    importance=st.integers(1, 10),
    uses=st.integers(0, 50),
    corroboration=st.integers(1, 20),
    since=st.just(START),
    lasting=st.booleans(),
)
DAYS = st.floats(0, 5000)


def after(days: float) -> datetime:
    return START + timedelta(days=days)


@given(TRAITS, DAYS, DAYS)
def test_strength_is_a_share_and_falls_with_age(traits: Traits, days: float, more: float) -> None:
    younger, older = strength(traits, after(days)), strength(traits, after(days + more))
    assert 0 <= older <= younger <= 1
    assert strength(traits, after(-days)) == 1


@given(TRAITS, DAYS, st.sampled_from(["uses", "corroboration", "importance"]), st.integers(1, 5))
def test_use_repetition_and_importance_make_it_stronger(traits: Traits, days: float, what: str, more: int) -> None:
    stronger = replace(traits, **{what: getattr(traits, what) + more})
    assert strength(stronger, after(days)) >= strength(traits, after(days))


@given(TRAITS, DAYS)
def test_nothing_permanent_fades(traits: Traits, days: float) -> None:
    if traits.is_permanent:
        anything_fades = Retention.model_validate(dict.fromkeys(Retention.model_fields, 1))
        assert strength(traits, after(days)) == 1
        assert anything_fades.fades_at(traits) is None


@given(TRAITS, st.floats(0.01, 0.99))
def test_it_falls_below_a_strength_when_it_is_said_to(traits: Traits, least: float) -> None:
    moment = falls_below(traits, least)
    if moment is not None:
        assert strength(traits, moment) == pytest.approx(least, rel=1e-6)


def test_a_half_life_is_one() -> None:
    exchange = Traits("exchange", 5, 0, 1, START)
    assert strength(exchange, after(90)) == pytest.approx(0.5)
    assert strength(replace(exchange, uses=1), after(180)) == pytest.approx(0.5)


@given(TRAITS, st.integers(1, 3000))
def test_what_has_faded_is_weak_and_older_than_its_retention(traits: Traits, days: int) -> None:
    retention = Retention.model_validate({"exchange": days, "fact": days, "tool_result": days})
    fades_at = retention.fades_at(traits)
    if fades_at is not None:
        assert fades_at >= after(days)
        assert traits.kind == "tool_result" or strength(traits, fades_at) <= FADED * 1.000001


def test_by_default_only_exchanges_and_results_of_tools_fade() -> None:
    assert Retention().fading_kinds == ["exchange", "tool_result"]
    assert Retention().fades_at(Traits("tool_result", 5, 40, 1, START)) == after(90)


@pytest.mark.parametrize("told", [{"exchange": 0}, {"exchange": "never"}, {"chitchat": 3}])
def test_a_retention_that_cannot_be_is_refused(told: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Retention.model_validate(told)

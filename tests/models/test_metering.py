"""What is read of a server's count, and which price a model has."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from pydantic import ValidationError

from perdure.calls import Tokens
from perdure.models.meter import tokens_in
from perdure.prices import Price, Prices
from perdure.settings import Settings

USAGE = {"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 5}}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"usage": USAGE}, Tokens(9, 5, 4)),
        ({"usage": USAGE, "data": [{"embedding": [0.1]}]}, Tokens(9, 5, 4)),
        ({"usage": {"prompt_tokens": 3, "total_tokens": 3}}, Tokens(3)),
        ({"usage": {"prompt_tokens": 3, "prompt_tokens_details": None}}, Tokens(3)),
        ({"usage": {"prompt_tokens": 3, "prompt_tokens_details": {"cached_tokens": 8}}}, Tokens(3, 3)),
        ({"usage": None}, None),
        ({"usage": {"prompt_tokens": "many"}}, None),
        ({"usage": {"prompt_tokens": -1}}, None),
        ({"content": '{"usage": {"prompt_tokens": 1000000}}'}, None),
        ({"content": '"usage": {"prompt_tokens": 1000000}', "usage": USAGE}, Tokens(9, 5, 4)),
        ({"usage": USAGE, "content": '\\"usage": {"prompt_tokens": 1000000}'}, Tokens(9, 5, 4)),
    ],
)
def test_the_count_is_the_servers_and_never_what_a_model_says(body: object, told: Tokens | None) -> None:
    assert tokens_in(json.dumps(body).encode()) == told
    assert tokens_in(json.dumps(body, ensure_ascii=False, indent=1).encode()) == told


@pytest.mark.parametrize("body", [b"", b'"usage": {', b'{"usage": {"prompt_tokens": 3', b'"usage": {"\xff": 1}'])
def test_half_a_count_is_none(body: bytes) -> None:
    assert tokens_in(body) is None


def test_the_last_count_of_a_stream_counts() -> None:
    events = [{"usage": {"prompt_tokens": 9, "completion_tokens": said}} for said in (1, 2, 3)]
    assert tokens_in("\n".join(f"data: {json.dumps(event)}" for event in events).encode()) == Tokens(9, 0, 3)


NAMES = ["gpt-x", "gpt-x-mini", "claude-z", "host/claude-z"]
PRICES = Prices({name: Price(input=Decimal(number)) for number, name in enumerate(NAMES, 1)})


@pytest.mark.parametrize(
    ("model", "priced"),
    [
        ("gpt-x", "gpt-x"),
        ("gpt-x-2026-01-31", "gpt-x"),
        ("gpt-x-0613", "gpt-x"),
        ("gpt-x-20260131", "gpt-x"),
        ("gpt-x-latest", "gpt-x"),
        ("gpt-x/1536", "gpt-x"),
        ("gpt-x:fast", "gpt-x"),
        ("gpt-x-mini-2026-01-31", "gpt-x-mini"),
        ("provider/gpt-x-2026-01-31", "gpt-x"),
        ("host/claude-z", "host/claude-z"),
        ("other/claude-z", "claude-z"),
        ("gpt-x.1", None),
        ("gpt-x-32k", None),
        ("gpt-x-nano", None),
        ("gpt-xy", None),
        ("gpt", None),
        ("", None),
    ],
)
def test_a_model_has_the_price_of_the_longest_name_that_is_its_own(model: str, priced: str | None) -> None:
    assert PRICES.of(model) == (PRICES.by_model[priced] if priced else None)


def test_what_costs_nothing_needs_no_price_and_what_is_not_told_has_none() -> None:
    assert PRICES.cost("nobody knows", Tokens()) == 0
    assert PRICES.cost("nobody knows", Tokens(1)) is None
    assert PRICES.cost("gpt-x", None) is None
    price = Price(input=Decimal("0.4"), cached_input=Decimal("0.1"), output=Decimal("1.6"))
    assert price.of(Tokens(1_000_000, 250_000, 500_000)) == Decimal("1.125")


def test_prices_are_told_as_json_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERDURE_PRICES", '{"gpt-x": {"input": 0.4, "output": 1.6}}')
    monkeypatch.setenv("PERDURE_DAILY_BUDGET", "0.25")
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    assert settings.prices["gpt-x"] == Price(input=Decimal("0.4"), output=Decimal("1.6"))
    assert settings.budget.price == Decimal("0.25") and not Settings.model_fields["daily_budget"].default


@pytest.mark.parametrize("wrong", ["gpt-x=4", '{"gpt-x": 4}', '{"gpt-x": {"input": -1}}', '{"gpt-x": {"in": 1}}', "[]"])
def test_prices_that_cannot_be_read_are_refused(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERDURE_PRICES", wrong)
    with pytest.raises(ValidationError, match="prices"):
        Settings(_env_file=None)  # type: ignore[call-arg]

"""`perdure costs`: the table, and its prices where they are known, in part, or not."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from scripted_openai import ScriptedOpenAI
from typer.testing import CliRunner

from perdure.calls import Counts
from perdure.cli.commands import app
from perdure.cli.costs import price_shown
from perdure.costs import Cost


@pytest.mark.parametrize(
    ("counts", "shown"),
    [
        (Counts(calls=2, price=Decimal("0.0123")), "0.012300"),
        (Counts(calls=2), "0.000000"),
        (Counts(calls=2, unpriced=2), "—"),
        (Counts(calls=2, unpriced=1, price=Decimal("0.5")), "> 0.500000"),
    ],
)
def test_what_is_unknown_is_never_shown_as_nothing(counts: Counts, shown: str) -> None:
    assert price_shown(Cost("reply", counts)) == shown


def test_the_costs_of_a_turn(
    local_database: str, openai_server: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "DATABASE_URL": local_database,
        "OPENAI_BASE_URL": openai_server.url,
        "PERDURE_PRICES": '{"gpt-4.1-mini": {"input": 2, "output": 8}}',
    }.items():
        monkeypatch.setenv(name, value)

    def perdure(*typed: str) -> str:
        ran = CliRunner().invoke(app, [*typed, "--user", "u1"])
        assert ran.exit_code == 0, ran.output
        return ran.stdout

    perdure("ask", "I live in Seoul.", "--thread", "t")
    header, *rows = [line.split() for line in perdure("costs").splitlines()]
    assert header[:2] == ["purpose", "calls"] and header[-1] == "known"
    told = {row[0]: dict(zip(header[1:], row[1:], strict=False)) for row in rows}
    assert list(told) == ["embed", "extract", "reply", "total"]
    bill = next(bill for bill in openai_server.bills if bill.request.purpose == "reply")
    assert (int(told["reply"]["input"]), int(told["reply"]["output"])) == (bill.input, bill.output)
    assert float(told["reply"]["USD"]) == (2 * bill.input + 8 * bill.output) / 1_000_000
    assert json.loads(perdure("costs", "--since", "tomorrow", "--json"))["costs"] == []

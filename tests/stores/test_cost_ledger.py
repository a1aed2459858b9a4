"""What is counted is saved once, whatever happens between."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from clock import SetClock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stored import Store

from perdure import ledger as ledgers
from perdure.budget import Budget
from perdure.calls import Call, Counts, Tokens
from perdure.errors import DatabaseUnavailable
from perdure.ledger import CostLedger
from perdure.prices import Price, Prices
from perdure.scope import Scope
from perdure.spending import Account, account, charge, on_purpose, spending
from perdure.stores.costs import CostLine, PostgresCostStore
from perdure.stores.pool import Pool, open_pool

Run = Callable[[Any], Any]
PRICES = Prices({"m": Price.model_validate({"input": "0.1", "cached_input": "0.03", "output": 3})})


def ledger_over(pool: Pool) -> CostLedger:
    return CostLedger(PostgresCostStore(pool), PRICES, Budget(), SetClock())


@pytest.fixture
async def pool(database: str) -> AsyncIterator[Pool]:
    async with open_pool(database) as pool:
        yield pool


async def saved(pool: Pool, scope: Scope) -> Counts:
    return reduce(add, (counts for _, counts in await PostgresCostStore(pool).read(scope, "purpose", None)), Counts())


tokens = st.builds(lambda i, c, o: Tokens(i, min(i, c), o), *[st.integers(0, 10**6)] * 3)
calls = st.builds(
    Call,
    st.sampled_from(["reply", "extract"]),
    st.sampled_from(["m", "unknown"]),
    st.none() | tokens,
    failed=st.booleans(),
    seconds=st.floats(0, 100),
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(calls, st.sampled_from(["count", "flush", "send twice"])), max_size=12))
def test_what_is_saved_is_the_sum_of_the_calls(store: Store, run: Run, told: list[tuple[Call, str]]) -> None:
    me = Scope(user=uuid4().hex)

    async def save() -> Counts:
        ledger, costs = ledger_over(store.pool), PostgresCostStore(store.pool)
        for call, then in told:
            with spending(ledger, me, "t"):
                charge(call)
            if then == "flush":
                await ledger.flush()
            elif then == "send twice":  # as when the answer to the first is lost
                line = CostLine(me, "t", SetClock().now().date(), call.purpose, call.model)
                extra, batch = Counts.of(call, PRICES.cost(call.model, call.tokens)), uuid4()
                for _ in range(2):
                    await costs.add({line: extra}, batch)
        await ledger.flush()
        return await saved(store.pool, me)

    twice = [call for call, then in told if then == "send twice"]
    every = [Counts.of(call, PRICES.cost(call.model, call.tokens)) for call in (*(call for call, _ in told), *twice)]
    assert run(save()) == reduce(add, every, Counts())


async def test_what_a_broken_connection_did_not_save_is_saved_later(pool: Pool, database: str) -> None:
    ledger, me = ledger_over(pool), Scope(user="u1")
    with spending(ledger, me):
        charge(Call("reply", "m", Tokens(1_000_000)))
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as admin:
        await admin.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )
    with pytest.raises(DatabaseUnavailable):
        await ledger.flush()
    assert (await ledger.spent(me)).tokens == 1_000_000
    with spending(ledger, me):
        charge(Call("reply", "m", Tokens(1)))
    await ledger.flush()
    assert await saved(pool, me) == Counts(
        calls=2, input_tokens=1_000_001, price=PRICES.by_model["m"].of(Tokens(1_000_001))
    )


async def test_an_application_that_ends_does_not_wait_for_ever_and_says_what_is_lost(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(ledgers, "LAST_SECONDS", 0.2)
    async with open_pool(database) as pool:
        ledger = ledger_over(pool)
    async with ledger.kept():
        with spending(ledger, Scope(user="u1")):
            charge(Call("reply", "m"))
    assert "1 model calls could not be saved" in caplog.text


async def test_a_long_outage_costs_the_names_of_threads_and_no_count(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledgers, "MOST_LINES", 3)
    ledger, me = ledger_over(pool), Scope(user="u1")
    for number in range(9):
        with spending(ledger, me, f"t{number}"):
            charge(Call("reply", "m"))
    await ledger.flush()
    found = {name: counts.calls for name, counts in await PostgresCostStore(pool).read(me, "thread", None)}
    assert found == {"t0": 1, "t1": 1, "t2": 1, "": 6}


async def test_names_that_a_database_does_not_take_keep_out_no_others(pool: Pool) -> None:
    ledger, me = ledger_over(pool), Scope(user="u1" * 100, tenant="한" * 200, agent="국" * 200)
    for name in ("nul\x00", "half\ud800", "한국" * 5_000):
        with spending(ledger, me, name):
            charge(Call("reply", name))
    await ledger.flush()
    assert (await saved(pool, me)).calls == 3


def test_an_inner_account_of_the_same_user_goes_on_with_thread_and_purpose() -> None:
    ledger = ledgers.CostLedger(None, PRICES, Budget(), SetClock())  # type: ignore[arg-type]  # nothing is saved
    me, coach, other = Scope(user="u1"), Scope(user="u1", agent="coach"), Scope(user="u2")
    with spending(ledger, me, "t"), on_purpose("lesson"):
        with spending(ledger, coach):
            assert account() == Account(ledger, coach, "t", "lesson")
        with spending(ledger, other):
            assert account() == Account(ledger, other)
        assert account() == Account(ledger, me, "t", "lesson")
    assert account() is None
    with on_purpose("lesson"):
        charge(Call("reply", "m"))
        assert account() is None


def test_the_slowest_call_of_many_is_not_their_sum() -> None:
    one = Counts.of(Call("reply", "m", seconds=2), None)
    assert (one + replace(one, slowest_ms=1)).slowest_ms == 2000
    assert (one + one).latency_ms == 4000

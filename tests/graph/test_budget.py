"""A user's budget of the day: nothing is extracted when little is left, and no turn is begun when nothing is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any

import pytest
from clock import SetClock
from langchain_core.messages import HumanMessage
from openai_script import Request
from scripted_openai import Say, ScriptedOpenAI
from test_costs import PRICES, asked_about, moved

from perdure import Context, Memory, Settings, open_memory
from perdure.calls import Call, Tokens
from perdure.cli.model_checks import budget_checks
from perdure.errors import BudgetExceeded
from perdure.scope import Scope
from perdure.spending import charge, spending

ME = Scope(user="u1")


def extraction(request: Request) -> Say:
    return Say(moved(asked_about(request).removeprefix("I moved to ").removesuffix(".")))


@pytest.fixture
async def memory(scripted_settings: Settings, openai_server: ScriptedOpenAI, clock: SetClock) -> AsyncIterator[Memory]:
    """Of 10,000 tokens a day, which other calls than those of the turns have used up in part."""
    openai_server.always("extract", extraction)
    async with open_memory(scripted_settings.model_copy(update={"daily_tokens": 10_000}), clock=clock) as memory:
        yield memory


async def use(memory: Memory, tokens: int) -> None:
    """So many tokens are used up."""
    ledger = memory.costs.ledger
    with spending(ledger, ME):
        charge(Call("reply", "talker", Tokens(tokens - (await ledger.spent(ME)).tokens)))


async def test_with_little_left_the_exchange_is_kept_and_extracted_on_another_day(
    memory: Memory, openai_server: ScriptedOpenAI, clock: SetClock
) -> None:
    await use(memory, 8_000)
    answer = await memory.ask("I moved to Seoul.", thread="t", user="u1")
    assert answer.text and answer.written == [] and openai_server.asked("extract") == []
    assert answer.gate["remember"] and "of 10000 tokens" in answer.gate["why"] == answer.unextracted
    assert (await memory.backfill(user="u1")).failed == 1 and openai_server.asked("extract") == []
    clock.forward(days=1)
    assert (await memory.backfill(user="u1")).written == 1
    spent = {cost.name: cost.counts.texts for cost in (await memory.costs.of(by="thread", user="u1")).costs}
    assert spent.keys() == {"", "t"} and spent[""] == 0, "the turn that is made up for pays, and is on thread t"
    assert [fact.value for fact in await memory.facts.facts(ME)] == ["Seoul"]


async def test_with_nothing_left_a_turn_is_refused_before_anything_is_asked_or_kept(
    memory: Memory, openai_server: ScriptedOpenAI, clock: SetClock
) -> None:
    await memory.ask("I moved to Seoul.", thread="t", user="u1")
    await use(memory, 10_000)
    before, (thread,) = len(openai_server.requests), await memory.threads(user="u1")
    for name in ("t", "new"):
        with pytest.raises(BudgetExceeded, match=r"10000 of 10000 tokens.*free again at 2026-12-01T00:00Z"):
            await memory.ask("I moved to Busan.", thread=name, user="u1")
    assert len(openai_server.requests) == before and await memory.threads(user="u1") == [thread]
    assert (await memory.ask("I moved to Oslo.", thread="t", user="u2")).written, "another user has a budget of its own"
    clock.forward(days=1)
    answer = await memory.ask("I moved to Rome.", thread="t", user="u1")
    assert [receipt["after"]["value"] for receipt in answer.written] == ["Rome"]
    assert "Busan" not in str(openai_server.asked("reply")[-1].body)


async def test_a_graph_that_a_host_runs_itself_refuses_too(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    await use(memory, 10_000)
    before = len(openai_server.requests)
    with pytest.raises(BudgetExceeded):
        await memory.builder.compile().ainvoke(
            {"messages": [HumanMessage("I moved to Busan.")]}, context=Context(user="u1")
        )
    assert len(openai_server.requests) == before


async def test_a_budget_in_usd_counts_what_is_not_saved_yet_and_what_other_processes_saved(
    scripted_settings: Settings, openai_server: ScriptedOpenAI, clock: SetClock
) -> None:
    prices = {"scripted-embedding": PRICES["scripted-embedding"]}
    priced = scripted_settings.model_copy(update={"prices": prices, "daily_budget": Decimal("0.0001")})
    async with open_memory(priced, clock=clock) as one, open_memory(priced, clock=clock) as other:
        await one.recall("word " * 2_500, user="u1")
        await one.costs.ledger.flush()
        await other.recall("word " * 2_499, user="u1")
        await other.costs.ledger.admit(ME)
        await other.recall("word", user="u1")
        for _ in range(2):
            with pytest.raises(BudgetExceeded, match=r"0\.0001 of 0\.0001 USD"):
                await other.costs.ledger.admit(ME)
            await other.costs.ledger.flush()
        with pytest.raises(BudgetExceeded):
            await one.costs.ledger.admit(ME)


def test_a_checkup_tells_which_models_have_no_price_when_a_budget_needs_it() -> None:
    given: dict[str, Any] = {
        "_env_file": None,
        "openai_base_url": "http://nowhere",
        "reply_model": "talker",
        "extract_model": "new",
    }
    assert list(budget_checks(Settings(**given))) == []
    (check,) = budget_checks(Settings(**given, prices=PRICES, daily_budget=Decimal(1)))
    assert check.state == "warn" and "no price is set for new," in check.found
    (check,) = budget_checks(Settings(**given, daily_tokens=5))
    assert (check.state, check.found) == ("ok", "5 tokens per user and day")


async def test_with_little_left_the_upkeep_and_the_consolidation_ask_no_model(
    memory: Memory, openai_server: ScriptedOpenAI, clock: SetClock
) -> None:
    """What they would tell in a model's words is told by rules, as without a model."""
    await memory.ask("I moved to Seoul.", thread="t", user="u1")
    for content in ("I sing in Seongsu-dong these days", "These days I sing in Seongsu-dong"):
        await memory.remember(content, user="u1")
    for way in ("blue-green", "all at once", "one by one"):
        await memory.episodes.log("Deploy the billing service", approach=way, outcome="fine", quality=1.0, user="u1")
    await use(memory, 10_000)
    asked = [request for request in openai_server.requests if request not in openai_server.asked("embed")]
    clock.forward(minutes=31)
    await memory.maintenance.run(only=["sessions", "lessons"])
    assert (await memory.consolidation.run(user="u1", similarity=0.01)).merged == 1
    told = [*await memory.sessions.latest(user="u1"), *await memory.lessons.latest(user="u1")]
    assert [one.details["by"] for one in told] == ["rules", "rules"]
    assert [request for request in openai_server.requests if request not in openai_server.asked("embed")] == asked

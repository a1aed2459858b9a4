"""What the ledger says was spent is what the server says that it bills, to the token."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from decimal import Decimal
from typing import Any

import pytest
from clock import SetClock
from openai_script import Answer, Bill, Request
from scripted_openai import EMPTY_CHOICES, MALFORMED, Drop, Fail, Say, ScriptedOpenAI

from perdure import Context, Memory, Settings, open_memory
from perdure.calls import Counts
from perdure.costs import Cost, CostReport
from perdure.errors import ModelUnavailable
from perdure.ledger import CostLedger
from perdure.prices import Price
from perdure.stores.costs import By

PRICES = {
    "talker": Price(input=Decimal(2), cached_input=Decimal("0.5"), output=Decimal(8)),
    "reader": Price(input=Decimal("0.4"), output=Decimal("1.6")),
    "summariser": Price(input=Decimal("0.1"), output=Decimal("0.4")),
    "scripted-embedding": Price(input=Decimal("0.02")),
}
CITIES = ("Seoul", "Busan", "Oslo", "Lima", "Rome", "Cairo", "Quito", "Kyoto")
LONG = " It rained all day, and then it rained some more, as it does here at this time of the year." * 9
Billed = tuple[int, int, int]
"""Tokens of input, of cached input and of output."""


@pytest.fixture
async def memory(scripted_settings: Settings, clock: SetClock) -> AsyncIterator[Memory]:
    models = {"reply_model": "talker", "extract_model": "reader", "summary_model": "summariser", "model_retries": 1}
    async with open_memory(scripted_settings.model_copy(update={**models, "prices": PRICES}), clock=clock) as memory:
        yield memory


def moved(city: str) -> str:
    said = f"I moved to {city}."
    operation = {"action": "assert", "attribute": "home.city", "value": city, "content": said, "evidence": said}
    return json.dumps({"operations": [operation]})


def asked_about(request: Request) -> str:
    return str(json.loads(request.body["messages"][1]["content"])["user_said"])


def billed(bills: Iterable[Bill]) -> Billed:
    told = list(bills)
    return sum(b.input for b in told), sum(b.cached for b in told), sum(b.output for b in told)


def counted(*costs: Cost) -> Billed:
    counts = [cost.counts for cost in costs]
    return (
        sum(one.input_tokens for one in counts),
        sum(one.cached_input_tokens for one in counts),
        sum(one.output_tokens for one in counts),
    )


async def report(memory: Memory, by: By, user: str = "u1") -> dict[str, Cost]:
    return {cost.name: cost for cost in (await memory.costs.of(by=by, user=user)).costs}


async def converse(memory: Memory, server: ScriptedOpenAI) -> dict[str, list[Bill]]:
    """A conversation in which everything goes wrong that may; what the server billed, by thread."""
    context, bills = Context(user="u1", history_tokens=200), dict[str, list[Bill]]()

    async def said(text: str, thread: str) -> None:
        before = len(server.bills)
        try:
            await memory.ask(text, thread=thread, context=context)
        except ModelUnavailable:
            await memory.resume(thread, context=context)
        bills.setdefault(thread, []).extend(server.bills[before:])

    server.script("extract", Fail(400), moved("Seoul"))  # refused as a schema, asked for as a tool
    await said("I moved to Seoul.", "a")
    server.script("extract", "no JSON", moved("Busan"))
    await said(f"I moved to Busan.{LONG}", "a")
    server.script("reply", Fail(500), Say("in a while", cached=7))
    server.script("extract", "nor this", "nor that")
    await said(f"I moved to Oslo.{LONG}", "b")
    server.script("reply", Drop())
    server.script("summarise", Fail(401))
    server.script("extract", Say(moved("Lima"), finish="length"), moved("Lima"))
    await said(f"I moved to Lima.{LONG}", "b")
    server.script("summarise", "It rained.")
    server.script("extract", MALFORMED, EMPTY_CHOICES)
    await said(f"I moved to Rome.{LONG}", "a")
    await said("I moved to Cairo.", "d")
    await said("Where do I live?", "c")
    await said("Where do I live?", "c")
    return bills


async def test_costs_agree_with_the_servers_own_count(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    by_thread = await converse(memory, openai_server)
    bills = openai_server.bills
    by_purpose = await report(memory, "purpose")
    assert by_purpose.keys() == {"reply", "extract", "repair", "summarise", "embed"}
    for purpose, costs in {
        "reply": [by_purpose["reply"]],
        "extract": [by_purpose["extract"], by_purpose["repair"]],
        "summarise": [by_purpose["summarise"]],
        "embed": [by_purpose["embed"]],
    }.items():
        assert counted(*costs) == billed(bill for bill in bills if bill.request.purpose == purpose), purpose
        assert sum(cost.counts.calls for cost in costs) == len(openai_server.asked(purpose)), purpose  # type: ignore[arg-type]
    told = await report(memory, "thread")
    assert {name: counted(cost) for name, cost in told.items()} == {
        name: billed(bills) for name, bills in by_thread.items()
    }
    models = await report(memory, "model")
    assert models.keys() == {"talker", "reader", "summariser", "scripted-embedding/64"}
    for name, cost in models.items():
        price = PRICES[name.partition("/")[0]]
        new = cost.counts.input_tokens - cost.counts.cached_input_tokens
        due = new * price.input + cost.counts.cached_input_tokens * (price.cached_input or price.input)
        assert cost.counts.price == (due + cost.counts.output_tokens * price.output) / 1_000_000
    assert by_purpose["reply"].counts.cached_input_tokens == 7
    # One reply failed at once, and one broke off: the server may bill that, and has not told.
    assert (by_purpose["reply"].counts.failed, by_purpose["reply"].counts.unpriced) == (2, 1)
    assert by_purpose["repair"].counts.calls == 3
    assert all(cost.counts.latency_ms >= cost.counts.slowest_ms >= 0 for cost in by_purpose.values())


async def test_two_threads_and_many_users_at_once_are_told_apart(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    def extraction(request: Request) -> Answer:
        return Say(moved(asked_about(request).removeprefix("I moved to ").partition(".")[0]))

    openai_server.always("extract", extraction)
    openai_server.always("reply", lambda request: Say("so " * len(request.body["messages"]), delay=0.001))

    async def talk(user: str, thread: str) -> None:
        for city in CITIES[:3]:  # nothing is recalled: what one thread said would stand in the prompts of the other
            context = Context(user=user, recall_k=0)
            await memory.ask(f"I moved to {city}. [{user}-{thread}]", thread=thread, context=context)

    places = [(user, thread) for user in ("u1", "u2", "u3") for thread in ("a", "b")]
    await asyncio.gather(*(talk(*place) for place in places))
    for user, thread in places:
        own = [bill for bill in openai_server.bills if f"[{user}-{thread}]" in str(bill.request.body)]
        assert len(own) == 9
        assert counted((await report(memory, "thread", user))[thread]) == billed(own)
    users = await report(memory, "user")
    assert sum(cost.counts.calls for cost in users.values()) == len(openai_server.bills)
    assert counted(*users.values()) == billed(openai_server.bills)


async def test_vectors_that_were_known_already_are_told(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    await memory.remember("I live in Seoul.", user="u1")
    for _ in range(3):
        await memory.recall("Where do I live?", user="u1")
    await memory.remember("I live in Seoul.", user="u1")
    (embed,) = (await memory.costs.of(user="u1")).costs
    assert (embed.counts.texts, embed.counts.cached_texts) == (5, 3)
    assert embed.counts.calls == len(openai_server.asked("embed")) == 2
    assert embed.cache_hit_rate == 0.6


async def test_a_local_model_costs_nothing_and_its_texts_are_counted(memory: Memory, local_database: str) -> None:
    settings = Settings(database_url=local_database)  # type: ignore[arg-type]  # pydantic makes a secret of it
    async with open_memory(settings) as local:
        await local.ask("I live in Seoul.", thread="t", user="u1")
        (embed,) = (await local.costs.of(by="purpose", user="u1")).costs
    assert embed.name == "embed" and embed.price == 0 and embed.counts.unpriced == 0
    assert embed.counts.calls >= 2 and embed.counts.texts >= 2 and embed.counts.slowest_ms > 0


async def test_a_price_that_nobody_knows_is_not_0(scripted_settings: Settings) -> None:
    async with open_memory(
        scripted_settings.model_copy(update={"prices": {"gpt-4.1-mini": PRICES["talker"]}})
    ) as memory:
        await memory.ask("Hello, it is me.", thread="t", user="u1")
        found = await report(memory, "purpose")
        assert found["reply"].price and found["extract"].price and found["embed"].price is None
        total = (await memory.costs.of(user="u1")).total
    assert total.to_json()["unpriced_calls"] == found["embed"].counts.unpriced == found["embed"].counts.calls > 0
    assert total.counts.price == found["reply"].counts.price + found["extract"].counts.price


async def test_days_are_those_of_utc_and_older_ones_can_be_left_out(memory: Memory, clock: SetClock) -> None:
    await memory.recall("one", user="u1")
    today = clock.forward(hours=15).date()
    await memory.recall("two", user="u1")
    await memory.recall("three", context=Context(user="u1", agent="coach"))
    found = await memory.costs.of(by="day", user="u1")
    assert [(cost.name, cost.counts.texts) for cost in found.costs] == [("2026-11-30", 1), (today.isoformat(), 2)]
    assert (await memory.costs.of(by="day", user="u1", since=today)).total.counts.texts == 2
    assert (await memory.costs.of(context=Context(user="u1", agent="coach"))).total.counts.texts == 1
    assert (await memory.costs.of(user="u1", by="day")).to_json()["costs"][0]["name"] == "2026-11-30"


async def test_what_was_counted_is_there_when_the_memory_is_opened_again(scripted_settings: Settings) -> None:
    async with open_memory(scripted_settings) as memory:
        await memory.ask("Hello, it is me.", thread="t", user="u1")
    async with open_memory(scripted_settings) as memory:
        assert Counter({name: cost.counts.calls for name, cost in (await report(memory, "purpose")).items()}) == {
            "reply": 1,
            "extract": 1,
            "embed": 2,
        }


async def test_what_is_counted_is_saved_while_the_memory_is_open(
    scripted_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("perdure.ledger.INTERVAL", 0.02)
    async with open_memory(scripted_settings) as memory:
        await memory.recall("Where do I live?", user="u1")
        saved, tries = list[tuple[str, Counts]](), 1_000
        while not saved and (tries := tries - 1):
            await asyncio.sleep(0.02)
            saved = await memory.costs.store.read(Context(user="u1").scope, "purpose", None)
    assert [name for name, _ in saved] == ["embed"]


async def test_erasing_a_user_erases_the_costs_also_those_not_saved_yet(memory: Memory) -> None:
    for user in ("u1", "u2"):
        await memory.ask(f"I moved to Seoul, says {user}.", thread="t", user=user)
    await memory.costs.ledger.flush()
    await memory.recall("Where do I live?", user="u1")
    assert (await memory.erase(user="u1")).counts["costs"] == 3
    empty: CostReport = await memory.costs.of(user="u1")
    assert empty.costs == () and empty.total.price == 0
    assert (await memory.costs.of(user="u2")).total.counts.calls == 4


async def test_a_call_of_nobody_is_on_no_account(memory: Memory, openai_server: ScriptedOpenAI) -> None:
    ledger: CostLedger = memory.costs.ledger
    await memory.layer.embeddings.embedder.embed_query("nobody asks")  # type: ignore[attr-defined]
    assert openai_server.bills and not (await memory.costs.of(by="user")).costs
    assert (await ledger.spent(Context().scope)).tokens == 0


def as_json(report: CostReport) -> Any:
    return json.loads(json.dumps(report.to_json()))


async def test_a_report_is_plain_json(memory: Memory) -> None:
    await memory.ask("Hello, it is me.", thread="t", user="u1")
    told = as_json(await memory.costs.of(by="model", user="u1"))
    assert told["by"] == "model" and told["since"] is None
    assert told["total"]["price_usd"] == pytest.approx(sum(cost["price_usd"] for cost in told["costs"]))

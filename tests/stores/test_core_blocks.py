"""Core memory in PostgreSQL: its versions, edits within a write, and whose block is seen by whom."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stored import Store, store_over
from vectors import vectors

from perdure.core import BUILT_IN, Block
from perdure.core_memory import CoreMemory
from perdure.errors import InvalidEdit, NotFound
from perdure.facts import Action, Operation, Receipt, Source, content_of
from perdure.graph.context import Context
from perdure.recall import Query
from perdure.scope import Scope
from perdure.stores.core_blocks import PostgresCoreStore
from perdure.stores.pool import open_pool

ADA, COACH = Scope(user="ada", tenant="acme"), Scope(user="ada", tenant="acme", agent="coach")
STRANGERS = [
    Scope(user="bob", tenant="acme"),
    Scope(user="ada", tenant="globex"),
    Scope(user="ada", tenant="acme", agent="chef"),
]
USERS = count()
CITY = Operation(attribute="home.city", value="부산")


def append(text: str, label: str = "persona") -> Operation:
    return Operation(action=Action.CORE_APPEND, attribute=label, content=text)


def swap(old: str, new: str, label: str = "persona") -> Operation:
    return Operation(action=Action.CORE_REPLACE, attribute=label, value=old, content=new)


async def edit(
    store: Store, scope: Scope, *edits: Operation, message: str = "m", facts: Sequence[Operation] = ()
) -> list[Receipt]:
    source = Source(at=store.clock.now(), thread="t", message=message)
    return await store.facts.apply(scope, facts, source, vectors(map(content_of, facts)), edits=edits)


def context_of(scope: Scope) -> Context:
    return Context(user=scope.user, tenant=scope.tenant, agent=scope.agent)


def core_over(store: Store) -> CoreMemory:
    return CoreMemory(PostgresCoreStore(store.pool, store.clock))


async def content(store: Store, scope: Scope, label: str = "persona") -> str:
    return (await core_over(store).get(label, context=context_of(scope))).content


@pytest.fixture
async def one(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


async def test_an_edit_of_a_turn_makes_a_version_with_a_receipt(one: Store) -> None:
    fact, first, second = await edit(one, ADA, append("나는 파이"), swap("파이", "하늘"), facts=[CITY])
    assert (fact.action, fact.outcome) == (Action.ASSERT, "applied")
    assert [(r.action, r.outcome, r.attribute) for r in (first, second)] == [
        (Action.CORE_APPEND, "applied", "persona"),
        (Action.CORE_REPLACE, "applied", "persona"),
    ]
    assert second.why == "persona, version 2: 5 of 2000 characters"
    persona, *others = await core_over(one).blocks(context=context_of(ADA))
    assert (persona.content, persona.version, persona.author) == ("나는 하늘", 2, "user")
    assert others == list(BUILT_IN[1:])
    newest, oldest = await core_over(one).history("persona", context=context_of(ADA))
    assert (newest.edit, newest.action, newest.thread, newest.message) == (second.statement, "core_replace", "t", "m")
    assert (oldest.edit, oldest.action, oldest.block.content) == (first.statement, "core_append", "나는 파이")


async def test_a_retry_changes_nothing(one: Store) -> None:
    edits = [append("나는 파이"), swap("파이", "하늘"), append("나는 파이")]
    before = await edit(one, ADA, *edits)
    assert [receipt.outcome for receipt in before] == ["applied", "applied", "unchanged"]
    again = await edit(one, ADA, *edits)
    assert [receipt.outcome for receipt in again] == ["unchanged"] * 3
    assert [receipt.statement for receipt in again[:2]] == [receipt.statement for receipt in before[:2]]
    assert len(await core_over(one).history("persona", context=context_of(ADA))) == 2
    (later,) = await edit(one, ADA, append("나는 파이"), message="m2")
    assert later.outcome == "applied" and await content(one, ADA) == "나는 하늘\n나는 파이"


@pytest.mark.parametrize(
    ("operation", "told"),
    [
        (
            append("가" * 8_000),
            "would have 8008 characters, 6008 more than its limit of 2000: shorten it with core_mem",
        ),
        (append("x", "mood"), "there is no block 'mood': use one of persona, human, goals"),
        (swap("영어", "한국어"), "does not stand in the block 'persona': copy it exactly"),
        (swap("나", "너"), "stands 2 times in the block 'persona': copy more of what is around it"),
        (append("hunter2hunter2", "human"), "holds a password"),
    ],
    ids=["overflow", "label", "no match", "two matches", "credential in parts"],
)
async def test_an_edit_that_does_not_fit_is_dropped_and_costs_the_others_nothing(
    one: Store, operation: Operation, told: str
) -> None:
    await edit(one, ADA, append("나는 나다요하"), append("비밀번호는", "human"), message="m1")
    fact, dropped, kept = await edit(one, ADA, operation, append("좋은 하루", "goals"), facts=[CITY], message="m2")
    assert (fact.outcome, dropped.outcome, kept.outcome) == ("applied", "dropped", "applied")
    assert told in dropped.why and dropped.statement is None
    assert (await content(one, ADA), await content(one, ADA, "human")) == ("나는 나다요하", "비밀번호는")
    assert len(await one.facts.facts(ADA)) == 1


async def test_to_replace_a_text_by_itself_is_no_change(one: Store) -> None:
    await edit(one, ADA, append("나는 파이"))
    (receipt,) = await edit(one, ADA, swap("파이", "파이"), message="m2")
    assert (receipt.outcome, receipt.why) == ("unchanged", "persona, version 1: 5 of 2000 characters, says so already")
    assert len(await core_over(one).history("persona", context=context_of(ADA))) == 1


async def test_writers_in_two_pools_lose_nothing_of_each_others(database: str) -> None:
    lines = [f"줄 {number:02}" for number in range(30)]
    async with open_pool(database, size=3) as left, open_pool(database, size=3) as right:
        stores = [store_over(left), store_over(right)]
        by_turns = [edit(stores[n % 2], ADA, append(line), message=line) for n, line in enumerate(lines[:20])]
        cores = [core_over(store) for store in stores]
        by_hand = [cores[n % 2].append("persona", line, context=context_of(ADA)) for n, line in enumerate(lines[20:])]
        await asyncio.gather(*by_turns, *by_hand)
        assert sorted((await content(stores[0], ADA)).split("\n")) == lines
        versions = await cores[1].history("persona", context=context_of(ADA))
    assert [version.block.version for version in versions] == list(range(30, 0, -1))
    moments = [version.block.recorded_at for version in versions]
    assert moments == sorted(set(moments), key=str, reverse=True)


async def test_an_agents_own_block_goes_before_the_shared_one_and_begins_as_a_copy_of_it(one: Store) -> None:
    core, shared, coach = core_over(one), context_of(ADA), context_of(COACH)
    await core.set("persona", "나는 파이", limit=100, description="누구인지", context=shared)
    (receipt,) = await edit(one, COACH, append("반말을 쓴다"))
    assert receipt.why == "persona, version 2: 12 of 100 characters"
    own = await core.get("persona", context=coach)
    assert (own.agent, own.content, own.description) == ("coach", "나는 파이\n반말을 쓴다", "누구인지")
    await core.append("persona", "존댓말을 쓴다", context=shared)
    assert await content(one, ADA) == "나는 파이\n존댓말을 쓴다"
    assert await content(one, COACH) == own.content
    seen = [(v.block.version, v.block.agent) for v in await core.history("persona", context=coach)]
    assert seen == [(2, "coach"), (1, "")]
    back = await core.restore("persona", 1, context=coach)
    assert (back.content, back.version, back.agent) == ("나는 파이", 3, "coach")
    assert await core.remove("persona", context=coach) == await core.get("persona", context=coach)
    assert (await content(one, COACH), await content(one, ADA)) == ("", "나는 파이\n존댓말을 쓴다")


@pytest.mark.parametrize("stranger", STRANGERS, ids=str)
async def test_a_stranger_sees_and_changes_nothing(one: Store, stranger: Scope) -> None:
    core, theirs = core_over(one), context_of(stranger)
    owner = COACH if stranger.agent else ADA
    await core.set("여행", "제주", context=context_of(owner))
    await edit(one, owner, append("나는 파이"))
    before = await core.blocks(context=context_of(owner))
    assert await core.blocks(context=theirs) == list(BUILT_IN)
    assert await core.history("persona", context=theirs) == []
    with pytest.raises(NotFound):
        await core.restore("persona", 1, context=theirs)
    with pytest.raises(InvalidEdit):
        await core.remove("여행", context=theirs)
    (dropped,) = await edit(one, stranger, append("부산", "여행"))
    assert dropped.outcome == "dropped"
    await core.set("persona", "다른 사람", context=theirs)
    assert await core.blocks(context=context_of(owner)) == before


async def test_a_turn_begins_with_the_blocks_as_they_were_known(one: Store) -> None:
    await edit(one, ADA, append("나는 파이"))
    then = one.clock.now()
    one.clock.forward(days=1)
    await core_over(one).set("여행", "제주", context=context_of(ADA))
    await edit(one, ADA, swap("파이", "하늘"), message="m2")
    now = (await one.recalls.open_turn(ADA, Query("x", k=0), ())).core
    assert [(block.label, block.content) for block in now] == [
        ("persona", "나는 하늘"), ("human", ""), ("goals", ""), ("여행", "제주")
    ]  # fmt: skip
    earlier = (await one.recalls.open_turn(ADA, Query("x", k=0, as_known_at=then), ())).core
    assert [block.content for block in earlier] == ["나는 파이", "", ""]


async def test_a_users_blocks_are_erased_with_the_user(one: Store) -> None:
    other = Scope(user="bob", tenant="acme")
    for scope in (ADA, COACH, other):
        await edit(one, scope, append("나는 파이"))
    assert (await one.facts.erase(ADA))["core_blocks"] == 2
    assert await core_over(one).blocks(context=context_of(COACH)) == list(BUILT_IN)
    assert await content(one, other) == "나는 파이"


@dataclass(frozen=True, slots=True)
class Step:
    """One change, by hand or by a turn, in the memory of an agent."""

    agent: str
    sort: str
    label: str
    text: str
    version: int

    async def make(self, store: Store, user: str) -> None:
        scope = Scope(user=user, agent=self.agent)
        core, context = core_over(store), context_of(scope)
        match self.sort:
            case "append":
                await edit(store, scope, append(self.text, self.label), message=str(store.clock.now()))
            case "swap":
                await edit(store, scope, swap(self.text, "다", self.label), message=str(store.clock.now()))
            case "set":
                await core.set(self.label, self.text, context=context)
            case "remove":
                await core.remove(self.label, context=context)
            case _:
                await core.restore(self.label, self.version, context=context)


STEPS = st.lists(
    st.builds(
        Step,
        st.sampled_from(["", "coach"]),
        st.sampled_from(["append", "swap", "set", "remove", "restore"]),
        st.sampled_from(["persona", "여행"]),
        st.sampled_from(["가", "나", "다"]),
        st.integers(1, 4),
    ),
    min_size=3,
    max_size=10,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
def test_what_was_known_at_any_moment_can_be_asked_for_and_every_change_is_one_version(
    store: Store, run: Callable[[Any], Any], steps: list[Step]
) -> None:
    run(_check_history(store, f"user {next(USERS)}", steps))


async def _check_history(store: Store, user: str, steps: list[Step]) -> None:
    core, contexts = core_over(store), [Context(user=user, agent=agent) for agent in ("", "coach", "chef")]
    seen: list[tuple[Any, list[list[Block]]]] = []
    for step in steps:
        store.clock.forward(seconds=1)
        try:
            await step.make(store, user)
        except (InvalidEdit, NotFound):
            assert seen == [] or [await core.blocks(context=one) for one in contexts] == seen[-1][1]
        seen.append((store.clock.now(), [await core.blocks(context=one) for one in contexts]))
    for moment, blocks in seen:
        assert [await core.blocks(context=one, as_known_at=moment) for one in contexts] == blocks
    for context in contexts:
        for block in await core.blocks(context=context):
            versions = await core.history(block.label, context=context)
            assert [version.block.version for version in versions] == list(range(block.version, 0, -1))
            assert not versions or versions[0].block == block


def test_the_clock_that_stands_still_orders_the_versions_all_the_same(store: Store, run: Callable[[Any], Any]) -> None:
    user = Scope(user=f"user {next(USERS)}")
    for text in ("가", "나", "다"):
        run(edit(store, user, append(text), message=text))
    moments = [v.block.recorded_at for v in run(core_over(store).history("persona", context=context_of(user)))]
    assert all(moments[n] > moments[n + 1] for n in range(2))

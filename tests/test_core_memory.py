"""Core memory by hand: `memory.core`, and what it refuses."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from clock import SetClock

from perdure import Context, Memory
from perdure.core import Block
from perdure.core_memory import CoreMemory
from perdure.errors import (
    CredentialRefused,
    InvalidEdit,
    InvalidInput,
    InvalidScope,
    InvalidText,
    InvalidTime,
    NotFound,
)
from perdure.stores.core_blocks import PostgresCoreStore
from perdure.stores.pool import open_pool

Call = Callable[[CoreMemory], Awaitable[object]]
ME = Context(user="ada", reviewer="민지")


@pytest.fixture
async def core(database: str, clock: SetClock) -> AsyncIterator[CoreMemory]:
    async with open_pool(database) as pool:
        yield CoreMemory(PostgresCoreStore(pool, clock))


async def test_a_block_is_made_written_and_removed_and_every_version_stays(core: CoreMemory, clock: SetClock) -> None:
    made = await core.set(" Travel ", "제주 3박", limit=50, description="여행 계획", context=ME)
    assert made == Block("travel", "제주 3박", 50, "여행 계획", 1, "", "민지", clock.now())
    clock.forward(hours=1)
    await core.append("travel", "항공권 예매", context=ME)
    await core.replace("travel", "3박", "4박", context=ME)
    then = clock.now()
    clock.forward(hours=1)
    assert await core.remove("travel", context=ME) is None
    assert "travel" not in {block.label for block in await core.blocks(context=ME)}
    assert (await core.get("travel", as_known_at=then, context=ME)).fill == "12/50"
    known = ME.model_copy(update={"as_known_at": then})
    assert (await core.get("travel", context=known)).content == "제주 3박\n항공권 예매"  # as it was at that moment
    back = await core.restore("travel", 3, context=ME)
    assert (back.content, back.limit, back.description, back.version) == ("제주 4박\n항공권 예매", 50, "여행 계획", 5)
    assert [(v.block.version, v.action, v.removed) for v in await core.history("travel", context=ME)] == [
        (5, "restore", False),
        (4, "remove", True),
        (3, "core_replace", False),
        (2, "core_append", False),
        (1, "set", False),
    ]


async def test_a_built_in_block_is_emptied_instead_of_removed(core: CoreMemory) -> None:
    built_in = await core.get("persona", user="ada")
    assert await core.remove("persona", user="ada") == built_in  # it was empty: nothing has changed
    await core.set("persona", "나는 파이", limit=10, user="ada")
    emptied = await core.remove("persona", user="ada")
    assert emptied and (emptied.content, emptied.limit, emptied.version) == ("", built_in.limit, 2)


async def test_what_changes_nothing_is_no_version(core: CoreMemory) -> None:
    first = await core.set("persona", "나는 파이", limit=100, user="ada")
    same = [
        await core.set("persona", " 나는 파이\n", user="ada"),
        await core.set("persona", limit=100, user="ada"),
        await core.replace("persona", "파이", "파이", user="ada"),
        await core.restore("persona", 1, user="ada"),
    ]
    assert same == [first] * 4 and len(await core.history("persona", user="ada")) == 1


async def test_a_limit_can_shrink_to_the_text_and_not_below(core: CoreMemory) -> None:
    await core.set("goals", "마라톤 완주", user="ada")
    assert (await core.set("goals", limit=6, user="ada")).fill == "6/6"
    with pytest.raises(InvalidEdit, match="6 characters, 1 more than its limit of 5: shorten the text, or give"):
        await core.set("goals", limit=5, user="ada")
    with pytest.raises(InvalidEdit, match="1 more than its limit of 6"):
        await core.set("goals", "마라톤 완주!", user="ada")
    assert (await core.set("goals", "", user="ada")).fill == "0/6"


@pytest.mark.parametrize(
    ("call", "error", "told"),
    [
        (lambda core: core.set("두 말", "x", context=ME), InvalidInput, "no label"),
        (lambda core: core.get("mood", context=ME), InvalidEdit, "use one of persona, human, goals"),
        (lambda core: core.append("mood", "x", context=ME), InvalidEdit, "there is no block 'mood'"),
        (lambda core: core.remove("mood", context=ME), InvalidEdit, "there is no block 'mood'"),
        (lambda core: core.history("mood", context=ME), InvalidEdit, "there is no block 'mood'"),
        (lambda core: core.restore("mood", 1, context=ME), InvalidEdit, "there is no block 'mood'"),
        (lambda core: core.restore("human", 7, context=ME), NotFound, "had no version 7"),
        (lambda core: core.append("human", " ", context=ME), InvalidText, "empty"),
        (lambda core: core.replace("human", "", "x", context=ME), InvalidText, "empty"),
        (lambda core: core.replace("human", "없다", "x", context=ME), InvalidEdit, "does not stand"),
        (lambda core: core.set("human", "a\x00b", context=ME), InvalidText, "NUL"),
        (lambda core: core.append("human", "a\ud800", context=ME), InvalidText, "surrogate"),
        (lambda core: core.replace("human", "부산", "\ud800", context=ME), InvalidText, "surrogate"),
        (lambda core: core.set("human", "x" * 8_001, context=ME), InvalidText, "at most 8000"),
        (lambda core: core.append("human", "x" * 2_000, context=ME), InvalidEdit, "limit of 2000"),
        (lambda core: core.set("human", "x", limit=0, context=ME), InvalidInput, "1 to 8000"),
        (lambda core: core.set("human", description="x" * 1_001, context=ME), InvalidText, "at most 1000"),
        (lambda core: core.set("human", description="a\x00", context=ME), InvalidText, "NUL"),
        (lambda core: core.set("human", "my password is hunter2hunter2", context=ME), CredentialRefused, "password"),
        (
            lambda core: core.replace("human", "부산", "비밀번호는 hunter2hunter2", context=ME),
            CredentialRefused,
            "password",
        ),
        (lambda core: core.set("x", description="password: hunter2!!", context=ME), CredentialRefused, "description"),
        (lambda core: core.set("door.code", "48213", context=ME), CredentialRefused, "never stored"),
        (lambda core: core.set("human", "x", context=Context(user="ada", reviewer="a\x00")), InvalidScope, "author"),
        (lambda core: core.append("human", "x", user=" ada"), InvalidScope, "white space"),
    ],
)
async def test_what_cannot_be_is_refused_and_changes_nothing(
    core: CoreMemory, call: Call, error: type[Exception], told: str
) -> None:
    await core.set("human", "부산에 산다", context=ME)
    before = await core.blocks(context=ME)
    with pytest.raises(error, match=told) as refused:
        await call(core)
    assert "hunter2" not in str(refused.value)
    assert await core.blocks(context=ME) == before


async def test_a_moment_without_a_time_zone_is_refused(core: CoreMemory, clock: SetClock) -> None:
    with pytest.raises(InvalidTime):
        await core.blocks(as_known_at=clock.now().replace(tzinfo=None), context=ME)


async def test_core_memory_is_a_part_of_the_memory_that_is_erased_with_the_user(memory: Memory) -> None:
    await memory.core.set("persona", "나는 파이", user="ada")
    assert (await memory.core.get("persona", user="ada")).author == "user"
    assert (await memory.erase(user="ada")).counts["core_blocks"] == 1
    assert (await memory.core.get("persona", user="ada")).version == 0

"""Each tool as the model calls it: what it is told, and what is noted to be written."""

from __future__ import annotations

import json
from datetime import UTC, timedelta
from typing import Any

import pytest

from perdure import Memory
from perdure.core import BUILT_IN, Block
from perdure.errors import InvalidInput
from perdure.facts import Action, Trust
from perdure.policy import Policy, Rule
from perdure.scope import Scope
from perdure.tools.arguments import TOOLS, definition
from perdure.tools.desk import MOST_NOTED, Desk
from perdure.tools.toolbox import MemoryTools

ME = Scope(user="지민")
SAID = "나는 올해 서울로 이사했고, 이제 커피는 안 마셔."


def desk_over(memory: Memory, *, said: str = SAID, policy: Policy = Policy(), **blocks: Block) -> Desk:  # noqa: B008
    at = memory.layer.clock.now()
    return Desk(
        memory=memory.layer,
        scope=ME,
        policy=policy,
        run="auto",
        language="ko",
        at=at,
        zone=UTC,
        said=[said],
        as_of=None,
        as_known_at=None,
        attributes=(),
        blocks={block.label: block for block in BUILT_IN} | blocks,
    )


async def call(desk: Desk, name: str, **arguments: Any) -> str:
    return await MemoryTools(desk).call(name, arguments)


def error(told: str) -> str:
    return str(json.loads(told)["error"])


async def test_an_edit_shows_the_block_and_its_fill_and_the_next_one_works_on_it(memory: Memory) -> None:
    desk = desk_over(memory)
    told = await call(desk, "core_memory_append", label="persona", content="내 이름은 퍼듀어다.")
    assert "11/2000" in told and "내 이름은 퍼듀어다." in told
    told = await call(desk, "core_memory_replace", label="persona", old_content="퍼듀어", new_content="두리")
    assert "내 이름은 두리다." in told
    assert [operation.action for operation in desk.noted] == [Action.CORE_APPEND, Action.CORE_REPLACE]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"label": "mood", "old_content": "a", "new_content": "b"}, "use one of persona, human, goals"),
        ({"label": "human", "old_content": "c", "new_content": "b"}, "does not stand in the block"),
        ({"label": "human", "old_content": "a", "new_content": "b"}, "stands 2 times"),
        ({"label": "human", "old_content": "", "new_content": "b"}, "old_content: "),
        ({"label": "human", "old_content": "  ", "new_content": "b"}, "says nothing"),
        ({"label": "human", "old_content": "ab", "new_content": "b" * 20}, "more than its limit of 10"),
        ({"label": "human", "old_content": "ab", "new_content": "\x00"}, "NUL"),
        ({"label": "human", "old_content": "ab", "new_content": "\ud800"}, "unicode"),
        ({"label": "human", "new_content": "b"}, "old_content: Field required"),
        ({"label": "human", "old_content": "ab", "new_content": "b", "why": "x"}, "why: Extra inputs"),
    ],
)
async def test_an_edit_that_does_not_fit_is_an_error_to_act_on_and_changes_nothing(
    memory: Memory, arguments: dict[str, str], says: str
) -> None:
    desk = desk_over(memory, human=Block("human", "ab a", limit=10))
    assert says in error(await call(desk, "core_memory_replace", **arguments))
    assert desk.noted == [] and desk.blocks["human"].content == "ab a"


async def test_a_full_block_names_what_else_can_be_done(memory: Memory) -> None:
    desk = desk_over(memory, human=Block("human", "12345678", limit=10))
    told = error(await call(desk, "core_memory_append", label="Human", content="more"))
    assert "3 more than its limit of 10" in told and "core_memory_replace" in told and "archival_memory_insert" in told


async def test_a_fact_that_the_user_said_is_the_users_and_any_other_is_the_models_own(memory: Memory) -> None:
    desk = desk_over(memory)
    told = {"content": "서울에 산다.", "attribute": "home.city", "value": "서울"}
    await call(desk, "archival_memory_insert", **told, valid_from="올해", quote="나는 올해 서울로 이사했고")
    (noted,) = desk.noted
    assert noted.trust is Trust.USER and noted.valid_from and noted.valid_from.date().isoformat()[4:] == "-01-01"
    for quote in ("", "나는 부산으로 이사했어", "커피는 안 마셔"):
        lie = {"content": "부산에 산다.", "attribute": "home.city", "value": "부산", "quote": quote}
        assert "from the assistant's own words" in error(await call(desk, "archival_memory_insert", **lie))
    assert desk.noted == [noted]


async def test_a_policy_may_let_a_model_keep_its_own_notes_or_have_a_person_asked(memory: Memory) -> None:
    mine = desk_over(memory, policy=Policy(rules=()))
    assert "remembered" in await call(mine, "archival_memory_insert", content="제주 여행을 추천했다.")
    assert mine.noted[0].trust is Trust.ASSISTANT
    ask = Rule(verdict="ask", why="core memory", actions=frozenset({Action.CORE_APPEND}))
    asking = desk_over(memory, policy=Policy(rules=(ask,)))
    assert "A person is asked first" in await call(asking, "core_memory_append", label="persona", content="x")
    assert asking.blocks["persona"].content == ""


async def test_a_search_finds_what_held_then_and_its_ids_can_be_used(memory: Memory) -> None:
    spring = memory.layer.clock.now() - timedelta(days=200)
    await memory.remember("부산에 산다.", attribute="home.city", value="부산", valid_from=spring, user="지민")
    await memory.remember("서울에 산다.", attribute="home.city", value="서울", user="지민")
    desk = desk_over(memory)
    now = await call(desk, "archival_memory_search", query="어디에 살아?")
    assert "서울에 산다." in now and "부산에 산다." not in now
    then = await call(
        desk, "archival_memory_search", query="어디에 살아?", as_of=(spring.date() + timedelta(days=1)).isoformat()
    )
    assert "부산에 산다." in then and "서울에 산다." not in then
    assert "Nothing is remembered" in await call(desk_over(memory), "archival_memory_search", query="좋아하는 악기?")
    assert "asdf" in error(await call(desk, "archival_memory_search", query="x", as_of="asdf"))
    (seoul,) = [hit for hit in desk.facts.values() if hit.value == "서울"]
    ended = await call(desk, "memory_end", memory_id=str(seoul.id)[:8], at="", quote="이사했고")
    assert "Noted" in ended and desk.noted[0].target == seoul.id


async def test_only_memories_that_were_shown_can_be_ended_or_corrected_and_only_on_the_users_word(
    memory: Memory,
) -> None:
    await memory.remember("커피를 마신다.", attribute="drink", value="커피", user="지민")
    desk = desk_over(memory)
    (fact,) = await memory.facts.facts(ME)
    assert "search for it" in error(await call(desk, "memory_end", memory_id=str(fact.id), quote="커피는 안 마셔"))
    await call(desk, "archival_memory_search", query="커피를 마셔?")
    lie = error(await call(desk, "memory_end", memory_id=str(fact.id), quote="커피를 끊었어"))
    assert "from the assistant's own words" in lie
    corrected = {"memory_id": str(fact.id), "content": "차를 마신다.", "value": "차", "quote": "커피는 안 마셔"}
    assert "from the assistant's own words" in error(await call(desk, "memory_correct", **corrected))
    assert "Noted" in await call(desk, "memory_end", memory_id=str(fact.id), quote="커피는 안 마셔")


async def test_credentials_and_what_was_asked_for_before_are_refused(memory: Memory) -> None:
    desk = desk_over(memory)
    secret = "token: ghp_" + "a1B2" * 9
    assert "never stored" in error(await call(desk, "core_memory_append", label="human", content=secret))
    assert "core_memory" in (await call(desk, "core_memory_append", label="human", content="x")) or desk.noted
    assert "exactly this already" in error(await call(desk, "core_memory_append", label="human", content="x"))
    for number in range(MOST_NOTED - 1):
        await call(desk, "core_memory_append", label="human", content=str(number))
    assert "answer the user now" in error(await call(desk, "core_memory_append", label="human", content="more"))
    assert len(desk.noted) == MOST_NOTED


@pytest.mark.parametrize("name", ["rm", "", "core_memory_append\x00"])
async def test_an_unknown_tool_is_an_error_that_names_the_known_ones(memory: Memory, name: str) -> None:
    assert "conversation_search" in error(await call(desk_over(memory), name, x=1))


def test_every_tool_is_described_to_the_model() -> None:
    for name, arguments in TOOLS.items():
        told = definition(name)["function"]
        assert told["description"] and told["parameters"]["type"] == "object"
        assert told["parameters"]["properties"].keys() == arguments.model_fields.keys()
        assert all(field.get("description") for field in told["parameters"]["properties"].values())


async def test_an_id_that_fits_several_memories_is_refused(memory: Memory) -> None:
    desk = desk_over(memory)
    with pytest.raises(InvalidInput, match="no memory that you have been shown"):
        desk.fact("")

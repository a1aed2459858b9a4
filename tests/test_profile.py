"""A user's profile: one value per attribute, as it holds, or held."""

from __future__ import annotations

from datetime import UTC, datetime

from perdure import Context, Memory

SPRING = datetime(2026, 3, 1, tzinfo=UTC)
AUTUMN = datetime(2026, 10, 1, tzinfo=UTC)


async def test_a_profile_has_what_holds_and_since_when(memory: Memory) -> None:
    await memory.remember("부산에 산다.", attribute="home.city", value="부산", valid_from=SPRING, user="지민")
    await memory.remember("서울에 산다.", attribute="home.city", value="서울", valid_from=AUTUMN, user="지민")
    await memory.remember("등산을 좋아한다.", attribute="hobby", value="등산", user="지민")
    await memory.remember("I live in Oslo.", attribute="home.city", value="Oslo", user="ada")
    profile = await memory.profile.of("지민")
    assert {name: (entry.value, entry.since) for name, entry in profile.items()} == {"home.city": ("서울", AUTUMN)}
    assert profile["home.city"].content == "서울에 산다."
    then = await memory.profile.of(context=Context(user="지민", as_of=SPRING))
    assert then["home.city"].value == "부산"


async def test_what_an_agent_knows_for_itself_stands_before_what_all_share(memory: Memory) -> None:
    own = Context(user="u1", agent="coder")
    await memory.remember("Call me Ada.", attribute="name", value="Ada", user="u1")
    await memory.remember("Call me Countess.", attribute="name", value="Countess", context=own)
    assert (await memory.profile.of(context=own))["name"].value == "Countess"
    assert (await memory.profile.of("u1"))["name"].value == "Ada"


async def test_a_profile_as_it_was_known(memory: Memory) -> None:
    await memory.remember("Lives in Seoul.", attribute="home.city", value="Seoul", valid_from=SPRING, user="u1")
    now = memory.layer.clock.now()
    assert (await memory.profile.of(context=Context(user="u1", as_known_at=now)))["home.city"].since == SPRING
    assert await memory.profile.of(context=Context(user="u1", as_known_at=now.replace(year=now.year - 1))) == {}

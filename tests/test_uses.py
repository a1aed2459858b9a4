"""What a reply was shown has been of use, and fades later."""

from __future__ import annotations

from clock import SetClock

from perdure import Context, Memory


async def uses(memory: Memory) -> dict[str, int]:
    """By content, of facts."""
    async with memory.checkpoints.connection() as connection:
        cursor = await connection.execute(
            "select f.content, u.uses from perdure.uses u join perdure.facts f on f.id = u.memory and f.known_to is null"
        )
        return {row["content"]: row["uses"] async for row in cursor}


async def test_each_turn_counts_what_it_was_shown_once(memory: Memory, clock: SetClock) -> None:
    await memory.remember("I live in Seoul.", attribute="home.city", value="Seoul", user="u1")
    await memory.remember("The cello is in the attic.", user="u1")
    for number in (1, 2):
        clock.forward(days=1)
        await memory.ask("Where do I live?", thread=f"t{number}", user="u1")
    assert await uses(memory) == {"I live in Seoul.": 2}


async def test_a_run_that_writes_nothing_counts_nothing(memory: Memory) -> None:
    await memory.remember("I live in Seoul.", attribute="home.city", value="Seoul", user="u1")
    await memory.ask("Where do I live?", thread="t", context=Context(user="u1", policy="drop"))
    assert await uses(memory) == {}

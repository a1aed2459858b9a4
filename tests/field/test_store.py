"""What people report of other memories about what a store keeps: traces of reading, vectors of what was replaced."""

from __future__ import annotations

import pytest
from psycopg import sql
from told import ME

from perdure import Context, Memory
from perdure.presets import PRESETS

GHOST = Context(user="ghost", tenant="nobody", agent="none")


async def rows_of(memory: Memory, name: str) -> dict[str, int]:
    """How many rows each table has in which the name stands, in any column; those that have none are left out."""
    async with memory.checkpoints.connection() as connection:
        tables = await connection.execute(
            "select table_schema as schema, table_name as name from information_schema.tables"
            " where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'"
        )
        counts: dict[str, int] = {}
        for table in [sql.Identifier(row["schema"], row["name"]) async for row in tables]:
            counting = sql.SQL("select count(*) as rows from {} t where t::text like %s").format(table)
            counted = await (await connection.execute(counting, (f"%{name}%",))).fetchone()
            counts[str(table)] = counted["rows"] if counted else 0
    return {table: rows for table, rows in counts.items() if rows}


async def read_all(memory: Memory) -> None:
    scope = GHOST.scope
    await memory.recall("Which instrument do I play?", context=GHOST)
    await memory.conversations(context=GHOST)
    await memory.conversations("어떤 악기를 연주해?", context=GHOST)
    await memory.facts.facts(scope, history=True)
    await memory.facts.statements(scope)
    await memory.policies.in_force(scope)
    await memory.attributes.of(scope)
    await memory.attributes.learned(scope)
    assert await memory.threads(context=GHOST) == [] == await memory.pending(context=GHOST)


async def test_store_read_only_leaves_no_trace(memory: Memory) -> None:
    """FC39: neither of a name that was only asked about, nor of one that was erased; to write leaves one."""
    await read_all(memory)
    assert await rows_of(memory, "ghost") == {}
    await memory.ask("I play the cello.", thread="t", context=GHOST)
    assert await rows_of(memory, "ghost") != {} and len(await memory.threads(context=GHOST)) == 1
    await memory.erase(context=GHOST)
    await read_all(memory)
    assert await rows_of(memory, "ghost") == {}


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [
        ("My cats sleep all day.", "I read about tax law.", "cats"),
        ("우리 고양이는 하루 종일 자.", "나는 세법을 공부해.", "고양이"),
    ],
)
@pytest.mark.parametrize("how", ["superseded", "corrected", "a note corrected"])
async def test_store_vector_stale_is_not_searched(memory: Memory, how: str, old: str, new: str, question: str) -> None:
    """FC41: what replaces a fact is as far from the question as if the old one had never been, in every ranking."""
    attribute = "" if how == "a note corrected" else "topic"
    value = "old" if attribute else ""
    await memory.remember(old, attribute=attribute, value=value, user="me")
    (fact,) = await memory.facts.facts(ME)
    assert [hit.content for hit in await memory.recall(question, user="me")] == [old]
    if how == "superseded":
        await memory.remember(new, attribute=attribute, value="new", user="me")
    else:
        await memory.correct(str(fact.id), new, value=value and "new", user="me")
    await memory.remember(new, attribute=attribute, value=value and "new", user="other")
    assert await memory.recall(question, user="me") == []
    for preset in (name for name, one in PRESETS.items() if one.facts):
        for explain in (False, True):
            (hit,) = await memory.recall(question, user="me", preset=preset, threshold=0, explain=explain)
            (never,) = await memory.recall(question, user="other", preset=preset, threshold=0, explain=explain)
            assert hit.content == never.content == new
            assert (hit.vector_score, hit.lexical_score) == (never.vector_score, never.lexical_score)

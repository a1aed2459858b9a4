"""The time that a question speaks of reaches whoever replies, and what held then is the answer."""

from __future__ import annotations

from datetime import UTC, datetime

from scripted_openai import ScriptedOpenAI

from perdure import Memory

BEFORE = datetime(2020, 1, 1, tzinfo=UTC)
MOVED = datetime(2026, 3, 1, tzinfo=UTC)


async def settle(memory: Memory) -> None:
    for city, since in (("부산", BEFORE), ("서울", MOVED)):
        sentence = f"나는 {city}에 살아."
        await memory.remember(sentence, attribute="home.city", value=city, valid_from=since, user="u1")


async def test_the_offline_reply_quotes_what_held_then_and_nothing_else(memory: Memory) -> None:
    await settle(memory)
    then = await memory.ask("작년에 나 어디 살았지?", thread="t", user="u1")
    assert "“작년에”(2025년 1월 1일부터 2025년 12월 31일까지)" in then.text
    assert then.text.splitlines()[1:] == ["- “나는 부산에 살아.” (2020년 1월 1일부터 2026년 3월 1일까지)"]
    now = await memory.ask("나 어디 살아?", thread="t", user="u1")
    assert now.time is None and now.text.splitlines()[1:] == ["- “나는 서울에 살아.” (2026년 3월 1일부터)"]


async def test_the_chat_model_is_told_which_time_it_is(modelled: Memory, openai_server: ScriptedOpenAI) -> None:
    await settle(modelled)
    openai_server.script("reply", "In Busan.", "In Seoul.")
    await modelled.ask("Where did I live last year?", thread="t", user="u1")
    await modelled.ask("Where do I live?", thread="t", user="u1")
    then, now = (request.prompt for request in openai_server.asked("reply"))
    assert '"last year" (2025-01-01 to 2025-12-31)' in then and "no longer true since 2026-03-01" in then
    assert "last year" not in now.partition("<memories>")[0] and "as of now (2026-11-30)" in now

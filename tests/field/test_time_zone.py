"""A turn in the user's time zone, from the message to what is stored, found and shown."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from clock import SetClock
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from scripted_openai import ScriptedOpenAI
from told import ME, change, current, told

from perdure import Context, Memory
from perdure.errors import InvalidTime
from perdure.threads import thread_key

SEOUL = Context(user="me", time_zone="Asia/Seoul")
FIRST_OF_DECEMBER_IN_SEOUL = datetime(2026, 11, 30, 15, tzinfo=UTC)
HALF_PAST_MIDNIGHT = FIRST_OF_DECEMBER_IN_SEOUL + timedelta(minutes=30)


@pytest.fixture(autouse=True)
def at_half_past_midnight(clock: SetClock) -> None:
    clock.set(HALF_PAST_MIDNIGHT)


@pytest.mark.parametrize(
    "said", ["I moved to Busan this month.", "이번 달에 부산으로 이사했어.", "I moved to Busan today."]
)
async def test_a_turn_in_seoul_is_dated_by_its_calendar(memory: Memory, said: str) -> None:
    await memory.ask(said, thread="t", context=SEOUL)
    (fact,) = await memory.facts.facts(ME)
    assert (fact.valid_from, fact.dated) == (FIRST_OF_DECEMBER_IN_SEOUL, True)
    assert "since 1 December 2026" in (await memory.ask("Where do I live?", thread="t2", context=SEOUL)).text
    assert "2026년 12월 1일부터" in (await memory.ask("나 어디 살아?", thread="t3", context=SEOUL)).text
    in_honolulu = Context(user="me", time_zone="Pacific/Honolulu")
    assert "since 30 November 2026" in (await memory.ask("Where do I live?", thread="t4", context=in_honolulu)).text


@pytest.mark.parametrize(
    ("said", "value", "valid_from", "instant"),
    [
        ("I live in Busan since May 3.", "Busan", "2026-05-03", datetime(2026, 5, 2, 15, tzinfo=UTC)),
        ("3월 5일부터 부산에 살아.", "부산", "2026-03-05", datetime(2026, 3, 4, 15, tzinfo=UTC)),
    ],
)
async def test_a_model_is_told_the_local_time_and_its_dates_are_local(
    modelled: Memory, openai_server: ScriptedOpenAI, said: str, value: str, valid_from: str, instant: datetime
) -> None:
    openai_server.script("extract", told(change(said, "home.city", value, valid_from=valid_from)))
    await modelled.ask(said, thread="t", context=SEOUL)
    assert "2026-12-01T00:30:00+09:00" in openai_server.asked("extract")[0].prompt
    (fact,) = await modelled.facts.facts(ME)
    assert fact.valid_from == instant
    question = Context(user="me", time_zone="Asia/Seoul", as_of=FIRST_OF_DECEMBER_IN_SEOUL)
    await modelled.ask("Where do I live?", thread="t2", context=question)
    prompt = openai_server.asked("reply")[-1].prompt
    assert valid_from in prompt and "2026-12-01T00:00:00+09:00" in prompt
    assert instant.date().isoformat() not in prompt and "2026-11-30" not in prompt


@pytest.mark.parametrize(
    ("context", "instant"),
    [
        (Context(user="me"), FIRST_OF_DECEMBER_IN_SEOUL),
        (Context(user="me", time_zone="America/New_York"), datetime(2026, 11, 30, 5, tzinfo=UTC)),
    ],
)
async def test_the_message_s_own_offset_counts_where_the_user_s_zone_is_not_known(
    memory: Memory, context: Context, instant: datetime
) -> None:
    in_seoul = HALF_PAST_MIDNIGHT.astimezone(timezone(timedelta(hours=9)))
    await memory.ask("I moved to Busan today.", thread="t", context=context, sent_at=in_seoul)
    (fact,) = await memory.facts.facts(ME)
    assert fact.valid_from == instant
    state = await memory.graph.aget_state({"configurable": {"thread_id": thread_key(ME, "t")}})
    assert state.values["turn"]["at"] == HALF_PAST_MIDNIGHT.isoformat()


async def test_of_a_message_in_utc_the_user_s_zone_counts(memory: Memory, clock: SetClock) -> None:
    clock.forward(days=40)
    await memory.ask("I moved to Busan today.", thread="t", context=SEOUL, sent_at=HALF_PAST_MIDNIGHT)
    (fact,) = await memory.facts.facts(ME)
    assert fact.valid_from == FIRST_OF_DECEMBER_IN_SEOUL


async def test_a_host_graph_with_an_unknown_zone_is_refused_before_anything_is_recalled(memory: Memory) -> None:
    unknown = Context(user="me").model_copy(update={"time_zone": "Asia/Soul"})
    config = RunnableConfig(configurable={"thread_id": thread_key(ME, "t")})
    with pytest.raises(InvalidTime, match="Asia/Soul"):
        await memory.graph.ainvoke({"messages": [HumanMessage("I live in Busan.")]}, config, context=unknown)
    assert await current(memory) == []

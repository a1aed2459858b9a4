"""Turns on a small graph of the same shape as the agent's, with checkpoints on a real PostgreSQL."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest
from langgraph.types import Command
from small_agent import CONTEXT, Agent, cut_after_respond, failing, opened, said, state_of, texts

from perdure.errors import InterruptedThread, NotFound, NotInterrupted
from perdure.graph.context import Context
from perdure.graph.turns import NodeUpdate, Token, TurnEnd, TurnEvent
from perdure.stores.pool import Pool, connect, open_pool


@pytest.fixture
async def pool(database: str) -> AsyncGenerator[Pool, None]:
    async with open_pool(database) as pool:
        yield pool


async def test_a_turn_streams_the_reply_and_then_its_nodes(pool: Pool) -> None:
    agent = Agent(streams=True)
    async with opened(pool, agent) as turns:
        events: list[TurnEvent] = [event async for event in turns.stream("t", said("안녕 여러분"), CONTEXT)]
    tokens = [event.text for event in events if isinstance(event, Token)]
    assert len(tokens) > 1
    assert "".join(tokens) == "답: 안녕 여러분"
    assert [type(event) for event in events] == [Token] * len(tokens) + [NodeUpdate] * 3 + [TurnEnd]
    assert [event.node for event in events if isinstance(event, NodeUpdate)] == ["respond", "extract", "write"]
    assert isinstance(events[-1], TurnEnd)
    assert events[-1].state.values["written"] == ["안녕 여러분"]


async def test_a_reply_that_is_not_streamed_is_one_token(pool: Pool) -> None:
    tokens: list[str] = []
    async with opened(pool, Agent()) as turns:
        state = await turns.run("t", said("안녕 여러분"), CONTEXT, on_token=tokens.append)
    assert tokens == ["답: 안녕 여러분"]
    assert (texts(state), state.tasks) == (["안녕 여러분", "답: 안녕 여러분"], ())


async def test_leaving_after_the_reply_does_not_lose_the_memory(pool: Pool) -> None:
    left = asyncio.Event()

    async def wait() -> None:
        await left.wait()

    agent = Agent(on_extract=wait)
    async with opened(pool, agent) as turns:
        async with aclosing(turns.stream("t", said("부산에 살아"), CONTEXT)) as events:
            async for event in events:
                if isinstance(event, NodeUpdate):
                    break
        left.set()
        await turns.drain()
    assert (await state_of(pool, agent)).values["written"] == ["부산에 살아"]


async def test_a_cancelled_caller_does_not_cancel_the_run(pool: Pool) -> None:
    entered, cancelled = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        entered.set()
        await cancelled.wait()

    agent = Agent(on_respond=wait)
    async with opened(pool, agent) as turns:
        caller = asyncio.create_task(turns.run("t", said("부산에 살아"), CONTEXT))
        await entered.wait()
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        cancelled.set()
    assert (await state_of(pool, agent)).values["written"] == ["부산에 살아"]


async def test_a_caller_that_fails_does_not_stop_the_run(pool: Pool) -> None:
    def broken(token: str) -> None:
        raise BrokenPipeError(token)

    agent = Agent()
    async with opened(pool, agent) as turns:
        with pytest.raises(BrokenPipeError):
            await turns.run("t", said("부산에 살아"), CONTEXT, on_token=broken)
    assert (await state_of(pool, agent)).values["written"] == ["부산에 살아"]


async def test_a_turn_that_was_cut_short_is_finished_before_new_input(pool: Pool) -> None:
    agent = Agent()
    await cut_after_respond(pool, agent, "부산에 살아")
    assert (await state_of(pool, agent)).next == ("extract",)
    async with opened(pool, agent) as turns:
        state = await turns.run("t", said("서울로 이사했어"), CONTEXT)
    assert state.values["written"] == ["부산에 살아", "서울로 이사했어"]
    assert agent.calls == ["respond", "extract", "write", "respond", "extract", "write"]


async def test_a_kill_between_a_result_and_its_checkpoint_loses_nothing(pool: Pool, database: str) -> None:
    agent = Agent()
    async with opened(pool, agent) as turns:
        await turns.run("t", said("부산에 살아"), CONTEXT)
    async with await connect(database) as connection:
        # The checkpoint before `extract` with the result of `extract`, as a kill leaves it.
        await connection.execute("delete from checkpoints where (metadata ->> 'step')::int > 1")
    left = await state_of(pool, agent)
    assert (left.next, [task.name for task in left.tasks]) == ((), ["extract"])
    async with opened(pool, agent) as turns:
        state = await turns.run("t", said("서울로 이사했어"), CONTEXT)
    assert state.values["written"] == ["부산에 살아", "서울로 이사했어"]
    assert agent.calls.count("extract") == 2


async def test_resuming_finishes_the_turn_and_nothing_else(pool: Pool) -> None:
    agent = Agent()
    await cut_after_respond(pool, agent, "부산에 살아")
    async with opened(pool, agent) as turns:
        state = await turns.run("t", None, CONTEXT)
        assert (state.values["written"], agent.calls) == (["부산에 살아"], ["respond", "extract", "write"])
        with pytest.raises(NotFound, match="thread 't' has nothing to resume"):
            await turns.run("t", None, CONTEXT)
        with pytest.raises(NotFound, match="thread 'nowhere'"):
            await turns.run("nowhere", None, CONTEXT)


async def test_three_runs_at_once_keep_all_three_messages(pool: Pool) -> None:
    async with opened(pool, Agent()) as turns:
        await asyncio.gather(*(turns.run("t", said(text), CONTEXT) for text in ("하나", "둘", "셋")))
        state = await turns.run("t", said("넷"), CONTEXT)
    assert state.values["written"] == ["하나", "둘", "셋", "넷"]
    assert texts(state) == [text for word in ("하나", "둘", "셋", "넷") for text in (word, f"답: {word}")]


async def test_two_threads_run_side_by_side(pool: Pool) -> None:
    both = asyncio.Barrier(2)

    async def meet() -> None:
        await both.wait()

    async with opened(pool, Agent(on_respond=meet)) as turns, asyncio.timeout(30):
        states = await asyncio.gather(*(turns.run(name, said(name), CONTEXT) for name in ("a", "b")))
    assert [state.values["written"] for state in states] == [["a"], ["b"]]


async def test_no_lock_outlives_its_runs(pool: Pool) -> None:
    async with opened(pool, Agent(on_write=failing(1))) as turns:
        await asyncio.gather(
            *(turns.run(f"t{n % 3}", said("안녕"), CONTEXT) for n in range(9)),
            return_exceptions=True,
        )
        await turns.drain()  # a caller has its answer while the lock is still being let go of
        gc.collect()
        assert not turns._locks
        assert not turns._tasks


async def test_an_error_reaches_its_caller_once_and_the_next_try_goes_on(pool: Pool) -> None:
    agent = Agent(on_extract=failing(1))
    async with opened(pool, agent) as turns:
        with pytest.raises(OSError, match="network"):
            await turns.run("t", said("부산에 살아"), CONTEXT)
        state = await turns.run("t", said("서울로 이사했어"), CONTEXT)
    assert state.values["written"] == ["부산에 살아", "서울로 이사했어"]
    assert texts(state) == ["부산에 살아", "답: 부산에 살아", "서울로 이사했어", "답: 서울로 이사했어"]


async def test_an_error_that_nobody_heard_is_logged(pool: Pool, caplog: pytest.LogCaptureFixture) -> None:
    async with opened(pool, Agent(on_extract=failing(1))) as turns:
        async with aclosing(turns.stream("t", said("부산에 살아"), CONTEXT)) as events:
            await anext(events)
        await turns.drain()
        gc.collect()
    assert [record.message.splitlines()[0] for record in caplog.records] == ["Task exception was never retrieved"]
    assert "부산" not in caplog.text


async def test_a_memory_that_still_cannot_be_written_keeps_new_input_out(pool: Pool) -> None:
    agent = Agent(on_write=failing(2))
    async with opened(pool, agent) as turns:
        for text in ("부산에 살아", "서울로 이사했어"):
            with pytest.raises(OSError, match="network"):
                await turns.run("t", said(text), CONTEXT)
        assert texts(await state_of(pool, agent)) == ["부산에 살아", "답: 부산에 살아"]
        state = await turns.run("t", said("서울로 이사했어"), CONTEXT)
    assert state.values["written"] == ["부산에 살아", "서울로 이사했어"]


async def test_a_question_that_is_never_answered_does_not_close_the_thread(pool: Pool) -> None:
    async with opened(pool, Agent(on_respond=failing(2))) as turns:
        with pytest.raises(OSError, match="network"):
            await turns.run("t", said("하나"), CONTEXT)
        state = await turns.run("t", said("둘"), CONTEXT)
    assert texts(state) == ["하나", "둘", "답: 둘"]


async def test_an_interrupted_thread_takes_decisions_only(pool: Pool) -> None:
    agent = Agent(ask=True)
    async with opened(pool, agent) as turns:
        waiting = await turns.run("t", said("부산에 살아"), CONTEXT)
        assert [pending.value for pending in waiting.interrupts] == ["기억할까요?"]
        for refused in (said("서울로 이사했어"), None):
            with pytest.raises(InterruptedThread, match="thread 't' waits for a person's decision"):
                await turns.run("t", refused, CONTEXT)
        assert texts(await state_of(pool, agent)) == ["부산에 살아", "답: 부산에 살아"]

        decided = await turns.run("t", Command(resume="yes"), CONTEXT)
        assert (decided.values["written"], decided.interrupts, decided.tasks) == (["부산에 살아"], (), ())
        with pytest.raises(NotInterrupted, match="thread 't' waits for no decision"):
            await turns.run("t", Command(resume="yes"), CONTEXT)
        assert (await turns.run("t", said("고마워"), CONTEXT)).interrupts


async def test_an_unfinished_turn_that_comes_to_ask_keeps_new_input_out(pool: Pool) -> None:
    agent = Agent(ask=True)
    await cut_after_respond(pool, agent, "부산에 살아")
    async with opened(pool, agent) as turns:
        with pytest.raises(InterruptedThread):
            await turns.run("t", said("서울로 이사했어"), CONTEXT)
        state = await turns.run("t", Command(resume="no"), CONTEXT)
    assert (texts(state), state.values["written"]) == (["부산에 살아", "답: 부산에 살아"], [])


async def test_nodes_are_given_the_context_of_the_run(pool: Pool) -> None:
    from langgraph.runtime import get_runtime

    seen: list[str] = []

    async def look() -> None:
        seen.append(get_runtime(Context).context.user)

    async with opened(pool, Agent(on_respond=look, on_write=look)) as turns:
        await turns.run("t", said("안녕"), CONTEXT)
    assert seen == ["민수", "민수"]

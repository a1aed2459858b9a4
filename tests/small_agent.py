"""A small graph of the same shape as the agent's, in which a test decides what happens on the way into a node."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateSnapshot, interrupt
from typing_extensions import TypedDict

from perdure.graph.context import Context
from perdure.graph.turns import Turns
from perdure.stores.checkpoints import PooledSaver, saver_over
from perdure.stores.pool import Pool
from perdure.stores.thread_locks import PostgresThreadLocks
from perdure.time import SystemClock

CONTEXT = Context(user="민수")


class State(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]
    candidates: str
    written: Annotated[list[str], lambda old, new: old + new]


async def nothing() -> None:
    pass


@dataclass
class Agent:
    """``calls`` are the nodes that began, in order."""

    on_respond: Callable[[], Awaitable[None]] = nothing
    on_extract: Callable[[], Awaitable[None]] = nothing
    on_write: Callable[[], Awaitable[None]] = nothing
    ask: bool = False
    streams: bool = False
    calls: list[str] = field(default_factory=list)

    async def respond(self, state: State) -> dict[str, Any]:
        self.calls.append("respond")
        await self.on_respond()
        reply = AIMessage(f"답: {state['messages'][-1].text}")
        if self.streams:
            await GenericFakeChatModel(messages=iter([reply])).ainvoke(state["messages"])
            reply = AIMessage(reply.content)  # another id than the streamed one's
        return {"messages": [reply]}

    async def extract(self, state: State) -> dict[str, Any]:
        self.calls.append("extract")
        await self.on_extract()
        found = await GenericFakeChatModel(messages=iter([AIMessage("not for the user")])).ainvoke("extract")
        assert found.text
        return {"candidates": state["messages"][-2].text}

    async def write(self, state: State) -> dict[str, Any]:
        self.calls.append("write")
        await self.on_write()
        if self.ask and interrupt("기억할까요?") == "no":
            return {}
        return {"written": [state["candidates"]]}

    def compile(self, saver: PooledSaver) -> CompiledStateGraph[Any, Context, Any, Any]:
        graph = StateGraph(State, context_schema=Context)
        graph.add_sequence([self.respond, self.extract, self.write])
        graph.add_edge(START, "respond")
        return graph.compile(checkpointer=saver)


@asynccontextmanager
async def opened(pool: Pool, agent: Agent) -> AsyncGenerator[Turns, None]:
    async with pool.connection() as connection:
        locks = PostgresThreadLocks(connection.info.dsn, None)
    turns = Turns(agent.compile(await saver_over(pool)), locks, SystemClock())
    yield turns
    await turns.drain()
    await locks.close()


def said(text: str) -> dict[str, Any]:
    return {"messages": [HumanMessage(text)]}


def texts(state: StateSnapshot) -> list[str]:
    return [message.text for message in state.values["messages"]]


def failing(times: int) -> Callable[[], Awaitable[None]]:
    left = [OSError("the network is down")] * times

    async def fail() -> None:
        if left:
            raise left.pop()

    return fail


async def state_of(pool: Pool, agent: Agent, thread: str = "t") -> StateSnapshot:
    return await agent.compile(PooledSaver(pool)).aget_state(RunnableConfig(configurable={"thread_id": thread}))


async def cut_after_respond(pool: Pool, agent: Agent, text: str) -> None:
    """What is left of a turn whose process was killed after the reply."""
    config = RunnableConfig(configurable={"thread_id": "t"})
    graph = agent.compile(await saver_over(pool))
    await graph.ainvoke(said(text), config, context=CONTEXT, interrupt_after=["respond"])

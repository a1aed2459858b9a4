"""Runs of a graph, thread by thread: one at a time, in order, each to its end even if nobody listens any more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, StateSnapshot

from perdure.errors import InterruptedThread, NotFound, NotInterrupted
from perdure.graph.context import Context
from perdure.logs import logger_named
from perdure.pending import waits
from perdure.ports import Ledger, ThreadArchive, ThreadLocks
from perdure.spending import Unkept
from perdure.threads import known_name
from perdure.time import Clock

REPLY_NODE = "respond"
APART = "\n\n"
"""Between what a model says before it calls tools and after."""
MEMORY_NODES = frozenset({"extract", "write"})

log = logger_named("perdure")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the reply's text, or all of it at once from a model that does not stream."""

    text: str


@dataclass(frozen=True, slots=True)
class NodeUpdate:
    """A node is done, and this is what it wrote to the state; a list if it wrote several times."""

    node: str
    values: dict[str, Any] | list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The run is over: the turn is done, or it waits for a person (``state.interrupts``)."""

    state: StateSnapshot


@dataclass(frozen=True, slots=True)
class Start:
    """A turn that has a thread of its own and begins behind a node: what that and the nodes before it would have written."""

    node: str
    values: dict[str, Any]


TurnEvent = Token | NodeUpdate | TurnEnd
TurnInput = dict[str, Any] | Command[Any] | Start | None
"""New input, a person's decisions, where to start, or None to finish what was cut short."""


class Turns:
    """Runs on the threads of a graph that is compiled with a checkpointer. It belongs to one event loop.

    Runs on one thread are serialised: in this process in the order in which they came, and with other processes by
    `locks`. A caller may stop listening at any time: the run goes on in a task of its own, and an error that then
    reaches nobody is logged by asyncio. A question that has lapsed by `clock` is a turn that was cut short.
    """

    def __init__(
        self,
        graph: CompiledStateGraph[Any, Context, Any, Any],
        locks: ThreadLocks,
        clock: Clock,
        ledger: Ledger | None = None,
        archive: ThreadArchive | None = None,
    ) -> None:
        self._graph = graph
        self._others = locks
        self._archive = archive
        self._clock = clock
        self._ledger = ledger or Unkept()
        self._tasks: set[asyncio.Task[None]] = set()
        # A lock lives as long as a run holds it or waits for it.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def run(
        self,
        thread_id: str,
        input: TurnInput,
        context: Context,
        *,
        on_token: Callable[[str], None] | None = None,
    ) -> StateSnapshot:
        """Run a turn to its end, or to its interrupt. Raises as `stream` does."""
        async with aclosing(self.stream(thread_id, input, context)) as events:
            async for event in events:
                match event:
                    case Token(text) if on_token:
                        on_token(text)
                    case TurnEnd(state):
                        return state
        raise AssertionError("a run ends with TurnEnd or raises")

    async def stream(self, thread_id: str, input: TurnInput, context: Context) -> AsyncGenerator[TurnEvent, None]:
        """The reply's tokens as they come, each node's update, and the end.

        What was cut short on the thread is finished before new input is taken; a `Start` that was made before goes on
        from where it is. Raises `InterruptedThread` if the thread waits for a person, `NotInterrupted` for decisions
        that nothing waits for, `ArchivedThread`, `NotFound` if there is no such thread or nothing to resume, `BudgetExceeded`
        for new input, and whatever a node raises.
        """
        events: asyncio.Queue[TurnEvent | None] = asyncio.Queue()
        run = asyncio.create_task(self._run(thread_id, input, context, events.put_nowait))
        self._tasks.add(run)
        run.add_done_callback(self._tasks.discard)
        run.add_done_callback(lambda _: events.put_nowait(None))
        while (event := await events.get()) is not None:
            yield event
        run.result()

    async def drain(self) -> None:
        """Wait until every run has ended, listened to or not."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def abandon(self) -> None:
        """End every run now. Their threads are as if the process had been killed: they can be resumed."""
        for task in self._tasks:
            task.cancel()
        await self.drain()

    @asynccontextmanager
    async def alone(self, thread_id: str) -> AsyncIterator[None]:
        """Nothing else runs on the thread meanwhile, in this process or another. Raises `BusyThread`."""
        async with self._locks.setdefault(thread_id, asyncio.Lock()), self._others.hold(thread_id):
            yield

    async def _run(self, thread_id: str, input: TurnInput, context: Context, tell: Callable[[TurnEvent], None]) -> None:
        config = RunnableConfig(configurable={"thread_id": thread_id})
        async with self.alone(thread_id):
            if isinstance(input, dict):  # before anything of it is checkpointed
                await self._ledger.admit(context.scope)
            state = await self._graph.aget_state(config)
            if state.created_at is None and self._archive:
                await self._archive.check(thread_id)
            if isinstance(input, dict) and self._cut_short(state):
                await self._finish(thread_id, config, context)
                state = await self._graph.aget_state(config)
            self._admit(thread_id, input, state)
            if isinstance(input, Start):
                if not state.values:
                    await self._graph.aupdate_state(config, input.values, as_node=input.node)
                elif not state.tasks:
                    return tell(TurnEnd(state))
                input = None
            parts = self._graph.astream(
                input, config, context=context, stream_mode=["messages", "updates"], durability="async"
            )
            async for event in _events(parts):
                tell(event)
            tell(TurnEnd(await self._graph.aget_state(config)))

    async def _finish(self, thread_id: str, config: RunnableConfig, context: Context) -> None:
        """Finish the turn before. If it fails again, only memories that would be lost keep the new input out.

        A question whose reply fails for good (refused by the model, say) must not close the thread for ever.
        """
        try:
            await self._graph.ainvoke(None, config, context=context, durability="async")
        except Exception as error:
            left = {task.name for task in (await self._graph.aget_state(config)).tasks}
            if left & MEMORY_NODES:
                raise
            log.warning(
                "thread %s: a reply failed again (%s); the new message goes on", thread_id, type(error).__name__
            )

    def _cut_short(self, state: StateSnapshot) -> bool:
        # Not `state.next`: it leaves out a node whose result is saved while the checkpoint after it is not.
        return bool(state.tasks) and not self._waits(state)

    def _waits(self, state: StateSnapshot) -> bool:
        return waits([interrupt.value for interrupt in state.interrupts], self._clock.now())

    def _admit(self, thread_id: str, input: TurnInput, state: StateSnapshot) -> None:
        thread = known_name(thread_id)
        if (input is None or isinstance(input, Command)) and state.created_at is None:
            raise NotFound(f"this user has no thread {thread!r}: `perdure threads` lists those that there are")
        if isinstance(input, Command):
            # Decisions that come too late are let through: the node that asked says what becomes of them.
            if not state.interrupts:
                raise NotInterrupted(f"thread {thread!r} waits for no decision: send it a message instead")
        elif self._waits(state):
            raise InterruptedThread(
                f"thread {thread!r} waits for a person's decision: `perdure resume` shows and answers it, as do the"
                " decisions of Memory.resume; a message can follow"
            )
        elif input is None and not state.tasks:
            raise NotFound(f"thread {thread!r} has nothing to resume: send it a message instead")


async def _events(parts: AsyncIterator[Any]) -> AsyncIterator[Token | NodeUpdate]:
    streamed: str | None = (
        None  # id of the message whose text came last: what precedes calls of tools is one of its own
    )
    async for mode, part in parts:
        if mode == "messages":
            if text := _token(*part):
                yield Token(text if streamed in {None, part[0].id} else f"{APART}{text}")
                streamed = part[0].id or ""
            continue
        for node, values in part.items():
            if node == REPLY_NODE:
                if streamed is None and (text := _reply(values)):
                    yield Token(text)
                streamed = None  # a failed node may be tried again
            if not node.startswith("__"):  # an interrupt is in the state at the end
                yield NodeUpdate(node, values or {})


def _token(message: BaseMessage, metadata: Mapping[str, Any]) -> str:
    """Text of the reply in a streamed chunk; a whole message is one that a node returned, not a model streamed."""
    is_token = isinstance(message, AIMessageChunk) and metadata.get("langgraph_node") == REPLY_NODE
    return str(message.text) if is_token else ""


def _reply(values: object) -> str:
    match values:
        case {"messages": AIMessage() as reply} | {"messages": [*_, AIMessage() as reply]}:
            return str(reply.text)
        case _:
            return ""

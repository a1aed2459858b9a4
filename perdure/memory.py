"""The embedding API, for one process and many users: turns and threads, and the parts that do the rest."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from perdure.answer import Answer, ThreadSummary, answer_of
from perdure.archives import Archives
from perdure.backfill import Backfill, BackfillReport, MadeUp, made_up_for
from perdure.by_hand import ByHand
from perdure.consolidation import Consolidation
from perdure.core_memory import CoreMemory
from perdure.costs import Costs
from perdure.deciding import Decided, decide_all, named, pending_of
from perdure.episode_log import EpisodeLog
from perdure.erasure import Erasure
from perdure.erasure_receipt import ErasureReceipt
from perdure.errors import InvalidInput
from perdure.fading import FadingMemories
from perdure.finding import Finding
from perdure.graph.build import Builder
from perdure.graph.context import Context, run_context
from perdure.graph.messages import SENT_AT
from perdure.graph.state import InputState, OutputState, State
from perdure.graph.turns import TurnEvent, Turns
from perdure.lessons import Lessons
from perdure.maintenance import Maintenance
from perdure.moving.part import Moving
from perdure.pending import Json, Pending, waits
from perdure.profile import Profile
from perdure.reembed import Reembed
from perdure.sessions import Sessions
from perdure.settings import Settings
from perdure.stores.episodes import PostgresEpisodeStore
from perdure.stores.pending import ThreadHead, thread_heads
from perdure.stores.policies import PostgresPolicyStore
from perdure.stores.pool import Pool
from perdure.text import MESSAGE_LIMIT, check_text
from perdure.threads import thread_key, thread_prefix
from perdure.time import check_instant

Graph = CompiledStateGraph[State, Context, InputState, OutputState]


@dataclass(frozen=True, kw_only=True)
class Memory(ByHand, Finding):
    """An open memory. ``graph`` is the compiled graph, for streaming and embedding; ``builder`` the uncompiled one.

    Every method takes the user's name, or a whole `Context`; the name wins over the context's.
    """

    policies: PostgresPolicyStore
    profile: Profile
    episode_store: PostgresEpisodeStore
    episodes: EpisodeLog
    sessions: Sessions
    lessons: Lessons
    core: CoreMemory
    builder: Builder
    graph: Graph
    checkpointer: BaseCheckpointSaver[str]
    checkpoints: Pool
    turns: Turns
    costs: Costs
    erasure: Erasure
    fading: FadingMemories
    archives: Archives
    maintenance: Maintenance
    consolidation: Consolidation
    moving: Moving
    reembed: Reembed
    settings: Settings
    place: str
    """Which database it is in, in words, without secrets."""

    @property
    def offline(self) -> bool:
        """No chat model is configured: rules extract, and replies only quote what is remembered."""
        return self.settings.offline

    async def ask(
        self,
        text: str,
        *,
        thread: str,
        user: str | None = None,
        context: Context | None = None,
        sent_at: datetime | None = None,
    ) -> Answer:
        """One turn: recall, reply, extract, write. ``sent_at`` dates a message that was not sent just now; its offset is the
        user's time zone, if the context does not know that.

        Raises `InvalidInput` (nothing is written), `InterruptedThread` while the thread waits for a person,
        `BudgetExceeded` (nothing is written), `ModelUnavailable` or `DatabaseError` (`resume` finishes the turn).
        """
        run = run_context(user, context)
        state = await self.turns.run(thread_key(run.scope, thread), _message(text, sent_at), run)
        return answer_of(state)

    def stream(
        self, text: str, *, thread: str, user: str | None = None, context: Context | None = None
    ) -> AsyncIterator[TurnEvent]:
        """The same turn as events: tokens, node updates, and the end. Whoever stops listening does not stop the turn."""
        run = run_context(user, context)
        return self.turns.stream(thread_key(run.scope, thread), _message(text, None), run)

    async def resume(
        self,
        thread: str,
        *,
        user: str | None = None,
        context: Context | None = None,
        decisions: list[dict[str, Any]] | None = None,
    ) -> Answer:
        """Finish a turn that was cut short, or answer what the thread waits for with one decision per request.

        Raises `NotFound` for an unknown thread or one with nothing to resume, `InterruptedThread` if decisions are
        missing, `NotInterrupted` if nothing waits for them.
        """
        run = run_context(user, context)
        command: Command[Any] | None = Command(resume={"decisions": decisions}) if decisions else None
        key = thread_key(run.scope, thread)
        state = await self.turns.run(key, command, run)
        if made_up_for(thread) and not state.tasks:
            await self.checkpointer.adelete_thread(key)
        return answer_of(state)

    async def threads(self, *, user: str | None = None, context: Context | None = None) -> list[ThreadSummary]:
        """The user's threads, the latest first, and which of them are unfinished."""
        now = self.layer.clock.now()
        return [
            ThreadSummary(name, head.checkpoints, head.updated_at, head.next, waits(head.questions, now))
            for head, name in named(await self._heads(user, context))
        ]

    async def pending(self, *, user: str | None = None, context: Context | None = None) -> list[Pending]:
        """The user's threads that wait for a person, the latest first, and what they ask.

        A thread whose id Perdure did not make, as one of LangGraph Studio, is nobody's by name, and is decided there.
        """
        return pending_of(await self._heads(user, context), self.layer.clock.now())

    async def decide(
        self, decisions: Mapping[str, Sequence[Json]], *, user: str | None = None, context: Context | None = None
    ) -> list[Decided]:
        """Resume many threads, each with its decisions, as `resume` does; each with its answer, or its error."""
        run = run_context(user, context)
        return await decide_all(decisions, lambda thread, made: self.resume(thread, context=run, decisions=made))

    async def backfill(
        self,
        *,
        limit: int | None = None,
        tell: Callable[[MadeUp], None] = lambda _: None,
        user: str | None = None,
        context: Context | None = None,
    ) -> BackfillReport:
        """Extract what a failing model left, oldest first, as `Backfill.run` does; ``tell`` hears of each exchange."""
        run = run_context(user, context)
        made_up = Backfill(self.layer, self.episode_store, self.turns, self.checkpointer, self.checkpoints, run)
        return await made_up.run(limit, tell)

    async def erase(
        self,
        *,
        fact: UUID | None = None,
        thread: str | None = None,
        user: str | None = None,
        context: Context | None = None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> ErasureReceipt:
        """Delete a fact, a thread, or all memories and threads of the user, for good, as `Erasure` does.

        ``tell`` hears what is being done. Raises `NotFound`, `BusyThread`; `InvalidInput` for a fact and a thread at once.
        """
        if fact and thread is not None:
            raise InvalidInput("erase a fact or a thread, one at a time")
        if thread is not None:
            return await self.erasure.thread(thread, user=user, context=context, tell=tell)
        if fact:
            return await self.erasure.fact(fact, user=user, context=context, tell=tell)
        return await self.erasure.user(user=user, context=context, tell=tell)

    async def _heads(self, user: str | None, context: Context | None) -> list[ThreadHead]:
        prefix = thread_prefix(run_context(user, context).scope)
        return await thread_heads(self.checkpoints, self.checkpointer.serde, prefix)


def _message(text: str, sent_at: datetime | None) -> dict[str, Any]:
    """The input of a turn; refused here, before anything of it is checkpointed."""
    if sent_at:
        check_instant(sent_at, "sent_at")
    told = {SENT_AT: sent_at.isoformat()} if sent_at else {}
    content = check_text(text, "the message", limit=MESSAGE_LIMIT)
    return {"messages": [HumanMessage(content, id=str(uuid.uuid4()), additional_kwargs=told)]}

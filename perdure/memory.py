"""The embedding API: ask, recall, and the operations on facts, for one process and many users."""

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
from perdure.asked import Found
from perdure.asked_time import Span
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
from perdure.recall import Query
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


@dataclass(frozen=True, slots=True)
class Memory(ByHand):
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
    reembed: Reembed
    settings: Settings
    place: str
    """Which database it is in, in words, without secrets."""
    consolidation: Consolidation
    moving: Moving

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

    async def recall(
        self,
        query: str,
        *,
        user: str | None = None,
        context: Context | None = None,
        k: int = 10,
        as_of: datetime | None = None,
        during: Span | None = None,
        as_known_at: datetime | None = None,
        preset: str | None = None,
        attributes: Sequence[str] = (),
        threshold: float | None = None,
        explain: bool = False,
    ) -> Found:
        """The memories that are most about the query and held at `as_of` or in `during`, best first.

        They are `k` at most, of which half may be episodes (all, where the preset ranks no facts).

        Without either, a time that the query itself names is used ("last year"), and told as `Found.time`.
        ``as_known_at`` asks for what was believed then. ``preset`` says how to rank (`perdure.presets`). The moments and
        the preset are the context's where none is given. ``threshold`` says how relevant (0..1) the best one must be at
        least (0 to find all there is), ``attributes`` asks for facts of these alone, and ``explain`` adds to each why it
        is where it is. Raises `InvalidInput`.
        """
        run = run_context(user, context)
        vocabulary = await self.attributes.of(run.scope)
        wanted = Query(
            query,
            k=k,
            preset=preset or run.preset,
            as_of=as_of or (None if during else run.as_of),
            during=during,
            as_known_at=as_known_at or run.as_known_at,
            attributes=tuple(stored for name in attributes for stored in vocabulary.names_of(name)),
            episodes=not attributes,
            threshold=threshold,
            explain=explain,
        )
        return await self._search(wanted, run)

    async def conversations(
        self,
        query: str = "",
        *,
        user: str | None = None,
        context: Context | None = None,
        k: int = 10,
        during: Span | None = None,
        thread: str = "",
        explain: bool = False,
    ) -> Found:
        """What was said, word for word, in all threads or in one: the exchanges that are most about the query.

        Without a query, the latest ones. ``during`` leaves out what was said at another time, and a context that is as of
        a moment what was said later. Raises `InvalidInput`.
        """
        run = run_context(user, context)
        wanted = Query(
            query,
            k=k,
            preset="verbatim",
            as_of=None if during else run.as_of,
            during=during,
            as_known_at=run.as_known_at,
            thread=thread,
            explain=explain,
        )
        if not query.strip():
            return await self.layer.latest(run.scope, wanted)
        return await self._search(wanted, run)

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

    async def _search(self, query: Query, run: Context) -> Found:
        at = self.layer.clock.now().astimezone(run.zone)
        return await self.layer.search(run.scope, query, at=at, time_model=run.time_model)

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

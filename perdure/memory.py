"""The embedding API: ask, recall, and the operations on facts, for one process and many users."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from perdure.answer import Answer, ThreadSummary, answer_of
from perdure.attributes import Cardinality, canonical_name, cardinality_of
from perdure.errors import NotFound
from perdure.facts import Action, Kind, Operation, Receipt, Source
from perdure.graph.build import Builder
from perdure.graph.context import Context
from perdure.graph.messages import SENT_AT
from perdure.graph.state import InputState, OutputState, State
from perdure.graph.turns import TurnEvent, Turns
from perdure.layer import MemoryLayer
from perdure.recall import Hit, Query
from perdure.scope import Scope
from perdure.settings import Settings
from perdure.stores.checkpoints import list_threads
from perdure.stores.episodes import PostgresEpisodeStore
from perdure.stores.facts import PostgresFactStore
from perdure.stores.pool import Pool
from perdure.text import MESSAGE_LIMIT, check_text
from perdure.threads import parse_thread_key, thread_key, thread_prefix
from perdure.time import check_instant, check_term

Graph = CompiledStateGraph[State, Context, InputState, OutputState]


@dataclass(frozen=True, slots=True)
class Memory:
    """An open memory. ``graph`` is the compiled graph, for streaming and embedding; ``builder`` the uncompiled one.

    Every method takes the user's name, or a whole `Context`; the name wins over the context's.
    """

    layer: MemoryLayer
    facts: PostgresFactStore
    episodes: PostgresEpisodeStore
    builder: Builder
    graph: Graph
    checkpointer: BaseCheckpointSaver[str]
    checkpoints: Pool
    turns: Turns
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
        """One turn: recall, reply, extract, write. ``sent_at`` dates a message that was not sent just now.

        Raises `InvalidInput` (nothing is written), `InterruptedThread` while the thread waits for a person,
        `ModelUnavailable` or `DatabaseError` (`resume` finishes the turn).
        """
        run = _run_context(user, context)
        state = await self.turns.run(thread_key(run.scope, thread), _message(text, sent_at), run)
        return answer_of(state)

    def stream(
        self, text: str, *, thread: str, user: str | None = None, context: Context | None = None
    ) -> AsyncIterator[TurnEvent]:
        """The same turn as events: tokens, node updates, and the end. Whoever stops listening does not stop the turn."""
        run = _run_context(user, context)
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
        run = _run_context(user, context)
        command: Command[Any] | None = Command(resume={"decisions": decisions}) if decisions else None
        return answer_of(await self.turns.run(thread_key(run.scope, thread), command, run))

    async def recall(
        self,
        query: str,
        *,
        user: str | None = None,
        context: Context | None = None,
        k: int = 10,
        as_of: datetime | None = None,
        as_known_at: datetime | None = None,
    ) -> list[Hit]:
        """The `k` memories nearest to the query that held at `as_of`, as believed at `as_known_at`; best first."""
        return await self.layer.search(
            _run_context(user, context).scope, Query(query, k=k, as_of=as_of, as_known_at=as_known_at)
        )

    async def threads(self, *, user: str | None = None, context: Context | None = None) -> list[ThreadSummary]:
        """The user's threads, the latest first, and which of them are unfinished."""
        found = await list_threads(self.checkpoints, thread_prefix(_run_context(user, context).scope))
        summaries = []
        for record in found:
            state = await self.graph.aget_state({"configurable": {"thread_id": record.thread}})
            summaries.append(
                ThreadSummary(
                    thread=parse_thread_key(record.thread)[1],
                    checkpoints=record.checkpoints,
                    updated_at=record.updated_at,
                    next=tuple(task.name for task in state.tasks),
                    interrupted=bool(state.interrupts),
                )
            )
        return summaries

    async def remember(
        self,
        content: str,
        *,
        attribute: str = "",
        value: str = "",
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        kind: Kind = "fact",
        importance: int = 5,
        user: str | None = None,
        context: Context | None = None,
    ) -> Receipt:
        """Assert a fact. With an attribute it supersedes what held; without one it is a note of its own."""
        run = _run_context(user, context)
        check_term(valid_from or self.layer.clock.now(), valid_to)
        open_ended = bool(attribute and valid_from and not valid_to)
        operation = Operation(
            attribute=attribute,
            value=value,
            content=check_text(content, "the content"),
            valid_from=valid_from,
            valid_to=valid_to,
            kind=kind,
            importance=importance,
            target=await self._superseded(run.scope, attribute) if open_ended else None,
        )
        return await self._apply(operation, run)

    async def correct(
        self,
        target: str,
        content: str,
        *,
        value: str = "",
        valid_from: datetime | None = None,
        user: str | None = None,
        context: Context | None = None,
    ) -> Receipt:
        """The fact was never true; this was. ``target`` is a fact's id, the beginning of one, or an attribute."""
        run = _run_context(user, context)
        old = await self.facts.find(run.scope, target)
        operation = Operation(
            action=Action.CORRECT,
            target=old.id,
            attribute=old.attribute,
            cardinality=old.cardinality,
            subject=old.subject,
            kind=old.kind,
            importance=old.importance,
            value=(value or content) if old.attribute else "",
            content=check_text(content, "the content"),
            valid_from=valid_from,
        )
        return await self._apply(operation, run)

    async def end(
        self, target: str, *, at: datetime | None = None, user: str | None = None, context: Context | None = None
    ) -> Receipt:
        """The fact stopped being true at `at` (default now); nothing takes its place."""
        run = _run_context(user, context)
        old = await self.facts.find(run.scope, target)
        return await self._apply(Operation(action=Action.END, target=old.id, valid_from=at), run)

    async def retract(self, target: str, *, user: str | None = None, context: Context | None = None) -> Receipt:
        """The fact was never true; what it had closed is open again."""
        run = _run_context(user, context)
        old = await self.facts.find(run.scope, target)
        return await self._apply(Operation(action=Action.RETRACT, target=old.id), run)

    async def erase(
        self, *, fact: UUID | None = None, user: str | None = None, context: Context | None = None
    ) -> dict[str, int]:
        """Delete a fact, or all memories and threads of the user, for good; how many of each.

        Of a fact, the exchanges in which it was said stay. Raises `NotFound`.
        """
        scope = _run_context(user, context).scope
        counts = await self.facts.erase(scope, fact)
        if fact is None:
            threads = await list_threads(self.checkpoints, thread_prefix(scope))
            for record in threads:
                await self.checkpointer.adelete_thread(record.thread)
            counts["threads"] = len(threads)
        return counts

    async def _superseded(self, scope: Scope, attribute: str) -> UUID | None:
        """The fact that now holds for a single attribute: what was told of it without a date gives way to a date."""
        if cardinality_of(canonical_name(attribute)) is Cardinality.MANY:
            return None
        current = await self.facts.facts(scope, attribute=attribute)
        return next((fact.id for fact in current), None)

    async def _apply(self, operation: Operation, run: Context) -> Receipt:
        (receipt,) = await self.layer.save(run.scope, [operation], Source(at=self.layer.clock.now()))
        if receipt.outcome == "dropped":
            raise NotFound(f"{operation.action.value}: {receipt.why}; nothing was written")
        return receipt


def _run_context(user: str | None, context: Context | None) -> Context:
    context = context or Context()
    return context if user is None else context.model_copy(update={"user": user})


def _message(text: str, sent_at: datetime | None) -> dict[str, Any]:
    """The input of a turn; refused here, before anything of it is checkpointed."""
    told = {SENT_AT: check_instant(sent_at, "sent_at").isoformat()} if sent_at else {}
    content = check_text(text, "the message", limit=MESSAGE_LIMIT)
    return {"messages": [HumanMessage(content, id=str(uuid.uuid4()), additional_kwargs=told)]}

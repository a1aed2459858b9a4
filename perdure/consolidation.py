"""Memories that say the same in other words, made one: the part of `Memory` that runs, lists and undoes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver

from perdure.alike import SIMILARITY
from perdure.facts import USER, Source
from perdure.graph.consolidation import ConsolidationBuilder
from perdure.graph.consolidation_context import ConsolidationContext
from perdure.graph.consolidation_state import START, Json
from perdure.graph.context import Context, run_context
from perdure.graph.turns import Turns
from perdure.merging import Merge
from perdure.plain import Record
from perdure.scope import Scope
from perdure.stores.consolidation import PostgresConsolidationStore
from perdure.threads import thread_key
from perdure.time import Clock

THREAD = "consolidation-of-the-user"
"""The name of the thread in which a user's consolidation runs; of an agent's own memory, with the agent's name behind."""
MOST_STEPS = 1_000_000
"""Of the graph: a step for every batch, however many there are."""


@dataclass(frozen=True, slots=True)
class ConsolidationReport(Record):
    """What became of the groups; each of ``merges`` is a `Merging` as JSON."""

    surveyed: int
    merged: int
    """In a dry run, those that would be."""
    left_alone: int
    merges: list[Json]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is: facts that were looked at, and the groups that have just been done, each a `Merging` as JSON."""

    surveyed: int
    done: Sequence[Json]


@dataclass(frozen=True, slots=True)
class Consolidation:
    """Works on exactly the memory of the context's agent, or on exactly the shared one. ``builder`` is the graph."""

    builder: ConsolidationBuilder
    store: PostgresConsolidationStore
    turns: Turns
    checkpointer: BaseCheckpointSaver[str]
    clock: Clock

    async def run(
        self,
        *,
        similarity: float = SIMILARITY,
        dry_run: bool = False,
        tell: Callable[[Progress], None] = lambda _: None,
        user: str | None = None,
        context: Context | None = None,
    ) -> ConsolidationReport:
        """Merge what says the same; one that was cut short goes on where it was when it is run again in the same way.

        ``similarity`` (0..1] is the cosine from which on two facts are looked at. Raises `BusyThread` while another runs
        for the user, `ModelUnavailable`, `DatabaseError`, and pydantic's `ValidationError` for a similarity outside.
        """
        asked = run_context(user, context)
        wanted = ConsolidationContext(
            user=asked.user,
            tenant=asked.tenant,
            agent=asked.agent,
            similarity=similarity,
            dry_run=dry_run,
            extract_model=asked.extract_model,
        )
        key = self._key(wanted.scope)
        async with self.turns.alone(key):
            values = await self._run(key, wanted, tell)
            await self.checkpointer.adelete_thread(key)
        outcomes = [one["outcome"] for one in values["merges"]]
        left = outcomes.count("left alone")
        return ConsolidationReport(values["surveyed"], len(outcomes) - left, left, values["merges"])

    async def list(self, *, user: str | None = None, context: Context | None = None) -> Sequence[Merge]:
        """All merges that were made, undone or not, the latest first."""
        return await self.store.merges(run_context(user, context).scope)

    async def undo(self, merge: str, *, user: str | None = None, context: Context | None = None) -> Merge:
        """Take a merge back: the facts that it was made of are as they were, and are not merged again.

        Undoing it again changes nothing. Raises `NotFound`, or `StaleFact` where what it made was changed since.
        """
        run = run_context(user, context)
        source = Source(at=self.clock.now(), message=f"undo-{merge}", author=run.reviewer or USER)
        return await self.store.undo(run.scope, merge, source)

    async def count(self, *, user: str | None = None, context: Context | None = None) -> int:
        """How many facts a run looks at."""
        return await self.store.count(run_context(user, context).scope)

    async def _run(self, key: str, wanted: ConsolidationContext, tell: Callable[[Progress], None]) -> dict[str, Any]:
        graph = self.builder.compile(checkpointer=self.checkpointer, name="consolidation")
        config = RunnableConfig(configurable={"thread_id": key}, recursion_limit=MOST_STEPS)
        begun = await graph.aget_state(config)
        goes_on = bool(begun.tasks) and begun.values.get("context") == wanted.model_dump(mode="json")
        if begun.values and not goes_on:
            await self.checkpointer.adelete_thread(key)
        input: Any = None if goes_on else {"cursor": START}
        steps = graph.astream(input, config, context=wanted, stream_mode="updates", durability="async")
        told = len(begun.values["merges"]) if goes_on else 0
        surveyed = begun.values["surveyed"] if goes_on else 0
        async for step in steps:
            for values in step.values():
                surveyed = values.get("surveyed", surveyed)
                done = values.get("merges", [])[told:]
                told += len(done)
                tell(Progress(surveyed, done))
        state = await graph.aget_state(config)
        return dict(state.values)

    def _key(self, scope: Scope) -> str:
        return thread_key(scope, f"{THREAD}-{scope.agent}" if scope.agent else THREAD)

"""Runs the labelled cases: by the rules from end to end, and by the reconcile step alone."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bench.writes_cases import Case, Label, Labelled, Message
from bench.writes_score import Asked, Outcome, thread_of
from perdure.app import open_memory
from perdure.attributes import BUILT_IN, Cardinality
from perdure.facts import Action, Operation, Source
from perdure.graph.context import Context
from perdure.memory import Memory
from perdure.scope import Scope
from perdure.settings import LOCAL_EMBEDDER, Settings

AFTERWARDS = datetime(2027, 1, 1, tzinfo=UTC)
"""The present of the bench: after every message, so that no result depends on the day it is run."""


class _Afterwards:
    def now(self) -> datetime:
        return AFTERWARDS


@asynccontextmanager
async def throwaway_memory(server: str | None = None) -> AsyncIterator[Memory]:
    """On a database that is thrown away, with the chat model of this server, else offline; the environment says nothing."""
    with temporary_home() as home:
        settings = Settings(
            home=home,
            database_url=None,
            memory_url=None,
            checkpoint_url=None,
            openai_api_key=None,
            openai_base_url=server,
            embedding_model=LOCAL_EMBEDDER,
            embedding_dimensions=None,
        )
        async with open_memory(settings, clock=_Afterwards(), ephemeral=True) as memory:
            yield memory


@contextmanager
def temporary_home() -> Iterator[Path]:
    """For a server that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="perdure-") as home:
        Path(home).chmod(0o755)  # for root: the account that the server runs under must pass
        yield Path(home)


async def by_rules(memory: Memory, cases: Sequence[Case], tick: Callable[[], None]) -> list[Outcome]:
    """Every message as a turn of its own thread, through the graph, with the rules as extractor."""
    outcomes = []
    for case in cases:
        # What a person would be asked about is applied: it is measured what is written, not who agrees.
        context = Context(user=f"rules {case.id}", policy="apply")
        for turn, message in enumerate(case.messages):
            await memory.ask(message.said, thread=thread_of(turn), context=context, sent_at=message.sent_at)
        outcomes.append(await outcome_of(memory, case, context.scope))
        tick()
    return outcomes


async def by_reconciling(memory: Memory, cases: Sequence[Case], tick: Callable[[], None]) -> list[Outcome]:
    """The labelled operations as a model gives them, without targets, straight to the store.

    Only a correction among many values names what it corrects, as nothing else can tell. Cases of which the last
    message holds nothing are left out: nothing is reconciled there.
    """
    outcomes = []
    for case in cases:
        if case.label is not Label.NOTHING:
            scope = Scope(user=f"reconcile {case.id}")
            for turn, message in enumerate(case.messages):
                await _save(memory, scope, case, turn, message)
            outcomes.append(await outcome_of(memory, case, scope))
        tick()
    return outcomes


async def _save(memory: Memory, scope: Scope, case: Case, turn: int, message: Message) -> None:
    operations = [operation_of(label, message) for label in message.operations]
    many = [one for one in operations if one.action is Action.CORRECT and is_many(one.attribute)]
    if many:
        old = (await outcome_of(memory, case, scope)).stored(case.pair()[0])
        target = old.id if old else None
        operations = [one.model_copy(update={"target": target}) if one in many else one for one in operations]
    await memory.layer.save(scope, operations, Source(message.sent_at, thread_of(turn), f"{case.id} {turn}"))


def operation_of(label: Labelled, message: Message) -> Operation:
    """The labelled operation as a model would ask for it."""
    return Operation(
        action=label.action,
        attribute=label.named or label.attribute,
        value=label.value if label.attribute else "",
        content="" if label.ends else message.said if label.attribute else label.value,
        subject=label.subject,
        cardinality=Cardinality.MANY if label.many else None,
        valid_from=label.starts,
        evidence=message.said,
    )


def is_many(attribute: str) -> bool:
    return BUILT_IN.cardinality(attribute) is Cardinality.MANY


async def outcome_of(memory: Memory, case: Case, scope: Scope, asked: tuple[Asked, ...] = ()) -> Outcome:
    return Outcome(case, tuple(await memory.facts.statements(scope)), asked)

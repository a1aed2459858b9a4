"""Contestants that rank memories for a question, behind one protocol, and the contest that asks all of them the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from rich.progress import Progress, TaskID

from bench.cached_vectors import CachedVectors

PRESENT = datetime(2027, 1, 1, tzinfo=UTC)
"""The present of the bench: after every date of the data, so that no result depends on the day it is run."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Something to be remembered."""

    id: str
    text: str
    at: datetime
    """When it was said; of a fact, since when it holds."""
    user: str = "user"
    agent: str = ""
    """Whose memory it is; empty for what all agents of the user share."""
    thread: str = ""
    exchange: bool = False
    """A message of a conversation, in its thread; else a fact."""
    slot: str = ""
    """The single-valued attribute that the fact is about; empty for a note, which supersedes nothing."""
    value: str = ""
    aliases: tuple[str, ...] = ()
    """What else the slot is called."""
    speaker: str = ""
    """Who says it, of a message between people."""
    until: datetime | None = None
    """When the fact stopped being true, where that was said."""


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    user: str = "user"
    agents: tuple[str, ...] = ("",)
    """Through whose eyes: of each agent, its own memories and the shared ones."""
    whole: bool = False
    """The order of all is asked for, however far they fall behind the best."""
    asked_at: datetime | None = None
    """When it is asked, where that is not the present of the bench: what "last month" counts from."""
    as_of: datetime | None = None
    """What was true then, instead of now. Who knows no terms leaves out what was said later."""


@dataclass(frozen=True, slots=True)
class Found:
    id: str
    relevance: float
    """Higher is nearer; comparable between the questions of one contestant, not between contestants."""


Ranking = list[Found]


class Ranker(Protocol):
    @property
    def name(self) -> str: ...

    async def load(self, memories: Sequence[Memory], tick: Callable[[int], object]) -> None:
        """Forget what was loaded before, and remember these, in this order; `tick` is told how many are done."""
        ...

    async def rank(self, question: Question, k: int) -> Ranking:
        """The best `k` at most, best first; fewer, or none, for one that may abstain."""
        ...


@dataclass(frozen=True, slots=True)
class Contest:
    """Gives every contestant the same memories, questions and vectors."""

    rankers: Sequence[Ranker]
    vectors: CachedVectors
    progress: Progress

    async def run(
        self, title: str, memories: Sequence[Memory], questions: Sequence[Question], k: int = 10
    ) -> dict[str, list[Ranking]]:
        """By contestant, the ranking of each question. A blank question finds nothing: nobody is asked."""
        task = self.progress.add_task(title, total=None)
        await self._prepare(task, f"{title}: vectors", memories, questions)
        found: dict[str, list[Ranking]] = {}
        for ranker in self.rankers:
            description = f"{title}: {ranker.name}"
            self.progress.reset(task, description=description, total=len(memories) + len(questions))
            await ranker.load(memories, lambda done: self.progress.advance(task, done))
            found[ranker.name] = []
            for question in questions:
                asked = question.text.strip()
                found[ranker.name].append(await ranker.rank(question, k) if asked else [])
                self.progress.advance(task)
        self.progress.remove_task(task)
        return found

    async def _prepare(
        self, task: TaskID, description: str, memories: Sequence[Memory], questions: Sequence[Question]
    ) -> None:
        documents = {memory.text for memory in memories}
        queries = {question.text for question in questions if question.text.strip()}
        self.progress.reset(task, description=description, total=len(documents) + len(queries))
        await self.vectors.prepare(queries, lambda done: self.progress.advance(task, done), query=True)
        await self.vectors.prepare(documents, lambda done: self.progress.advance(task, done), query=False)


def ids(ranking: Ranking) -> list[str]:
    return [found.id for found in ranking]

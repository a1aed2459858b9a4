"""Lessons: what tasks that are alike have taught, with the tasks that they come from."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass

from perdure.episodes import Episode, NewEpisode
from perdure.graph.context import Context, run_context
from perdure.language import detect_language
from perdure.layer import MemoryLayer
from perdure.lesson import STALE, SUPERSEDED, LessonText, lesson_content, tried_of
from perdure.plain import Record
from perdure.ports import LessonWriter
from perdure.scope import Scope
from perdure.stores.episodes import PostgresEpisodeStore
from perdure.stores.lessons import PostgresLessonStore
from perdure.task_groups import ALIKE, task_groups
from perdure.turn import Usage

LEAST = 3
"""Tasks that are alike, from which on there is something to learn."""


@dataclass(frozen=True, slots=True)
class LessonsReport(Record):
    """Lessons that were made, of how many users' agents, and the model calls that it took."""

    lessons: int
    learners: int
    usage: tuple[Usage, ...]


@dataclass(frozen=True, slots=True)
class Lessons:
    """The part of `Memory` that learns from tasks."""

    layer: MemoryLayer
    episodes: PostgresEpisodeStore
    store: PostgresLessonStore
    writer: LessonWriter

    async def distil(
        self,
        *,
        alike: float = ALIKE,
        tell: Callable[[Episode], None] = lambda _: None,
        user: str | None = None,
        context: Context | None = None,
    ) -> LessonsReport:
        """Draw a lesson from every three or more tasks of the user's agent that are alike; ``tell`` hears of each.

        One that has new sources takes the place of the lesson from the old ones. Where nothing is new, nothing is done;
        a lesson that a person invalidated is not drawn again from the same tasks. ``alike`` is the least average cosine of
        their vectors. Raises `ModelUnavailable` (the embedder) or `DatabaseError`.
        """
        run = run_context(user, context)
        made = [one async for one in self._distil(run.scope, alike, run.summary_model, tell)]
        return LessonsReport(len(made), 1, tuple(call for text in made for call in text.usage))

    async def distil_all(
        self,
        *,
        alike: float = ALIKE,
        limit: int | None = None,
        tell: Callable[[Episode], None] = lambda _: None,
        context: Context | None = None,
    ) -> LessonsReport:
        """The same for the agents of all users of the context's tenant, of `limit` at most.

        Each lesson is saved by itself: cut short, it goes on where it was when it is run again.
        """
        run, learners, made = run_context(None, context), 0, list[LessonText]()
        async for scope in self.store.who_tried(run.tenant, LEAST):
            if limit is not None and learners >= limit:
                break
            learners += 1
            made += [one async for one in self._distil(scope, alike, run.summary_model, tell)]
        return LessonsReport(len(made), learners, tuple(call for text in made for call in text.usage))

    async def latest(self, *, k: int = 20, user: str | None = None, context: Context | None = None) -> list[Episode]:
        """The lessons that are taught, the latest first; `details["sources"]` are the tasks that each comes from."""
        return await self.episodes.latest(run_context(user, context).scope, "lesson", k)

    async def _distil(
        self, scope: Scope, alike: float, model: str, tell: Callable[[Episode], None]
    ) -> AsyncIterator[LessonText]:
        tasks = await self.store.tasks(scope)
        if len(tasks) < LEAST:
            return
        known = [_sources(lesson) for lesson in await self.store.lessons(scope) if _stands(lesson)]
        wanted = [tried_of(task).task for task in tasks]
        vectors = await self.layer.embeddings.documents(scope, wanted)
        groups = await asyncio.to_thread(task_groups, [vectors[task] for task in wanted], alike)
        for group in groups:
            sources = [tasks[position] for position in group]
            ids = {str(source.id) for source in sources}
            if len(ids) < LEAST or any(ids <= lesson for lesson in known):
                continue
            if made := await self._teach(scope, sources, model):
                lesson, text = made
                tell(lesson)
                yield text

    async def _teach(self, scope: Scope, sources: Sequence[Episode], model: str) -> tuple[Episode, LessonText] | None:
        """The lesson from these tasks; None if one of them proved wrong meanwhile."""
        tried = [tried_of(source) for source in sources]
        language = detect_language(" ".join(one.task for one in tried))
        text = await self.writer.write(tried, language, model=model)
        lesson = NewEpisode(
            id=uuid.uuid4(),
            kind="lesson",
            content=lesson_content(tried, sources, text, language),
            occurred_at=self.layer.clock.now(),
            details={
                "sources": [str(source.id) for source in sources],
                "successes": sum(one.result == "well" for one in tried),
                "failures": sum(one.result == "badly" for one in tried),
                "works": text.works,
                "fails": text.fails,
                "by": text.by,
            },
        )
        vectors = await self.layer.embeddings.documents(scope, [lesson.content])
        if not await self.store.teach(scope, lesson, vectors):
            return None
        return await self.episodes.get(scope, lesson.id), text


def _sources(lesson: Episode) -> set[str]:
    sources = lesson.details.get("sources")
    return set(map(str, sources)) if isinstance(sources, list) else set()


def _stands(lesson: Episode) -> bool:
    """Whether it is taught, or a person said that it is wrong: neither is drawn again from the same tasks."""
    return lesson.valid_to is None or lesson.invalidated_because not in (SUPERSEDED, STALE)

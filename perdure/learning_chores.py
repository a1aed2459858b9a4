"""Chores that learn from what happened: conversations that have ended become sessions, and tasks that are alike lessons."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from perdure.lessons import Lessons
from perdure.maintenance import Batch
from perdure.scope import Scope
from perdure.sessions import Sessions


@dataclass(frozen=True, slots=True)
class EndSessions:
    """Ends the conversations in which nobody has spoken for long."""

    sessions: Sessions
    name: str = "sessions"

    async def due(self, scope: Scope) -> int:
        return len([thread async for _, thread in self.sessions.idle(scope.tenant, scope.user)])

    async def batches(self, scope: Scope) -> AsyncIterator[Batch]:
        async for owner, thread in self.sessions.idle(scope.tenant, scope.user):
            yield Batch(len(await self.sessions.end_in(owner, thread)))


@dataclass(frozen=True, slots=True)
class DistilLessons:
    """Draws lessons from tasks that are alike."""

    lessons: Lessons
    name: str = "lessons"

    async def due(self, scope: Scope) -> int:
        learners = [learner async for learner in self.lessons.learners(scope.tenant, scope.user)]
        return sum([len(await self.lessons.to_learn(learner)) for learner in learners])

    async def batches(self, scope: Scope) -> AsyncIterator[Batch]:
        async for learner in self.lessons.learners(scope.tenant, scope.user):
            yield Batch(len(await self.lessons.learn(learner)))

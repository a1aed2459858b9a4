"""What was tried and what came of it: tasks logged, found again when a similar one comes, and taken back if they were wrong."""

from __future__ import annotations

import asyncio
import math
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from perdure.context_block import build_context, flatten
from perdure.credentials import redacted_all
from perdure.episodes import Episode, NewEpisode, episode_id
from perdure.errors import InvalidInput, InvalidText, PerdureError
from perdure.graph.context import Context, run_context
from perdure.language import detect_language
from perdure.layer import MemoryLayer
from perdure.lesson import FAILED
from perdure.logs import logger_named
from perdure.plain import Record
from perdure.prompts import render
from perdure.recall import Hit, Query
from perdure.scope import Scope, check_name
from perdure.stores.episodes import PostgresEpisodeStore
from perdure.task_run import TaskRun
from perdure.text import CONTENT_LIMIT, MESSAGE_LIMIT, check_text

MOST = 2**53
"""Milliseconds and tokens: more than any task takes."""
_NEEDED = ("task", "approach", "outcome")
"""A line each of what is kept."""
ERROR_SHOWN = 500
"""Characters of an error's message that are kept."""
_LOG = logger_named("perdure")


@dataclass(frozen=True, slots=True)
class SimilarTask(Record):
    """A past task like the one that was asked about."""

    episode: Episode
    score: float
    """What it is ranked by: how alike it is, and how well it went. It compares the tasks of one search."""
    relevance: float
    """How alike it is, 0..1."""


@dataclass(frozen=True, slots=True)
class EpisodeLog:
    """The part of `Memory` that keeps tasks. ``store`` has the episodes of every kind."""

    layer: MemoryLayer
    store: PostgresEpisodeStore

    async def log(
        self,
        task: str,
        approach: str,
        outcome: str,
        *,
        quality: float | None = None,
        duration_ms: float | None = None,
        token_cost: int | None = None,
        notes: str = "",
        error: str = "",
        thread: str = "",
        key: str = "",
        user: str | None = None,
        context: Context | None = None,
    ) -> Episode:
        """Keep what was to be done, how, and what came of it. ``quality`` is 0..1, ``token_cost`` of all model calls.

        ``key`` is the caller's own name of this run of the task: logging it again changes nothing. Credentials are
        redacted. Raises `InvalidInput` for values that cannot be, `ModelUnavailable` (the embedder) or `DatabaseError`.
        """
        scope = run_context(user, context).scope
        numbers = {
            "quality": _number(quality, "the quality", most=1),
            "duration_ms": _number(duration_ms, "the duration", most=MOST),
            "token_cost": _number(token_cost, "the token cost", most=MOST),
        }
        told = {"task": task, "approach": approach, "outcome": outcome, "notes": notes, "error": error}
        texts = {name: _line(text, f"the {name}") for name, text in told.items() if name in _NEEDED or text}
        texts = dict(zip(texts, redacted_all(*texts.values()), strict=True))
        return await self._keep(scope, texts, numbers, thread, key)

    @asynccontextmanager
    async def task(
        self,
        task: str,
        *,
        approach: str,
        thread: str = "",
        key: str = "",
        user: str | None = None,
        context: Context | None = None,
    ) -> AsyncIterator[TaskRun]:
        """Log what is done inside: how long it takes, what it costs, and what comes of it; an error too, which goes on.

        Set `outcome`, `quality` and `notes` of what it gives, and tell `spent` of each model call. A task that is cut
        short by an error has failed, with quality 0 unless it was set; one that is cancelled says nothing of its approach.
        """
        run = TaskRun(_line(task, "the task"), _line(approach, "the approach"))
        began = self.layer.clock.now()

        async def keep(error: str = "") -> None:
            run.episode = await self.log(
                run.task,
                run.approach,
                run.outcome,
                quality=run.quality,
                duration_ms=max(0.0, (self.layer.clock.now() - began).total_seconds() * 1000),
                token_cost=run.tokens,
                notes=run.notes,
                error=error,
                thread=thread,
                key=key,
                user=user,
                context=context,
            )

        try:
            yield run
        except (Exception, asyncio.CancelledError) as error:
            run.outcome = FAILED
            if run.quality is None and isinstance(error, Exception):
                run.quality = 0.0
            try:
                await asyncio.shield(keep(_told(error)))
            except PerdureError as failure:  # what happened matters more than that it could not be kept
                _LOG.warning("a failed task could not be kept: %s", failure)
            raise
        await keep()

    async def recall_similar(
        self, task: str, *, k: int = 3, user: str | None = None, context: Context | None = None
    ) -> list[SimilarTask]:
        """Past tasks like this one, by how alike they are and how well they went; never one that proved wrong."""
        scope = run_context(user, context).scope
        hits = await self._similar(scope, task, k)
        episodes = await self.store.named(scope, [hit.id for hit in hits])
        return [SimilarTask(episodes[hit.id], hit.score, hit.relevance) for hit in hits if hit.id in episodes]

    async def examples(
        self,
        task: str,
        *,
        k: int = 3,
        budget_tokens: int = 800,
        user: str | None = None,
        context: Context | None = None,
    ) -> str:
        """The same as examples for a prompt, framed as data, in the context's language or the task's; empty if there are none."""
        run = run_context(user, context)
        hits = await self._similar(run.scope, task, k)
        language = detect_language(task) if run.language == "auto" else run.language
        at = self.layer.clock.now().astimezone(run.zone)
        block = build_context(hits, language=language, at=at, budget_tokens=budget_tokens)
        return render("examples", language, tasks=block.text) if block.text else ""

    async def latest(self, *, k: int = 20, user: str | None = None, context: Context | None = None) -> list[Episode]:
        """The latest tasks, those that proved wrong too."""
        return await self.store.latest(run_context(user, context).scope, "task", k, wrong=True)

    async def invalidate(
        self,
        target: str,
        *,
        because: str,
        at: datetime | None = None,
        user: str | None = None,
        context: Context | None = None,
    ) -> Episode:
        """The episode proved wrong at `at` (default now): it is not found any more, nor is a lesson drawn from it.

        ``target`` is its id, or the beginning of it. Doing it again changes nothing. Raises `NotFound`.
        """
        scope = run_context(user, context).scope
        found = await self.store.find(scope, target)
        return await self.store.invalidate(scope, found.id, at=at or self.layer.clock.now(), because=because)

    async def _keep(
        self, scope: Scope, texts: dict[str, str], numbers: dict[str, Any], thread: str, key: str
    ) -> Episode:
        content = "\n".join(texts[name] for name in _NEEDED)
        episode = NewEpisode(
            id=episode_id(scope, "task", key) if key else uuid.uuid4(),
            kind="task",
            content=content,
            occurred_at=self.layer.clock.now(),
            thread=check_name(thread, "thread", allow_empty=True),
            details={name: value for name, value in (texts | numbers).items() if value is not None},
        )
        # The task alone, too: lessons are drawn from tasks that are alike, whatever came of them.
        vectors = await self.layer.embeddings.documents(scope, [content, texts["task"]])
        await self.store.append(scope, [episode], vectors)
        return await self.store.get(scope, episode.id)

    async def _similar(self, scope: Scope, task: str, k: int) -> list[Hit]:
        """No time is read from the text: a task that speaks of May is not one that was done in May."""
        text = check_text(task, "the task", limit=MESSAGE_LIMIT)
        vector = await self.layer.embeddings.query(scope, text)
        return await self.layer.recalls.search(scope, Query(text, k=k, preset="strategies"), vector)


def _line(text: str, what: str) -> str:
    """On one line. Raises `InvalidText`."""
    if not (line := flatten(check_text(text, what, limit=CONTENT_LIMIT))):
        raise InvalidText(f"{what} has nothing that can be seen: say something")
    return line


def _number(number: float | None, what: str, *, most: float) -> float | None:
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise InvalidInput(f"{what} is a {type(number).__name__}: give a number")
    if not (math.isfinite(number) and 0 <= number <= most):
        raise InvalidInput(f"{what} cannot be {number}: give 0 to {most}, or leave it out")
    return number


def _told(error: BaseException) -> str:
    """The type and the message; what is odd in it must not keep the failure from being kept."""
    message = flatten(str(error))[:ERROR_SHOWN]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__

"""What people see of tasks, sessions and lessons."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING

from perdure.cli.render import day, minute, short, shown, table_of
from perdure.episodes import Episode

if TYPE_CHECKING:
    from rich.table import Table

    from perdure.episode_log import SimilarTask


def tasks_table(tasks: Sequence[Episode], zone: tzinfo) -> Table | str:
    if not tasks:
        return "no tasks"
    table = table_of("id", "since", "quality", "task → approach → outcome")
    for task in tasks:
        wrong = f" (proved wrong: {shown(task.invalidated_because)})" if task.valid_to else ""
        table.add_row(
            short(task.id),
            day(task.occurred_at, zone),
            _quality(task),
            told(task) + wrong,
            style="dim" if task.valid_to else "",
        )
    return table


def similar_table(found: Sequence[SimilarTask], zone: tzinfo) -> Table | str:
    if not found:
        return "no task like this one is remembered"
    table = table_of("score", "id", "since", "quality", "task → approach → outcome")
    for one in found:
        task = one.episode
        table.add_row(f"{one.score:.2f}", short(task.id), day(task.occurred_at, zone), _quality(task), told(task))
    return table


def sessions_table(sessions: Sequence[Episode], zone: tzinfo) -> Table | str:
    if not sessions:
        return "no sessions"
    table = table_of("id", "until", "thread", "exchanges", "facts", "summary")
    for session in sessions:
        details = session.details
        table.add_row(
            short(session.id),
            minute(session.occurred_at, zone),
            shown(session.thread),
            str(details.get("exchanges", "")),
            str(len(details.get("facts", ()))),
            shown(session.content),
        )
    return table


def lessons_table(lessons: Sequence[Episode], zone: tzinfo) -> Table | str:
    if not lessons:
        return "no lessons"
    table = table_of("id", "since", "lesson")
    for lesson in lessons:
        table.add_row(short(lesson.id), day(lesson.occurred_at, zone), shown(lesson.content))
    return table


def session_line(session: Episode, zone: tzinfo) -> str:
    since = datetime.fromisoformat(session.details["from"])
    term = f"{minute(since, zone)} → {minute(session.occurred_at, zone)}"
    return f"{shown(session.thread)}, {term}: {shown(session.content)} [{short(session.id)}]"


def told(episode: Episode) -> str:
    """Its lines in one; those of a task lead from one to the next."""
    return shown(" → ".join(episode.content.splitlines()) if episode.kind == "task" else episode.content)


def _quality(task: Episode) -> str:
    quality = task.details.get("quality")
    return f"{quality:.2f}" if isinstance(quality, int | float) else ""

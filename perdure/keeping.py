"""The parts of a memory that keep it: what fades, what is in the archive, and the upkeep that moves it there."""

from __future__ import annotations

from dataclasses import dataclass

from perdure.archives import Archives
from perdure.chores import chores
from perdure.fading import FadingMemories
from perdure.graph.turns import Turns
from perdure.idle_threads import Threads
from perdure.layer import MemoryLayer
from perdure.lessons import Lessons
from perdure.maintenance import Maintenance
from perdure.sessions import Sessions
from perdure.settings import Settings
from perdure.stores.archived_checkpoints import ArchivedCheckpoints
from perdure.stores.archives import PostgresArchives
from perdure.stores.expiry import PostgresExpiry
from perdure.stores.fading import PostgresFading
from perdure.stores.pool import Pool
from perdure.stores.upkeep import PostgresUpkeep


@dataclass(frozen=True, slots=True)
class Keeping:
    fading: FadingMemories
    archives: Archives
    maintenance: Maintenance


def keeping(
    settings: Settings,
    layer: MemoryLayer,
    turns: Turns,
    threads: Threads,
    memory: Pool,
    upkeep: PostgresUpkeep,
    sessions: Sessions,
    lessons: Lessons,
) -> Keeping:
    clock = layer.clock
    fading = PostgresFading(memory, clock)
    archives = Archives(
        PostgresArchives(memory),
        ArchivedCheckpoints(threads.checkpoints),
        threads,
        turns,
        layer.embeddings,
        settings.archive_folder,
        clock,
    )
    expiry = PostgresExpiry(memory, clock)
    done = chores(settings, expiry, fading, upkeep, archives, threads, turns, sessions, lessons)
    return Keeping(FadingMemories(fading, settings.retention, clock), archives, Maintenance(upkeep, done))

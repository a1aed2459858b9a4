"""The parts of a memory, put together over what was opened for it. Nothing is opened here, and nothing is awaited."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from perdure import redaction
from perdure.archives import Archives
from perdure.chores import ArchiveIdle, Expire, Fade, ForgetVectors, Prune
from perdure.consolidation import Consolidation
from perdure.core_memory import CoreMemory
from perdure.costs import Costs
from perdure.database import Databases
from perdure.episode_log import EpisodeLog
from perdure.erasure import Erasure
from perdure.fading import FadingMemories
from perdure.graph.build import Resources, build_graph
from perdure.graph.consolidation import ConsolidationResources, build_consolidation
from perdure.graph.turns import Turns
from perdure.idle_threads import Threads
from perdure.layer import MemoryLayer
from perdure.learning_chores import DistilLessons, EndSessions
from perdure.ledger import CostLedger
from perdure.lessons import Lessons
from perdure.maintenance import Chore, Maintenance
from perdure.memory import Memory
from perdure.models import evidence
from perdure.models.embedding_cache import CachedEmbedder
from perdure.models.succession import Succession
from perdure.models.tool_grounding import ground_tool
from perdure.moving.part import Moving
from perdure.ports import Embedder
from perdure.profile import Profile
from perdure.reembed import Reembed
from perdure.roles import roles_of
from perdure.sessions import Sessions
from perdure.settings import Settings
from perdure.stores.archived_checkpoints import ArchivedCheckpoints
from perdure.stores.archives import PostgresArchives
from perdure.stores.checkpoints import PooledSaver
from perdure.stores.consolidation import PostgresConsolidationStore
from perdure.stores.core_blocks import PostgresCoreStore
from perdure.stores.costs import PostgresCostStore
from perdure.stores.episodes import PostgresEpisodeStore
from perdure.stores.erasures import PostgresErasures
from perdure.stores.expiry import PostgresExpiry
from perdure.stores.facts import PostgresFactStore
from perdure.stores.fading import PostgresFading
from perdure.stores.lessons import PostgresLessonStore
from perdure.stores.moving import MovingStore
from perdure.stores.policies import PostgresPolicyStore
from perdure.stores.pool import Pool
from perdure.stores.profile import PostgresProfileStore
from perdure.stores.recall import PostgresRecallStore
from perdure.stores.reembedding import PostgresEmbedderRegister
from perdure.stores.sessions import PostgresSessionStore
from perdure.stores.thread_locks import PostgresThreadLocks
from perdure.stores.upkeep import PostgresUpkeep
from perdure.stores.vectors import VectorStore
from perdure.stores.vocabulary import PostgresVocabularies
from perdure.time import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What was opened for a memory. Whoever opened it closes it."""

    settings: Settings
    clock: Clock
    databases: Databases
    pool: Pool
    checkpoints: Pool
    """Often the same pool."""
    checkpointer: PooledSaver
    locks: PostgresThreadLocks
    embedder: Embedder
    ledger: CostLedger


def memory_over(opened: Opened) -> Memory:
    settings, clock, pool, ledger = opened.settings, opened.clock, opened.pool, opened.ledger
    roles = roles_of(settings)
    vocabularies, episodes = PostgresVocabularies(pool, clock), PostgresEpisodeStore(pool, clock)
    facts, recalls = PostgresFactStore(pool, clock, vocabularies), PostgresRecallStore(pool, clock)
    succession = Succession(settings, PostgresEmbedderRegister(pool))
    embeddings = CachedEmbedder(opened.embedder, VectorStore(pool), succession, ledger)
    layer = MemoryLayer(
        facts=facts,
        episodes=episodes,
        recalls=recalls,
        embeddings=embeddings,
        extractor=roles.extractor,
        vocabularies=vocabularies,
        questions=roles.questions,
        grounding=ground_tool,
        clock=clock,
        ledger=ledger,
    )
    builder = build_graph(Resources(layer, roles.replier, roles.summariser))
    graph = builder.compile(checkpointer=opened.checkpointer, name="perdure")
    turns = Turns(graph, opened.locks, clock, ledger, PostgresArchives(pool))
    idle = timedelta(minutes=settings.session_idle)
    sessions = Sessions(layer, episodes, PostgresSessionStore(pool, clock), roles.sessions, idle)
    lessons = Lessons(layer, episodes, PostgresLessonStore(pool, clock), roles.lessons)
    merges = PostgresConsolidationStore(pool, facts, clock)
    consolidating = build_consolidation(ConsolidationResources(merges, embeddings, roles.wording, ledger))
    threads = Threads(opened.checkpointer, opened.checkpoints, clock)
    archives = _archives(opened, threads, turns, layer)
    caches = (embeddings.forget, recalls.forget, redaction.forget_texts, evidence.forget_texts)
    erasures = PostgresErasures(pool, opened.checkpoints, clock)
    return Memory(
        layer=layer,
        facts=facts,
        attributes=vocabularies,
        policies=PostgresPolicyStore(pool, clock),
        profile=Profile(PostgresProfileStore(pool), clock),
        episode_store=episodes,
        episodes=EpisodeLog(layer, episodes),
        sessions=sessions,
        lessons=lessons,
        core=CoreMemory(PostgresCoreStore(pool, clock)),
        builder=builder,
        graph=graph,
        checkpointer=opened.checkpointer,
        checkpoints=opened.checkpoints,
        turns=turns,
        costs=Costs(ledger, PostgresCostStore(pool)),
        erasure=Erasure(erasures, turns, opened.checkpointer, caches, elsewhere=(ledger, archives)),
        fading=FadingMemories(PostgresFading(pool, clock), settings.retention, clock),
        archives=archives,
        maintenance=_maintenance(opened, threads, turns, archives, sessions, lessons),
        consolidation=Consolidation(consolidating, merges, turns, opened.checkpointer, clock),
        moving=Moving(layer, MovingStore(pool, vocabularies), PostgresExpiry(pool, clock)),
        reembed=Reembed(opened.databases.memory, settings, clock),
        settings=settings,
        place=opened.databases.place,
    )


def _archives(opened: Opened, threads: Threads, turns: Turns, layer: MemoryLayer) -> Archives:
    return Archives(
        PostgresArchives(opened.pool),
        ArchivedCheckpoints(opened.checkpoints),
        threads,
        turns,
        layer.embeddings,
        opened.settings.archive_folder,
        opened.clock,
    )


def _maintenance(
    opened: Opened, threads: Threads, turns: Turns, archives: Archives, sessions: Sessions, lessons: Lessons
) -> Maintenance:
    """The one place to add a chore.

    In this order: what is erased is not archived, and what a session was about is told before its thread goes.
    """
    settings, clock, pool, databases = opened.settings, opened.clock, opened.pool, opened.databases
    upkeep = PostgresUpkeep(pool, opened.checkpoints, databases.memory, databases.revive)
    chores: tuple[Chore, ...] = (
        Expire(PostgresExpiry(pool, clock)),
        EndSessions(sessions),
        DistilLessons(lessons),
        Fade(PostgresFading(pool, clock), archives, settings.retention, clock),
        Prune(threads, turns, settings.prune_after_days),
        ArchiveIdle(threads, archives, settings.archive_after_days),
        ForgetVectors(upkeep),
    )
    return Maintenance(upkeep, chores)

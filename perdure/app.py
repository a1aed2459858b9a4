"""The application: settings in, a memory out, with its stores, its models and its graph."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from functools import partial
from types import TracebackType

from perdure import redaction
from perdure.consolidation import Consolidation
from perdure.core_memory import CoreMemory
from perdure.costs import Costs
from perdure.database import Databases, open_databases
from perdure.episode_log import EpisodeLog
from perdure.erasure import Erasure
from perdure.graph.build import Resources, build_graph
from perdure.graph.consolidation import ConsolidationResources, build_consolidation
from perdure.graph.turns import Turns
from perdure.idle_threads import Threads
from perdure.keeping import keeping
from perdure.layer import MemoryLayer
from perdure.ledger import CostLedger
from perdure.lessons import Lessons
from perdure.memory import Memory
from perdure.models import evidence
from perdure.models.embedder import open_embedder
from perdure.models.embedding_cache import CachedEmbedder
from perdure.models.succession import Succession
from perdure.models.tool_grounding import ground_tool
from perdure.moving.part import Moving
from perdure.prices import Prices
from perdure.profile import Profile
from perdure.reembed import Reembed
from perdure.roles import roles_of
from perdure.sessions import Sessions
from perdure.settings import Settings
from perdure.stores.archives import PostgresArchives
from perdure.stores.checkpoints import saver_over
from perdure.stores.consolidation import PostgresConsolidationStore
from perdure.stores.core_blocks import PostgresCoreStore
from perdure.stores.costs import PostgresCostStore
from perdure.stores.episodes import PostgresEpisodeStore
from perdure.stores.erasures import PostgresErasures
from perdure.stores.expiry import PostgresExpiry
from perdure.stores.facts import PostgresFactStore
from perdure.stores.lessons import PostgresLessonStore
from perdure.stores.migrations import migrate
from perdure.stores.moving import MovingStore
from perdure.stores.policies import PostgresPolicyStore
from perdure.stores.pool import Pool, open_pool
from perdure.stores.profile import PostgresProfileStore
from perdure.stores.recall import PostgresRecallStore
from perdure.stores.reembedding import PostgresEmbedderRegister
from perdure.stores.sessions import PostgresSessionStore
from perdure.stores.thread_locks import PostgresThreadLocks
from perdure.stores.upkeep import PostgresUpkeep
from perdure.stores.vectors import VectorStore
from perdure.stores.vocabulary import PostgresVocabularies
from perdure.time import Clock, SystemClock


@asynccontextmanager
async def open_memory(
    settings: Settings | None = None, *, clock: Clock | None = None, ephemeral: bool = False
) -> AsyncIterator[Memory]:
    """Open the memory: start the embedded PostgreSQL if need be, migrate, and build the graph.

    ``ephemeral`` gives up durability for speed, for data that is thrown away. On leaving, turns that nobody waits for
    are finished first. Raises `ConfigurationError` (`EmbedderMismatch`) or `DatabaseError`; nothing is written then.
    """
    settings, clock = settings or Settings(), clock or SystemClock()
    async with AsyncExitStack() as stack:
        databases = await stack.enter_async_context(open_databases(settings, ephemeral=ephemeral))
        embedder = await open_embedder(settings)
        await migrate(databases.memory, embedder.model, embedder.dimension)
        pool = await stack.enter_async_context(
            open_pool(databases.memory, size=settings.pool_size, revive=databases.revive)
        )
        costs = PostgresCostStore(pool)
        ledger = CostLedger(costs, Prices(settings.prices), settings.budget, clock)
        await stack.enter_async_context(ledger.kept())
        roles, idle = roles_of(settings), timedelta(minutes=settings.session_idle)
        vocabularies = PostgresVocabularies(pool, clock)
        facts, episodes = PostgresFactStore(pool, clock, vocabularies), PostgresEpisodeStore(pool, clock)
        recalls = PostgresRecallStore(pool, clock)
        succession = Succession(settings, PostgresEmbedderRegister(pool))
        embeddings = CachedEmbedder(embedder, VectorStore(pool), succession, ledger)
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
        checkpoints = await _checkpoint_pool(stack, databases, pool, settings.pool_size)
        checkpointer = await saver_over(checkpoints)
        builder = build_graph(Resources(layer, roles.replier, roles.summariser))
        graph = builder.compile(checkpointer=checkpointer, name="perdure")
        locks = PostgresThreadLocks(databases.checkpoints, databases.revive)
        stack.push_async_callback(locks.close)
        turns = Turns(graph, locks, clock, ledger, PostgresArchives(pool))
        stack.push_async_exit(partial(_leave, turns))
        merges = PostgresConsolidationStore(pool, facts, clock)
        consolidating = build_consolidation(ConsolidationResources(merges, layer.embeddings, roles.wording, ledger))
        sessions = Sessions(layer, episodes, PostgresSessionStore(pool, clock), roles.sessions, idle)
        lessons = Lessons(layer, episodes, PostgresLessonStore(pool, clock), roles.lessons)
        kept = keeping(
            settings,
            layer,
            turns,
            Threads(checkpointer, checkpoints, clock),
            pool,
            PostgresUpkeep(pool, checkpoints, databases.memory, databases.revive),
            sessions,
            lessons,
        )
        yield Memory(
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
            checkpointer=checkpointer,
            checkpoints=checkpoints,
            turns=turns,
            costs=Costs(ledger, costs),
            erasure=Erasure(
                erasures=PostgresErasures(pool, checkpoints, clock),
                turns=turns,
                checkpointer=checkpointer,
                caches=(embeddings.forget, recalls.forget, redaction.forget_texts, evidence.forget_texts),
                elsewhere=(ledger, kept.archives),
            ),
            fading=kept.fading,
            archives=kept.archives,
            maintenance=kept.maintenance,
            reembed=Reembed(databases.memory, settings, clock),
            settings=settings,
            place=databases.place,
            moving=Moving(layer, MovingStore(pool, vocabularies), PostgresExpiry(pool, clock)),
            consolidation=Consolidation(consolidating, merges, turns, checkpointer, clock),
        )


async def _leave(
    turns: Turns, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
) -> None:
    """Finish what nobody waits for; but a process that was told to stop (a cancelled task, Ctrl-C) stops."""
    if kind is None or issubclass(kind, Exception):
        await turns.drain()
    else:
        await turns.abandon()


async def _checkpoint_pool(stack: AsyncExitStack, databases: Databases, memory: Pool, size: int) -> Pool:
    """One pool serves both where they are one database."""
    if databases.checkpoints == databases.memory:
        return memory
    return await stack.enter_async_context(open_pool(databases.checkpoints, size=size, revive=databases.revive))

"""Conversations that have ended become sessions: what was talked about, what was learned, what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from perdure.backfill import exchange_texts
from perdure.episodes import Episode, NewEpisode, episode_id
from perdure.errors import NotFound
from perdure.graph.context import Context, run_context
from perdure.language import detect_language
from perdure.layer import MemoryLayer
from perdure.plain import Record
from perdure.ports import SessionWriter
from perdure.scope import Scope, check_name
from perdure.session import Conversation, Said, SessionText, conversations
from perdure.stores.episodes import PostgresEpisodeStore
from perdure.stores.sessions import PostgresSessionStore
from perdure.turn import Language, Usage


@dataclass(frozen=True, slots=True)
class SessionsReport(Record):
    """Sessions that were made, of how many threads, and the model calls that it took."""

    sessions: int
    threads: int
    usage: tuple[Usage, ...]


@dataclass(frozen=True, slots=True)
class Sessions:
    """The part of `Memory` that ends conversations."""

    layer: MemoryLayer
    episodes: PostgresEpisodeStore
    store: PostgresSessionStore
    writer: SessionWriter
    idle: timedelta
    """The silence after which a conversation has ended."""

    async def end(self, thread: str, *, user: str | None = None, context: Context | None = None) -> Episode:
        """The conversation of the thread has ended: its exchanges with the context's agent become a session, which is given.

        Where they lie far apart they become several, of which the last is given. Doing it again changes nothing; what is
        said afterwards belongs to the next session. Raises `NotFound` for a thread in which nothing was said.
        """
        run = run_context(user, context)
        name = check_name(thread, "thread")
        await self._end(run.scope, name, run.summary_model)
        for session in await self.episodes.latest(run.scope, "session", 1, thread=name):
            return session
        raise NotFound(f"nothing was said in the thread {name!r} that could end: `perdure threads` lists the threads")

    async def end_idle(
        self,
        *,
        limit: int | None = None,
        tell: Callable[[Episode], None] = lambda _: None,
        context: Context | None = None,
    ) -> SessionsReport:
        """End the conversations of all users of the context's tenant in which nobody has spoken for long.

        At most `limit` threads; ``tell`` hears of each session. Each is saved by itself: cut short, it goes on where it
        was when it is run again. Raises `ModelUnavailable` (the embedder) or `DatabaseError`.
        """
        run, threads = run_context(None, context), 0
        made: list[tuple[Episode, SessionText]] = []
        async for scope, thread in self.store.idle(run.tenant, self.layer.clock.now() - self.idle):
            if limit is not None and threads >= limit:
                break
            threads += 1
            for session, text in await self._end(scope, thread, run.summary_model):
                made.append((session, text))
                tell(session)
        return SessionsReport(len(made), threads, tuple(call for _, text in made for call in text.usage))

    async def latest(
        self, *, k: int = 20, thread: str = "", user: str | None = None, context: Context | None = None
    ) -> list[Episode]:
        """The latest sessions, of one thread if it is named."""
        return await self.episodes.latest(run_context(user, context).scope, "session", k, thread=thread)

    async def _end(self, scope: Scope, thread: str, model: str) -> list[tuple[Episode, SessionText]]:
        exchanges = await self.store.open_exchanges(scope, thread)
        made = [await self._close(scope, together, model) for together in conversations(exchanges, self.idle)]
        return [one for one in made if one]

    async def _close(
        self, scope: Scope, exchanges: Sequence[Episode], model: str
    ) -> tuple[Episode, SessionText] | None:
        """The session of these exchanges; None if they became part of another meanwhile."""
        first, last = exchanges[0], exchanges[-1]
        facts = await self.store.facts_told(scope, last.thread, [exchange.message for exchange in exchanges])
        # What is not extracted yet has not been asked about either: it may hold what is not to be remembered.
        said = [_said(exchange) for exchange in exchanges if exchange.extracted]
        language = _language(exchanges)
        told = Conversation(tuple(said), tuple(facts.values()), len(exchanges), language)
        text = await self.writer.write(told, model=model)
        session = NewEpisode(
            id=episode_id(scope, "session", str(last.id)),
            kind="session",
            content=f"{text.summary}\n{text.outcome}",
            occurred_at=last.occurred_at,
            thread=last.thread,
            message=last.message,
            details={
                "summary": text.summary,
                "outcome": text.outcome,
                "facts": [str(identity) for identity in facts],
                "from": first.occurred_at.isoformat(),
                "to": last.occurred_at.isoformat(),
                "exchanges": len(exchanges),
                "not_told": len(exchanges) - len(said),
                "language": language,
                "by": text.by,
                **({} if text.tells else {"only_asked": True}),
            },
        )
        vectors = await self.layer.embeddings.documents(scope, [session.content])
        if not await self.store.close(scope, session, [exchange.id for exchange in exchanges], vectors):
            return None
        return await self.episodes.get(scope, session.id), text


def _said(exchange: Episode) -> Said:
    return Said(exchange.occurred_at, *exchange_texts(exchange))


def _language(exchanges: Sequence[Episode]) -> Language:
    """The language of most of them."""
    korean = sum(
        (exchange.details.get("language") or detect_language(exchange.content)) == "ko" for exchange in exchanges
    )
    return "ko" if 2 * korean >= len(exchanges) else "en"

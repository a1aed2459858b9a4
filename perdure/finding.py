"""What is found in a memory: what is known, and what was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from perdure.asked import Found
from perdure.asked_time import Span
from perdure.graph.context import Context, run_context
from perdure.layer import MemoryLayer
from perdure.recall import Query
from perdure.stores.vocabulary import PostgresVocabularies


@dataclass(frozen=True)
class Finding:
    """The part of `Memory` that answers questions, and writes nothing."""

    layer: MemoryLayer
    attributes: PostgresVocabularies

    async def recall(
        self,
        query: str,
        *,
        user: str | None = None,
        context: Context | None = None,
        k: int = 10,
        as_of: datetime | None = None,
        during: Span | None = None,
        as_known_at: datetime | None = None,
        preset: str | None = None,
        attributes: Sequence[str] = (),
        threshold: float | None = None,
        explain: bool = False,
    ) -> Found:
        """The memories that are most about the query and held at `as_of` or in `during`, best first.

        They are `k` at most, of which half may be episodes (all, where the preset ranks no facts).

        Without either, a time that the query itself names is used ("last year"), and told as `Found.time`.
        ``as_known_at`` asks for what was believed then. ``preset`` says how to rank (`perdure.presets`). The moments and
        the preset are the context's where none is given. ``threshold`` says how relevant (0..1) the best one must be at
        least (0 to find all there is), ``attributes`` asks for facts of these alone, and ``explain`` adds to each why it
        is where it is. Raises `InvalidInput`.
        """
        run = run_context(user, context)
        vocabulary = await self.attributes.of(run.scope)
        wanted = Query(
            query,
            k=k,
            preset=preset or run.preset,
            as_of=as_of or (None if during else run.as_of),
            during=during,
            as_known_at=as_known_at or run.as_known_at,
            attributes=tuple(stored for name in attributes for stored in vocabulary.names_of(name)),
            episodes=not attributes,
            threshold=threshold,
            explain=explain,
        )
        return await self._search(wanted, run)

    async def conversations(
        self,
        query: str = "",
        *,
        user: str | None = None,
        context: Context | None = None,
        k: int = 10,
        during: Span | None = None,
        thread: str = "",
        explain: bool = False,
    ) -> Found:
        """What was said, word for word, in all threads or in one: the exchanges that are most about the query.

        Without a query, the latest ones. ``during`` leaves out what was said at another time, and a context that is as of
        a moment what was said later. Raises `InvalidInput`.
        """
        run = run_context(user, context)
        wanted = Query(
            query,
            k=k,
            preset="verbatim",
            as_of=None if during else run.as_of,
            during=during,
            as_known_at=run.as_known_at,
            thread=thread,
            explain=explain,
        )
        if not query.strip():
            return await self.layer.latest(run.scope, wanted)
        return await self._search(wanted, run)

    async def _search(self, query: Query, run: Context) -> Found:
        at = self.layer.clock.now().astimezone(run.zone)
        return await self.layer.search(run.scope, query, at=at, time_model=run.time_model)

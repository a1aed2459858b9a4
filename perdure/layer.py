"""The memory layer: extract → save → search → build context. The agent's nodes are thin over it; it works without them."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from typing import Any
from uuid import UUID

from perdure.asked import Found, TimeUsed, narrowed, time_used
from perdure.asked_time import AskedTime
from perdure.context_block import ContextBlock, build_context
from perdure.credentials import redacted_all
from perdure.episodes import NewEpisode
from perdure.facts import CORE_EDITS, Action, Operation, Receipt, Source, content_of, exchange_id, statement_id
from perdure.language import detect_language
from perdure.model_in_force import in_current_model, with_vectors
from perdure.opening import Opening
from perdure.operations import checked
from perdure.policy import Policy, RunPolicy
from perdure.ports import (
    Embeddings,
    EpisodeStore,
    Extractor,
    FactStore,
    Grounding,
    Ledger,
    QuestionReader,
    RecallStore,
    Vector,
    Vocabularies,
)
from perdure.prompts.extract import ExtractedOperation
from perdure.recall import Hit, Query
from perdure.scope import Scope
from perdure.spending import Unkept, spending
from perdure.staging import Stage, stage
from perdure.text import MESSAGE_LIMIT, check_text
from perdure.time import Clock, zone_name
from perdure.turn import AttributeUse, Extraction, Known, Language, Turn, Usage


@dataclass(frozen=True, slots=True)
class MemoryLayer:
    """What an application needs of a memory, over the ports that it is given."""

    facts: FactStore
    episodes: EpisodeStore
    recalls: RecallStore
    embeddings: Embeddings
    extractor: Extractor
    vocabularies: Vocabularies
    questions: QuestionReader
    grounding: Grounding
    clock: Clock
    ledger: Ledger = field(default_factory=Unkept)
    """On which the models are called: see `perdure.spending`."""

    async def open_turn(
        self, scope: Scope, query: Query, *, at: datetime, language: Language, time_model: str | None = None
    ) -> Opening:
        """What a turn begins with: one embedding (none if nothing is to be recalled), one round trip.

        ``at`` is when the question was asked, in the user's time zone; ``time_model`` the chat model that may be asked
        which time it speaks of, empty for the configured one, None for none.
        """
        if not query.k:
            return await self.recalls.open_turn(scope, query, ())
        query, time, usage = await self._read(scope, query, at, language, time_model)

        async def attempt() -> Opening:
            return await self.recalls.open_turn(scope, query, await self.embeddings.query(scope, query.text))

        return replace(await in_current_model(self.embeddings, attempt), time=time, usage=usage)

    async def extract(
        self,
        scope: Scope,
        turn: Turn,
        recalled: Sequence[Mapping[str, Any]] = (),
        attributes: Sequence[AttributeUse] = (),
        *,
        model: str = "",
    ) -> Extraction:
        """The operations that a turn asks for; nothing is stored. ``recalled`` are hits as JSON, known already."""
        known = Known(recalled, attributes, await self.vocabularies.of(scope))
        with spending(self.ledger, scope):
            return await self.extractor.extract(turn, known, model=model)

    async def ground(
        self,
        scope: Scope,
        candidate: ExtractedOperation,
        turns: Sequence[Turn],
        facts: Sequence[Hit],
        attributes: Sequence[AttributeUse],
    ) -> Operation:
        """The change of `facts`, named f1, f2, …, as far as what was said bears it out; see `perdure.ports.Grounding`."""
        known = Known([fact.to_json() for fact in facts], attributes, await self.vocabularies.of(scope))
        return self.grounding(candidate, turns, known)

    async def stage(self, scope: Scope, operations: Sequence[Operation], policy: Policy, run: RunPolicy) -> Stage:
        """The operations as the policy sorts them; nothing is stored."""
        return stage(operations, await self.vocabularies.of(scope), policy, run)

    async def save(
        self,
        scope: Scope,
        operations: Sequence[Operation],
        source: Source,
        *,
        exchange: Turn | None = None,
        extracted: bool = True,
        run: RunPolicy = "auto",
        used: Sequence[UUID] = (),
    ) -> list[Receipt]:
        """Apply operations, and keep the exchange that they come from, in one transaction.

        ``run`` is the policy of the exchange's run: whoever extracts it later keeps to it. ``used`` are the memories that
        its reply was shown: they have been of use, which is counted once for each exchange that is kept. Saving the same
        operations of the same source again changes nothing. Raises `InvalidInput`, `StaleFact`, `ModelUnavailable` (the
        embedder) or `DatabaseError`; nothing is written then.
        """
        vocabulary = await self.vocabularies.of(scope)
        wanted = [checked(operation, vocabulary) for operation in operations]
        edits = [operation for operation in wanted if operation.action in CORE_EDITS]
        told = [o for o in wanted if o.action is not Action.EPISODE and o.action not in CORE_EDITS]
        events = {index: _event(scope, source, o) for index, o in enumerate(wanted) if o.action is Action.EPISODE}
        episodes = [*events.values(), *([_exchange(scope, source, exchange, extracted, run)] if exchange else [])]
        texts = [*map(content_of, told), *(episode.content for episode in episodes)]
        if not told and not episodes and not edits:
            return []

        def keep(vectors: Mapping[str, Vector]) -> Awaitable[list[Receipt]]:
            return self.facts.apply(scope, told, source, vectors, episodes, edits, used)

        receipts = await with_vectors(self.embeddings, scope, [text for text in texts if text], keep)
        of_facts, of_edits = iter(receipts[: len(told)]), iter(receipts[len(told) :])
        return [
            _kept(events[index]) if index in events else next(of_edits if o.action in CORE_EDITS else of_facts)
            for index, o in enumerate(wanted)
        ]

    async def search(
        self,
        scope: Scope,
        query: Query,
        *,
        at: datetime | None = None,
        language: Language | None = None,
        time_model: str | None = None,
    ) -> Found:
        """Facts and episodes for the query, best first: one embedding, one statement.

        ``at`` is the present in the user's time zone, if that is known, and ``language`` that of the question;
        ``time_model`` is as in `open_turn`.
        """
        text = check_text(query.text, "the query", limit=MESSAGE_LIMIT)
        at, language = at or self.clock.now(), language or detect_language(text)
        query, time, usage = await self._read(scope, query, at, language, time_model)

        async def attempt() -> list[Hit]:
            return await self.recalls.search(scope, query, await self.embeddings.query(scope, text))

        return Found(await in_current_model(self.embeddings, attempt), time, usage)

    async def latest(self, scope: Scope, query: Query) -> Found:
        """The episodes that the query allows, whatever its text, the latest first: one statement."""
        return Found(await self.recalls.latest(scope, query))

    def build_context(
        self,
        hits: Sequence[Hit],
        *,
        language: Language,
        budget_tokens: int,
        zone: tzinfo = UTC,
    ) -> ContextBlock:
        """The hits as the data block of a prompt, dated by the user's zone, within the budget."""
        at = self.clock.now().astimezone(zone)
        return build_context(hits, language=language, at=at, budget_tokens=budget_tokens)

    async def _read(
        self, scope: Scope, query: Query, at: datetime, language: Language, time_model: str | None
    ) -> tuple[Query, TimeUsed | None, Usage | None]:
        """The query with what its question asks about. A time that the caller gives is the one that counts."""
        given = query.as_of or query.during or query.as_known_at or query.period
        model, vocabulary = None if given else time_model, await self.vocabularies.of(scope)
        with spending(self.ledger, scope):
            asked = await self.questions.read(query.text, at, language, vocabulary, model=model)
        time = await self._time_used(scope, asked.time) if asked.time and not given else None
        return narrowed(query, asked, time), time, asked.usage

    async def _time_used(self, scope: Scope, asked: AskedTime) -> TimeUsed | None:
        """The period that is asked about; when an attribute changed is looked up, which is another round trip."""
        attribute = asked.before_event or asked.after_event
        facts = await self.facts.facts(scope, attribute=attribute, history=True) if attribute else []
        return time_used(asked, self.clock.now(), facts)


def _exchange(scope: Scope, source: Source, turn: Turn, extracted: bool, run: RunPolicy) -> NewEpisode:
    """The exchange as it is kept: word for word, but for what must never be stored."""
    said, answered = redacted_all(f"user: {turn.user_text}", turn.assistant_text)
    return NewEpisode(
        id=exchange_id(scope, source),
        kind="exchange",
        content=f"{said}\nassistant: {answered}",
        occurred_at=source.at,
        thread=source.thread,
        message=source.message,
        details={
            "user_characters": len(said),
            "language": turn.language,
            "time_zone": zone_name(turn.at),
            "run_policy": run,
            # Questions are most like themselves: asked often enough, they would take the place of what answers them.
            **({"only_asked": True} if turn.only_asked else {}),
        },
        extracted=extracted,
    )


def _event(scope: Scope, source: Source, operation: Operation) -> NewEpisode:
    """What an operation says has happened, as an episode."""
    return NewEpisode(
        id=statement_id(scope, source, operation),
        kind="event",
        content=operation.content,
        occurred_at=operation.valid_from or source.at,
        thread=source.thread,
        message=source.message,
        details={
            "evidence": operation.evidence,
            "importance": operation.importance,
            "trust": operation.trust.value,
            "author": operation.approved_by or source.author,
        },
        expires_at=operation.expires_at,
    )


def _kept(episode: NewEpisode) -> Receipt:
    return Receipt(Action.EPISODE, "applied", "kept as an episode", episode.id)

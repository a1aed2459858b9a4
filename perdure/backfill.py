"""Exchanges whose extraction failed, taken up again: each turn from `extract` on, under the rules of any other turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Literal
from uuid import UUID

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver

from perdure.answer import Json, answer_of
from perdure.deciding import named
from perdure.episodes import Episode
from perdure.errors import DatabaseError, InvalidInput, InvalidTime, PerdureError
from perdure.graph.context import Context
from perdure.graph.state import STATE_VERSION
from perdure.graph.turns import Start, Turns
from perdure.language import detect_language
from perdure.layer import MemoryLayer
from perdure.pending import waits
from perdure.plain import Record, plain
from perdure.recall import Query
from perdure.spending import spending
from perdure.stores.episodes import PostgresEpisodeStore
from perdure.stores.pending import ThreadHead, thread_heads
from perdure.stores.pool import Pool
from perdure.threads import thread_key
from perdure.time import zone_of
from perdure.turn import Language

THREAD = "backfill-"
"""What the names of the threads begin with in which turns are made up for."""
FAILURES_IN_A_ROW = 3
"""After so many the model is taken to be down: the others would only wait for it."""

_USER, _ASSISTANT = "user: ", "\nassistant: "

Outcome = Literal["written", "waiting", "failed"]


@dataclass(frozen=True, slots=True)
class MadeUp(Record):
    """An exchange that was taken up. ``waiting`` is for a person: `perdure pending` lists what for."""

    thread: str
    """The thread of the exchange itself."""
    message: str
    outcome: Outcome
    why: str
    written: list[Json]
    """`Receipt.to_json` of each operation."""


@dataclass(frozen=True, slots=True)
class BackfillReport(Record):
    """How many exchanges were taken up, by outcome. ``left`` still have to be extracted, the waiting ones included."""

    written: int
    waiting: int
    failed: int
    left: int


@dataclass(frozen=True, slots=True)
class Backfill:
    """The backfill of one user. What it began and did not finish, it goes on with when it is run again."""

    layer: MemoryLayer
    episodes: PostgresEpisodeStore
    turns: Turns
    checkpointer: BaseCheckpointSaver[str]
    checkpoints: Pool
    context: Context

    async def run(self, limit: int | None, tell: Callable[[MadeUp], None]) -> BackfillReport:
        """Take up at most `limit` exchanges, oldest first, and tell of each; one after the other, for each may change
        what the next one means.

        An exchange that fails keeps its flag. Raises `InvalidInput` for a policy that would drop everything,
        `BusyThread` while another backfill of the user runs, `DatabaseError`.
        """
        if self.context.policy == "drop":
            raise InvalidInput("a backfill under the policy `drop` would remember nothing: choose another one")
        done: list[MadeUp] = []
        async with self.turns.alone(self._key(f"{THREAD}of-the-user")):
            asking = {head.thread for head in await self._begun() if waits(head.questions, self.layer.clock.now())}
            episode = await self.episodes.next_unextracted(self.context.scope)
            while episode and (limit is None or len(done) < limit) and not _is_down(done):
                done.append(await self._make_up(episode, asking))
                tell(done[-1])
                episode = await self.episodes.next_unextracted(self.context.scope, episode)
            await self._clear()
        outcomes = [one.outcome for one in done]
        left = await self.episodes.count_unextracted(self.context.scope)
        return BackfillReport(outcomes.count("written"), outcomes.count("waiting"), outcomes.count("failed"), left)

    async def _make_up(self, episode: Episode, asking: set[str]) -> MadeUp:
        key = self._key(f"{THREAD}{episode.id}")
        if key in asking:
            return _made_up(episode, "waiting", "a person was asked before")
        context = self.context.model_copy(update={"agent": episode.agent})
        try:
            with spending(self.layer.ledger, context.scope, episode.thread):
                state = await self.turns.run(key, Start("respond", await self._values(episode, context)), context)
        except DatabaseError:
            raise
        except PerdureError as error:
            return _made_up(episode, "failed", str(error))
        why = state.values["candidates"]["why"]
        if state.interrupts:
            return _made_up(episode, "waiting", why)
        await self.checkpointer.adelete_thread(key)
        if not state.values["candidates"]["complete"]:
            return _made_up(episode, "failed", why)
        return _made_up(episode, "written", why, answer_of(state).written)

    async def _values(self, episode: Episode, context: Context) -> Json:
        """The state behind `respond`, as the turn would have left it, but for memory, which is today's."""
        said, replied = exchange_texts(episode)
        query = Query(said, k=context.recall_k, preset=context.preset, weak=True, exclude_thread=episode.thread)
        zone = _zone(episode.details.get("time_zone") or context.time_zone)
        language: Language = episode.details.get("language") or detect_language(said)
        at = episode.occurred_at.astimezone(zone_of(zone))
        opening = await self.layer.open_turn(context.scope, query, at=at, language=language)
        return {
            "messages": [HumanMessage(said, id=episode.message), AIMessage(replied)],
            "state_version": STATE_VERSION,
            "scope": {"tenant": context.tenant, "user": context.user},
            "turn": {
                "thread": episode.thread,
                "message": episode.message,
                "at": episode.occurred_at.astimezone(UTC).isoformat(),
                "time_zone": zone,
                "language": language,
                "agent": episode.agent,
                "run_policy": self._run_policy(episode),
                "policy": opening.policy.model_dump(mode="json", exclude_defaults=True),
            },
            "recalled": {
                "hits": plain(opening.hits),
                "attributes": plain(opening.attributes),
                "as_of": None,
                "as_known_at": None,
                "time": plain(opening.time),
                "core": [],
            },
            "noted": [],
            "refused": [],
            "written": [],
            "usage": [],
        }

    def _run_policy(self, episode: Episode) -> str:
        """What the turn's own run wanted to become of its writes, unless this one wants something else."""
        own = str(episode.details.get("run_policy") or "auto")
        return own if self.context.policy == "auto" else self.context.policy

    async def _clear(self) -> None:
        """Delete the threads in which nothing is left to do: whatever a process that was killed did not come to."""
        begun = {made_up_for(name): head for head, name in named(await self._begun())}
        flagged = await self.episodes.unextracted_among(self.context.scope, [episode for episode in begun if episode])
        for episode, head in begun.items():
            if episode and (not head.next or episode not in flagged):
                await self.checkpointer.adelete_thread(head.thread)

    async def _begun(self) -> list[ThreadHead]:
        return await thread_heads(self.checkpoints, self.checkpointer.serde, self._key(THREAD))

    def _key(self, thread: str) -> str:
        return thread_key(self.context.scope, thread)


def made_up_for(thread: str) -> UUID | None:
    """The exchange that a thread is the backfill of; None for any other thread."""
    try:
        return UUID(thread.removeprefix(THREAD)) if thread.startswith(THREAD) else None
    except ValueError:
        return None


def exchange_texts(episode: Episode) -> tuple[str, str]:
    """What the user said and what was answered, of an exchange that was kept as one text.

    Older ones do not tell where the answer begins. It is the first place where it may: the user's words are then cut
    short rather than the assistant's taken for the user's.
    """
    said, _, replied = episode.content.partition(_ASSISTANT)
    if told := episode.details.get("user_characters"):
        said, replied = episode.content[:told], episode.content[told + len(_ASSISTANT) :]
    return said.removeprefix(_USER), replied


def _is_down(done: list[MadeUp]) -> bool:
    last = done[-FAILURES_IN_A_ROW:]
    return len(last) == FAILURES_IN_A_ROW and all(one.outcome == "failed" for one in last)


def _made_up(episode: Episode, outcome: Outcome, why: str, written: Sequence[Json] = ()) -> MadeUp:
    return MadeUp(episode.thread, episode.message, outcome, why, list(written))


def _zone(name: str) -> str:
    """The time zone, where it is known on this machine too."""
    try:
        zone_of(name)
    except InvalidTime:
        return "UTC"
    return name

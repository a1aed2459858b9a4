"""The resources that nodes work with, as types. Stores and models implement them; nothing here knows how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from langchain_core.messages import AnyMessage

from perdure.asked import Asked
from perdure.attributes import Vocabulary
from perdure.calls import Call
from perdure.episodes import Episode, NewEpisode
from perdure.facts import Fact, Operation, Receipt, Source, Statement
from perdure.lesson import LessonText, Tried
from perdure.model_in_force import ModelInForce
from perdure.opening import Opening
from perdure.prompts.extract import ExtractedOperation
from perdure.recall import Hit, Query
from perdure.scope import Scope
from perdure.session import Conversation, SessionText
from perdure.spending import Account
from perdure.turn import Extraction, Known, Language, Reply, ReplyRequest, Summary, Turn

Vector = Sequence[float]


class Embedder(Protocol):
    """Text to vectors of unit length. A query and a document may be embedded differently."""

    @property
    def model(self) -> str:
        """Identity of the model: stored beside every vector; vectors of two models are never compared."""
        ...

    @property
    def dimension(self) -> int: ...

    async def embed_query(self, text: str) -> Vector: ...

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]: ...


class Embeddings(Protocol):
    """Vectors of texts within a scope, computed once and then remembered."""

    async def query(self, scope: Scope, text: str) -> Vector: ...

    async def documents(self, scope: Scope, texts: Sequence[str]) -> dict[str, Vector]:
        """The vector of each distinct text; one call of the model for all that are not known yet."""
        ...

    async def follow(self) -> bool:
        """Go over to the model that is in force now; whether it is another one (see `perdure.model_in_force`)."""
        ...


class FactStore(Protocol):
    """Statements and the facts that follow from them. Every call is confined to its scope."""

    async def apply(
        self,
        scope: Scope,
        operations: Sequence[Operation],
        source: Source,
        vectors: Mapping[str, Vector],
        episodes: Sequence[NewEpisode] = (),
        edits: Sequence[Operation] = (),
        used: Sequence[UUID] = (),
    ) -> list[Receipt]:
        """Apply all operations, append the episodes, and edit core memory, in one transaction.

        One receipt per operation, then one per edit. ``vectors`` holds the vector of every content that is written (see
        `content_of`).
        """
        ...

    async def facts(
        self,
        scope: Scope,
        *,
        attribute: str | None = None,
        as_of: datetime | None = None,
        as_known_at: datetime | None = None,
        history: bool = False,
    ) -> list[Fact]:
        """The facts that hold at `as_of` (default now), or with `history` all intervals, in order of time."""
        ...

    async def statements(self, scope: Scope, *, attribute: str | None = None) -> list[Statement]: ...

    async def erase(self, scope: Scope, fact: UUID | None = None) -> dict[str, int]: ...


class EpisodeStore(Protocol):
    async def append(self, scope: Scope, episodes: Sequence[NewEpisode], vectors: Mapping[str, Vector]) -> None: ...

    async def around(self, scope: Scope, episode: UUID, *, before: int = 2, after: int = 2) -> list[Episode]: ...

    async def invalidate(self, scope: Scope, episode: UUID, *, at: datetime, because: str) -> Episode: ...


class RecallStore(Protocol):
    async def search(self, scope: Scope, query: Query, vector: Vector) -> list[Hit]:
        """Facts and episodes for the query, best first: one statement."""
        ...

    async def latest(self, scope: Scope, query: Query) -> list[Hit]:
        """The episodes that the query allows, whatever its text, the latest first."""
        ...

    async def open_turn(self, scope: Scope, query: Query, vector: Vector) -> Opening:
        """What a turn begins with, in one round trip: the hits, the attributes in use, the policy in force, core memory."""
        ...


class QuestionReader(Protocol):
    async def read(
        self, question: str, at: datetime, language: Language, vocabulary: Vocabulary, *, model: str | None = None
    ) -> Asked:
        """What the question asks about. ``at`` is the present in the user's time zone. Never fails.

        ``model`` is the chat model that may be asked for a time that rules do not read, empty for the configured one;
        None asks none.
        """
        ...


class Vocabularies(Protocol):
    async def of(self, scope: Scope) -> Vocabulary:
        """The built-in attributes and the tenant's own. May be a minute old."""
        ...


class EmbeddingCache(Protocol):
    async def lookup(self, scope: Scope, model: str, texts: Sequence[str]) -> dict[str, Vector]: ...


class Ledger(Protocol):
    def record(self, account: Account, call: Call) -> None:
        """Count the call. Never waits, never fails."""
        ...

    async def admit(self, scope: Scope) -> None:
        """Raises `BudgetExceeded` if the user may begin no turn today."""
        ...

    async def saving(self, scope: Scope) -> str:
        """Why nothing is to be extracted, since too little is left of the budget; empty if enough is."""
        ...


class Elsewhere(Protocol):
    """Something of a user's that is kept outside of the tables, such as files: an erasure forgets it before their rows."""

    async def forget(self, scope: Scope, thread: str | None) -> Mapping[str, int]:
        """Forget all of the user's, or what is of one thread; how much of what. Doing it again forgets the rest."""
        ...

    async def bring_back(self, scope: Scope, thread: str) -> None:
        """Put what is there of a thread into the tables again: of this, only some is to be erased."""
        ...


class EmbedderRegister(Protocol):
    async def in_force(self) -> ModelInForce: ...


class ThreadLocks(Protocol):
    def hold(self, thread_id: str) -> AbstractAsyncContextManager[None]:
        """Nobody else, in any process, runs a turn on this thread meanwhile. Raises `BusyThread`."""
        ...


class Tools(Protocol):
    """What a model may call while it replies."""

    @property
    def definitions(self) -> list[dict[str, Any]]:
        """In the format of OpenAI-compatible servers."""
        ...

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """What the model is told: the outcome, or an error that it can act on. Raises `DatabaseError`."""
        ...


class ThreadArchive(Protocol):
    async def check(self, thread_id: str) -> None:
        """Raise `ArchivedThread` if the checkpoints of this thread are in the archive."""
        ...


class Replier(Protocol):
    async def reply(self, request: ReplyRequest, tools: Tools | None = None) -> Reply: ...


class Grounding(Protocol):
    """Holds a change that a model asks for against the user's words."""

    def __call__(self, candidate: ExtractedOperation, turns: Sequence[Turn], known: Known) -> Operation:
        """The operation that the words bear out; the latest of the `turns` in which they stand counts.

        Raises `InvalidInput` for one that they do not.
        """
        ...


class Extractor(Protocol):
    async def extract(self, turn: Turn, known: Known, *, model: str = "") -> Extraction:
        """The operations that the turn asks for. A model that fails gives `complete=False`, never an exception."""
        ...


class Summariser(Protocol):
    async def summarise(
        self, previous: str, messages: Sequence[AnyMessage], language: Language, *, model: str = ""
    ) -> Summary: ...


class SessionWriter(Protocol):
    async def write(self, conversation: Conversation, *, model: str = "") -> SessionText:
        """What is told of a conversation that has ended. A model that fails leaves it to rules, never an exception."""
        ...


class LessonWriter(Protocol):
    async def write(self, tried: Sequence[Tried], language: Language, *, model: str = "") -> LessonText:
        """What tasks that are alike have taught. A model that fails leaves it to rules, never an exception."""
        ...

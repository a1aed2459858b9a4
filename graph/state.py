"""The state that is checkpointed: plain JSON values and messages, enough to resume this thread and no more."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, Required

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

STATE_VERSION = 1

Json = dict[str, Any]


class TurnState(TypedDict):
    """The user's message of this turn: its id, when it was sent (ISO 8601, UTC), and the language.

    ``agent`` and ``policy`` are those of the run that began it: whoever finishes or decides about it later may bring
    others, and they must neither move its memories nor write what a person rejects.
    """

    message: str
    at: str
    language: str
    agent: str
    policy: str


class ScopeState(TypedDict):
    tenant: str
    user: str


class SummaryState(TypedDict):
    """What the messages up to and including ``through`` came to; those are no longer in the prompt."""

    text: str
    through: str


class RecalledState(TypedDict):
    """The memories that this turn's answer could draw on (`Hit.to_json`), and the moments they were asked for."""

    hits: list[Json]
    as_of: str | None
    as_known_at: str | None


class CandidatesState(TypedDict):
    """What the turn asks to remember (`Operation` as JSON), and why it is that."""

    operations: list[Json]
    why: str
    complete: bool


class InputState(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]


class OutputState(TypedDict, total=False):
    messages: Required[Annotated[list[AnyMessage], add_messages]]
    recalled: RecalledState
    written: list[Json]
    usage: list[Json]


class State(InputState):
    """Required are the keys that `retrieve` writes anew at the beginning of every turn: the nodes after it have them."""

    state_version: int
    scope: NotRequired[ScopeState]
    """Whose thread it is; missing until its first turn."""
    summary: NotRequired[SummaryState]
    turn: TurnState
    recalled: RecalledState
    candidates: CandidatesState
    written: list[Json]
    """`Receipt.to_json` of each operation of this turn."""
    usage: list[Json]
    """`Usage.to_json` of each model call of this turn."""

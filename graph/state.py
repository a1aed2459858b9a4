"""The state that is checkpointed: plain JSON values and messages, enough to resume this thread and no more."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, Required

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

STATE_VERSION = 4

Json = dict[str, Any]


class TurnState(TypedDict):
    """The user's message of this turn: its thread, its id, when it was sent (ISO 8601, UTC), and the language.

    All are those of the run that began it: whoever finishes or decides about it later may bring others, and they must
    neither move its memories nor write what a person rejects.
    """

    thread: str
    message: str
    at: str
    time_zone: str
    language: str
    agent: str
    run_policy: str
    """`RunPolicy`: what the run wants to become of its writes."""
    policy: Json
    """The scope's `Policy` as it was; without what is default."""


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
    attributes: list[Json]
    """`AttributeUse.to_json` of each attribute that the user has live facts of."""
    as_of: str | None
    as_known_at: str | None
    time: Json | None
    """`TimeUsed.to_json`: the time that the message asks about, if it does."""
    core: list[Json]
    """`Block.to_json` of each block of core memory."""


class CandidatesState(TypedDict):
    """What the turn asks to remember (`Operation` as JSON), and why it is that.

    ``gate`` is the `GateDecision`, ``decisions`` are the `SaveDecision` of everything that was considered; ``at`` is
    when they were made (ISO 8601, UTC).
    """

    operations: list[Json]
    gate: Json
    decisions: list[Json]
    why: str
    complete: bool
    at: str


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
    noted: list[Json]
    """What the model asked for by tools while it replied (`Operation` as JSON)."""
    refused: list[Json]
    """What it asked for and was told is not kept (`SaveDecision.to_json`)."""
    candidates: CandidatesState
    written: list[Json]
    """`Receipt.to_json` of each operation of this turn."""
    settled: NotRequired[str]
    """Id of the last message whose turn was written, or had nothing to write."""
    usage: list[Json]
    """`Usage.to_json` of each model call of this turn."""

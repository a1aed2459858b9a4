"""The turn that a state is in, as models, the memory layer and the policy see it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, tzinfo
from typing import cast

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage

from perdure.attributes import Cardinality
from perdure.facts import Source
from perdure.graph.messages import last_human, reply_text
from perdure.graph.state import State
from perdure.policy import Policy, RunPolicy
from perdure.scope import Scope
from perdure.time import zone_of
from perdure.tools.arguments import TOOLS
from perdure.turn import QUOTING_MODEL, AttributeUse, Language, Turn


def turn_of(state: State) -> Turn:
    turn = state["turn"]
    return Turn(
        message=turn["message"],
        user_text=last_human(state["messages"]).text,
        assistant_text=reply_text(state["messages"]),
        at=datetime.fromisoformat(turn["at"]).astimezone(turn_zone(state)),
        language=language_of(state),
        tool_texts=_tool_texts(state["messages"]),
    )


def source_of(state: State) -> Source:
    """Where the turn's operations come from."""
    turn = state["turn"]
    return Source(at=datetime.fromisoformat(turn["at"]), thread=turn["thread"], message=turn["message"])


def agent_scope(state: State, scope: Scope) -> Scope:
    """The scope of a run, for the agent that the turn was begun with."""
    return replace(scope, agent=state["turn"]["agent"])


def turn_zone(state: State) -> tzinfo:
    """Where the user was when the turn began: what its dates mean, told and shown."""
    return zone_of(state["turn"]["time_zone"])


def language_of(state: State) -> Language:
    """The language of prompts and replies of this turn."""
    return "ko" if state["turn"]["language"] == "ko" else "en"


def policy_of(state: State) -> tuple[Policy, RunPolicy]:
    """The scope's policy as it was when the turn began, and what its run wants."""
    turn = state["turn"]
    return Policy.model_validate(turn["policy"]), cast(RunPolicy, turn["run_policy"])


def attributes_of(state: State) -> list[AttributeUse]:
    return [
        AttributeUse(used["name"], Cardinality(used["cardinality"]), used["facts"])
        for used in state["recalled"]["attributes"]
    ]


def only_asked(state: State) -> bool:
    """Whether nothing was told in a turn that is extracted, not even what is known already, and the reply only quotes."""
    quotes = state["messages"][-1].response_metadata.get("model_name") == QUOTING_MODEL
    candidates = state["candidates"]
    return quotes and candidates["gate"].get("remember") is False and not candidates["operations"]


def _tool_texts(messages: list[AnyMessage]) -> tuple[str, ...]:
    """What tools gave back since the user's message."""
    texts: list[str] = []
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            break
        # What the memory tools gave back is remembered already.
        if isinstance(message, ToolMessage) and message.name not in TOOLS:
            texts.append(message.text)
    return tuple(reversed(texts))

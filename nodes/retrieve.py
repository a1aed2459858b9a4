"""retrieve: what memory holds for the message. One embedding, one statement."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from perdure.errors import InvalidInput, InvalidScope
from perdure.graph.context import Context, context_of
from perdure.graph.messages import SENT_AT, last_human
from perdure.graph.state import STATE_VERSION, State, TurnState
from perdure.graph.thread import thread_name
from perdure.language import detect_language
from perdure.layer import MemoryLayer
from perdure.plain import plain
from perdure.recall import Query
from perdure.text import MESSAGE_LIMIT, check_text
from perdure.time import Clock, check_instant


async def retrieve(state: State, runtime: Runtime[Context], *, memory: MemoryLayer) -> dict[str, Any]:
    """Writes `recalled`, and opens the turn: its message, time and language."""
    context = context_of(runtime)
    scope = context.scope
    _check_owner(state, context)
    message = last_human(state["messages"])
    text = check_text(message.text, "the message", limit=MESSAGE_LIMIT)
    query = Query(
        text,
        k=context.recall_k,
        as_of=context.as_of,
        as_known_at=context.as_known_at,
        exclude_thread=thread_name(runtime, scope),
    )
    hits = await memory.search(scope, query) if context.recall_k else []
    return {
        "state_version": STATE_VERSION,
        "scope": {"tenant": scope.tenant, "user": scope.user},
        "turn": _turn(message, text, context, memory.clock),
        "recalled": {
            "hits": [hit.to_json() for hit in hits],
            "as_of": plain(context.as_of),
            "as_known_at": plain(context.as_known_at),
        },
        "candidates": {"operations": [], "why": "", "complete": True},
        "written": [],
        "usage": [],
    }


def _check_owner(state: State, context: Context) -> None:
    """A thread belongs to the user who began it: another one's messages and memories are in its checkpoints."""
    owner = state.get("scope")
    if owner and (owner["tenant"], owner["user"]) != (context.tenant, context.user):
        raise InvalidScope("this thread belongs to another user: begin a new one")


def _turn(message: HumanMessage, text: str, context: Context, clock: Clock) -> TurnState:
    language = detect_language(text) if context.language == "auto" else context.language
    return {
        "message": message.id or "",
        "at": _sent_at(message, clock).isoformat(),
        "language": language,
        "agent": context.agent,
        "policy": context.policy,
    }


def _sent_at(message: HumanMessage, clock: Clock) -> datetime:
    """When the user said it: as the message tells, else now."""
    told = message.additional_kwargs.get(SENT_AT)
    if told is None:
        return clock.now()
    try:
        return check_instant(datetime.fromisoformat(told), "the time of the message")
    except (TypeError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(
            "the message's time is not an ISO 8601 instant: give one such as 2026-11-30T09:00Z"
        ) from None

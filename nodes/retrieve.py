"""retrieve: what memory holds for the message. One embedding, one statement."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from perdure.errors import InvalidInput, InvalidScope
from perdure.graph.context import Context, context_of
from perdure.graph.messages import SENT_AT, last_human
from perdure.graph.overtaken import overtaken, write_overtaken
from perdure.graph.state import STATE_VERSION, State
from perdure.graph.thread import thread_name
from perdure.graph.upgrade import check_version
from perdure.language import detect_language
from perdure.layer import MemoryLayer
from perdure.plain import plain
from perdure.recall import Query
from perdure.text import MESSAGE_LIMIT, check_text
from perdure.time import Clock, check_instant, zone_name, zone_of
from perdure.turn import Language


async def retrieve(state: State, runtime: Runtime[Context], *, memory: MemoryLayer) -> dict[str, Any]:
    """Writes `recalled`, and opens the turn: its message, time and language."""
    context = context_of(runtime)
    scope = context.scope
    check_version(state)
    _check_owner(state, context)
    await memory.ledger.admit(scope)
    if before := overtaken(state):
        await write_overtaken(before, scope, memory)
    message = last_human(state["messages"])
    text = check_text(message.text, "the message", limit=MESSAGE_LIMIT)
    query = Query(
        text,
        k=context.recall_k,
        as_of=context.as_of,
        as_known_at=context.as_known_at,
        preset=context.preset,
        weak=True,  # what a statement changes is found by extract and write, though no reply needs it
        exclude_thread=thread_name(runtime, scope),
    )
    sent_at, language = _sent_at(message, memory.clock), _language(text, context)
    zone = _time_zone(sent_at, context)
    at = sent_at.astimezone(zone_of(zone))
    opening = await memory.open_turn(scope, query, at=at, language=language, time_model=context.time_model)
    return {
        "state_version": STATE_VERSION,
        "scope": {"tenant": scope.tenant, "user": scope.user},
        "turn": {
            "thread": query.exclude_thread,
            "message": message.id or "",
            "at": check_instant(sent_at, "the time of the message").isoformat(),
            "time_zone": zone,
            "language": language,
            "agent": context.agent,
            "run_policy": context.policy,
            "policy": opening.policy.model_dump(mode="json", exclude_defaults=True),
        },
        "recalled": {
            "hits": plain(opening.hits),
            "attributes": plain(opening.attributes),
            "as_of": plain(context.as_of),
            "as_known_at": plain(context.as_known_at),
            "time": plain(opening.time),
            "core": plain(opening.core),
        },
        "noted": [],
        "refused": [],
        "candidates": {"operations": [], "gate": {}, "decisions": [], "why": "", "complete": True, "at": ""},
        "written": [],
        "usage": [opening.usage.to_json()] if opening.usage else [],
    }


def _check_owner(state: State, context: Context) -> None:
    """A thread belongs to the user who began it: another one's messages and memories are in its checkpoints."""
    owner = state.get("scope")
    if owner and (owner["tenant"], owner["user"]) != (context.tenant, context.user):
        raise InvalidScope("this thread belongs to another user: begin a new one")


def _language(text: str, context: Context) -> Language:
    return detect_language(text) if context.language == "auto" else context.language


def _sent_at(message: HumanMessage, clock: Clock) -> datetime:
    """When the user said it, in the time zone that the message tells; else now."""
    told = message.additional_kwargs.get(SENT_AT)
    if told is None:
        return clock.now()
    try:
        return datetime.fromisoformat(told)
    except (TypeError, ValueError):
        raise InvalidInput(
            "the message's time is not an ISO 8601 instant: give one such as 2026-11-30T09:00Z"
        ) from None


def _time_zone(sent_at: datetime, context: Context) -> str:
    """The user's, or where the run does not know it, what the message's own time tells; raises `InvalidTime`."""
    zone_of(context.time_zone)
    return context.time_zone if context.time_zone != "UTC" else zone_name(sent_at)

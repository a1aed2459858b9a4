"""Memories of mem0, as `Memory.get_all()` and the exports of its platform give them.

A document ``{"results": [memory, …]}`` (or ``memories``), a list of memories, or one memory a line. A memory has ``id``,
``memory``, ``created_at`` and, if it was changed, ``updated_at``; ``user_id``, ``agent_id``, ``run_id``, ``role`` and
``expiration_date`` where it has them. mem0 keeps former texts apart: a memory may bring them as ``history``, the list
that ``Memory.history(id)`` gives. Without it only the present text is known, and only since it was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

from perdure.errors import InvalidInput
from perdure.facts import Trust
from perdure.moving.instants import instant_of
from perdure.moving.records import Json
from perdure.moving.untrusted import json_value
from perdure.moving.versions import Item, Version
from perdure.scope import Scope

AUTHOR = "mem0"
_TOLD = {"id", "memory", "created_at", "updated_at", "user_id", "agent_id", "run_id", "history", "expiration_date"}
_DEPTH = ("results", "memories")


def mem0_items(lines: Iterable[bytes]) -> Iterator[bytes | Json]:
    """The memories: the lines as they are where each is a memory, else those of the one document that they make up."""
    rest = iter(lines)
    first = next((line for line in rest if line.strip()), b"")
    if _is_memory(first):
        yield from chain([first], (line for line in rest if line.strip()))
        return
    document = json_value(b"".join(chain([first], rest)))
    memories = (
        next((document[name] for name in _DEPTH if name in document), None) if isinstance(document, dict) else document
    )
    if not isinstance(memories, list):
        raise InvalidInput("the document has no list of memories: give what Memory.get_all() returns")
    yield from memories


def item_of(memory: Json, default_user: str, tenant: str) -> Item:
    """A memory and its former texts. Raises `InvalidInput` for what is none."""
    identity, user = _text(memory, "id"), _text(memory, "user_id") or default_user
    if not identity:
        raise InvalidInput("it has no id")
    if not user:
        raise InvalidInput("it has no user_id, and no user is named")
    role = memory.get("role") or memory.get("attributed_to")
    others = {name: value for name, value in memory.items() if name not in _TOLD and value not in (None, {}, [])}
    return Item(
        scope=Scope(user=user, tenant=tenant, agent=_text(memory, "agent_id")),
        author=AUTHOR,
        name=identity,
        versions=_versions(memory),
        others=others,
        thread=_text(memory, "run_id"),
        trust=Trust.ASSISTANT if role == "assistant" else Trust.USER,
        until=_expiry(memory),
    )


def _versions(memory: Json) -> list[Version]:
    former = memory.get("history") or []
    if not isinstance(former, list) or not all(isinstance(row, dict) for row in former):
        raise InvalidInput("its history is no list of changes")
    versions = sorted((_former(row) for row in former), key=lambda version: version.at)
    present = _text(memory, "memory") or None
    if present and (not versions or versions[-1].text != present):
        versions.append(Version(present, instant_of(memory.get("updated_at") or memory.get("created_at"), "its date")))
    if not versions:
        raise InvalidInput("it has neither a text nor a history")
    return versions


def _former(row: Json) -> Version:
    """A row of the history: an ADD or UPDATE with its new text, or a DELETE. The platform names the texts otherwise."""
    event = row.get("event")
    if event not in {"ADD", "UPDATE", "DELETE"}:
        raise InvalidInput("an event of its history is none of ADD, UPDATE and DELETE")
    at = instant_of(row.get("updated_at") or row.get("created_at"), "the date of a change in its history")
    text = _text(row, "new_memory") or _text(row, "new_value")
    return Version(None if event == "DELETE" else text, at)


def _expiry(memory: Json) -> datetime | None:
    """mem0 forgets a memory at the end of that day."""
    day = _text(memory, "expiration_date")
    try:
        return datetime.fromisoformat(day[:10]).replace(tzinfo=UTC) + timedelta(days=1) if day else None
    except ValueError:
        raise InvalidInput("its expiration_date is no date") from None


def _text(found: Json, name: str) -> str:
    value: Any = found.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidInput(f"its {name} is no text")
    return value or ""


def _is_memory(line: bytes) -> bool:
    try:
        found = json_value(line)
    except InvalidInput:
        return False
    return isinstance(found, dict) and not any(name in found for name in _DEPTH)

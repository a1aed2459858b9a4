"""What another memory kept as one text, overwritten whenever it changed, as statements that supersede each other."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from perdure.attributes import BUILT_IN, Cardinality
from perdure.facts import PERDURE_NAMESPACE, USER, Action, Operation, Trust, slot_of
from perdure.language import detect_language
from perdure.moving.first_person import first_person
from perdure.moving.records import MovedStatement
from perdure.offline.extract import RuleExtractor
from perdure.operations import value_in
from perdure.scope import Scope
from perdure.text import check_text
from perdure.turn import Known, Turn


@dataclass(frozen=True, slots=True)
class Version:
    """A text that an item had from `at` on; None: the item was deleted then."""

    text: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Item:
    """An item of another memory. ``author`` is that memory's name, ``name`` the item's own among its user's."""

    scope: Scope
    author: str
    name: str
    versions: Sequence[Version]
    """In order of time."""
    others: dict[str, Any]
    """The fields that have no place of their own: kept as evidence."""
    thread: str = ""
    trust: Trust = Trust.USER
    until: datetime | None = None
    """When the last version expires."""


async def statements_of(item: Item, ordinal: int) -> list[MovedStatement]:
    """What the versions of an item state, with deterministic ids; numbered from `ordinal` on.

    A version is stated under the attributes that the rules find in it, else as a note. It holds from when it was written,
    unless it tells a date itself, until a version is written that says something else.
    """
    told: list[MovedStatement] = []
    before: dict[UUID, MovedStatement] = {}
    for version in item.versions:
        last = version is item.versions[-1]
        now = {one.slot: one for one in await _asserted(item, version, item.until if last else None)}
        told += [_end(old, version.at) for slot, old in before.items() if slot not in now]
        told += now.values()
        before = now
    return [replace(one, ordinal=ordinal + number) for number, one in enumerate(told)]


async def _asserted(item: Item, version: Version, until: datetime | None) -> list[MovedStatement]:
    if version.text is None:
        return []
    text = check_text(version.text, "its text")
    return [_statement(item, one, text, version.at, until) for one in await _operations(text, version.at)]


async def _operations(text: str, at: datetime) -> list[Operation]:
    said = first_person(text)
    turn = Turn(message="", user_text=said, assistant_text="", at=at, language=detect_language(said))
    found = await RuleExtractor().extract(turn, Known())
    placed = [one for one in found.operations if one.action is Action.ASSERT and one.attribute and one.value]
    return placed or [Operation(content=text)]


def _statement(item: Item, operation: Operation, text: str, at: datetime, until: datetime | None) -> MovedStatement:
    attribute = operation.attribute
    cardinality = BUILT_IN.cardinality(attribute) if attribute else Cardinality.MANY
    value = value_in(operation)
    start, end = operation.valid_from or at, operation.valid_to or until
    return MovedStatement(
        id=_id(item, at, attribute, value),
        slot=slot_of(item.scope, USER, attribute, cardinality, value),
        agent=item.scope.agent,
        action=Action.ASSERT,
        subject=USER,
        attribute=attribute,
        cardinality=cardinality,
        value=value,
        content=text,
        kind=operation.kind,
        importance=operation.importance,
        confidence=operation.confidence,
        trust=item.trust,
        valid_from=start,
        dated=operation.valid_from is not None,
        stated_to=end if end and end > start else None,
        recorded_at=at,
        ordinal=0,
        targets=(),
        thread=item.thread,
        message=item.name,
        author=item.author,
        evidence=json.dumps(item.others, ensure_ascii=False) if item.others else "",
    )


def _end(old: MovedStatement, at: datetime) -> MovedStatement:
    return replace(
        old,
        id=uuid.uuid5(old.id, f"end {at.isoformat()}"),
        action=Action.END,
        value="",
        content="",
        evidence="",
        valid_from=at,
        dated=True,
        stated_to=None,
        recorded_at=at,
        slot_value=old.value,
    )


def _id(item: Item, at: datetime, attribute: str, value: str) -> UUID:
    parts = (item.scope.tenant, item.scope.user, item.author, item.name, at.isoformat(), attribute, value)
    return uuid.uuid5(PERDURE_NAMESPACE, json.dumps(parts, ensure_ascii=False))

"""What stands in a file, as types: the records of the tables that are moved, without what can be made anew."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from perdure.attributes import Cardinality
from perdure.episodes import Episode
from perdure.facts import Statement
from perdure.plain import Record

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class MovedStatement(Statement):
    slot_value: str = ""
    """Of an end or a retraction in a slot that is one value's own: that value, without which nobody knows the slot."""


@dataclass(frozen=True, slots=True)
class MovedEpisode(Episode):
    speaker: str = ""
    session: UUID | None = None
    """The session that an exchange became part of."""


@dataclass(frozen=True, slots=True)
class MovedPolicy(Record):
    """A version of a policy; whose it is stands beside the record."""

    agent: str
    version: int
    policy: Json
    author: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class MovedAttribute(Record):
    """What a tenant has added to the vocabulary, or merged."""

    name: str
    cardinality: Cardinality
    kind: str
    english: tuple[str, ...]
    korean: tuple[str, ...]
    merged_into: str
    author: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Incoming:
    """A record that somebody wants stored. ``user`` is whose it is where it comes from; empty: all of the tenant's."""

    type: str
    user: str
    record: Record

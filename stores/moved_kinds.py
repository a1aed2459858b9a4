"""The types of records that are moved: how each is read from its table, checked when it comes from a file, and saved.

Another table is moved once it has a `MovedKind` in `KINDS`, its statements in `moving.sql`, and its record and check in
`perdure.moving`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from perdure.attributes import Cardinality, Vocabulary
from perdure.moving.attributes import placed_attribute
from perdure.moving.checks import placed_episode, placed_policy, placed_statement
from perdure.moving.core_blocks import MovedBlock, placed_block
from perdure.moving.destination import Move
from perdure.moving.records import MovedAttribute, MovedEpisode, MovedPolicy, MovedStatement
from perdure.plain import Record
from perdure.ports import Vector
from perdure.scope import Scope
from perdure.stores.moved_rows import save_attributes, save_blocks, save_episodes, save_policies, save_statements
from perdure.stores.pool import Connection
from perdure.stores.rows import Row, statement_fields
from perdure.time import EARLIEST

_NO_ID = UUID(int=0)


@dataclass(frozen=True, slots=True)
class MovedKind:
    """A type of records. Of functions that take a record, each kind's take its own: hence `Any`."""

    name: str
    record: type[Record]
    file: str
    """The SQL file in which its page stands, under `<name>_page`."""
    start: Mapping[str, Any]
    """The columns by which pages go on, and values that are before all others."""
    of_row: Callable[[Row], Any]
    place: Callable[[Any, Move, Vocabulary, datetime], Any]
    """Checks a record and places it in another scope (see `perdure.moving.checks`)."""
    save: Callable[[Connection, Scope, Sequence[Any], Mapping[str, Vector], bool], Awaitable[int]]
    """Saves what is new, within the caller's transaction; how many that was. The last is whether it is for all users."""
    text: Callable[[Any], str] = lambda _: ""
    """What is embedded of it; empty: nothing."""


def _statement(row: Row) -> MovedStatement:
    return MovedStatement(**statement_fields(row))


def _episode(row: Row) -> MovedEpisode:
    return MovedEpisode(**{name: value for name, value in row.items() if name != "place"})


def _attribute(row: Row) -> MovedAttribute:
    told: Row = {"english": tuple(row["english"]), "korean": tuple(row["korean"])}
    told["cardinality"] = Cardinality(row["cardinality"])
    return MovedAttribute(**row | told)


ATTRIBUTE = MovedKind(
    "attribute",
    MovedAttribute,
    "moving_tenant",
    {"recorded_at": EARLIEST, "name": ""},
    _attribute,
    placed_attribute,
    save_attributes,
)
POLICY = MovedKind(
    "policy",
    MovedPolicy,
    "moving",
    {"agent": "", "version": 0},
    lambda row: MovedPolicy(**row),
    placed_policy,
    save_policies,
)
CORE_BLOCK = MovedKind(
    "core_block",
    MovedBlock,
    "moving",
    {"agent": "", "label": "", "version": 0},
    lambda row: MovedBlock(**row),
    placed_block,
    save_blocks,
)
STATEMENT = MovedKind(
    "statement",
    MovedStatement,
    "moving",
    {"slot": _NO_ID, "recorded_at": EARLIEST, "ordinal": -1, "id": _NO_ID},
    _statement,
    placed_statement,
    save_statements,
    text=lambda told: str(told.content),
)
EPISODE = MovedKind(
    "episode",
    MovedEpisode,
    "moving",
    {"thread": "", "place": -(2**63), "id": _NO_ID},
    _episode,
    placed_episode,
    save_episodes,
    text=lambda kept: str(kept.content),
)

SHARED = (ATTRIBUTE, POLICY)
"""What belongs to all users of a tenant, in the order in which it is moved: names before what uses them."""
OWN = (POLICY, CORE_BLOCK, STATEMENT, EPISODE)
"""What belongs to one user."""
KINDS = {kind.name: kind for kind in (*SHARED, *OWN)}

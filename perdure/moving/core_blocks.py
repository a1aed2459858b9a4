"""Versions of core memory from outside."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from perdure.attributes import Vocabulary
from perdure.core import Block, EditAction, check_label, check_limit, with_content
from perdure.errors import InvalidInput
from perdure.moving.checks import check_recorded, check_source, check_version, limited
from perdure.moving.destination import Move
from perdure.plain import Record
from perdure.scope import check_name
from perdure.text import CONTENT_LIMIT


@dataclass(frozen=True, slots=True)
class MovedBlock(Record):
    """A block as it stood after one change: the fields of its row."""

    agent: str
    label: str
    version: int
    content: str
    char_limit: int
    description: str
    removed: bool
    edit: UUID
    action: EditAction
    thread: str
    message: str
    author: str
    recorded_at: datetime


def placed_block(block: MovedBlock, move: Move, vocabulary: Vocabulary, now: datetime) -> MovedBlock:
    """Raises `InvalidInput` for what cannot be a version of a block."""
    if check_label(block.label) != block.label:
        raise InvalidInput("its label is not spelled as one is stored")
    check_version(block.version)
    with_content(Block(block.label, limit=check_limit(block.char_limit)), block.content)
    limited(block.description, "the description", CONTENT_LIMIT)
    check_source(block.thread, block.message)
    check_name(block.author, "author")
    return replace(block, recorded_at=check_recorded(block.recorded_at, now), agent=move.to.agent)

"""Core memory: named blocks of text that always stand in the prompt, and how they are edited.

The terms are those of MemGPT (Packer et al. 2023, arXiv:2310.08560) and Letta.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

from perdure.credentials import check_holds_no_credential, named_credential
from perdure.errors import CredentialRefused, InvalidEdit, InvalidInput
from perdure.facts import Action, Operation
from perdure.plain import Record
from perdure.text import CONTENT_LIMIT, LABEL_LIMIT, check_text

LIMIT = 2_000
"""Characters of a block, unless it says otherwise."""
EditAction = Literal["core_append", "core_replace", "set", "remove", "restore"]
"""What made a version of a block: the first two are operations, too."""
_LABEL = re.compile(r"\w[\w.-]*")
_ROOM_FOR_PEOPLE = "shorten the text, or give the block a higher limit"
_ROOM_FOR_MODELS = "shorten it with core_memory_replace, or put the details into archival_memory_insert"


@dataclass(frozen=True, slots=True)
class Block(Record):
    """A block as it stands. Version 0 is one that nobody has written to."""

    label: str
    content: str = ""
    limit: int = LIMIT
    """Characters."""
    description: str = ""
    """What belongs in it, for the model."""
    version: int = 0
    """Grows with every change that its scope sees: an agent's own copy goes on where the shared block was."""
    agent: str = ""
    """Whose it is; empty for the one that all agents of the user share."""
    author: str = ""
    recorded_at: datetime | None = None

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        moment = told["recorded_at"]
        return cls(**{**told, "recorded_at": moment and datetime.fromisoformat(moment)})

    @property
    def fill(self) -> str:
        """How full it is, as models and people are told."""
        return f"{len(self.content)}/{self.limit}"

    def says_the_same_as(self, other: Block) -> bool:
        return (self.content, self.limit, self.description) == (other.content, other.limit, other.description)


@dataclass(frozen=True, slots=True)
class BlockVersion(Record):
    """A block as it stood after one change, and what changed it."""

    block: Block
    action: EditAction
    removed: bool
    """From then on there was no such block."""
    edit: UUID
    """The id of the operation, or of the change by hand."""
    thread: str = ""
    message: str = ""


BUILT_IN = (
    Block("persona", description="Who you, the assistant, are: your name, your manner, what you promised about it."),
    Block("human", description="The person you are talking to: what you must never have to look up."),
    Block("goals", description="What the two of you are working towards, and how far it is."),
)
"""The blocks that every scope has, empty until somebody writes to them."""


def blocks_of(newest: Iterable[BlockVersion]) -> list[Block]:
    """The blocks that there are, given the newest version of each label: the built-in ones first, then by label."""
    blocks = {block.label: block for block in BUILT_IN}
    for version in sorted(newest, key=lambda version: version.block.label):
        if not version.removed:
            blocks[version.block.label] = version.block
    return list(blocks.values())


def check_label(label: str) -> str:
    """The label in its one form; raises `InvalidInput` for what cannot be one."""
    label = check_text(label, "the label of the block", limit=LABEL_LIMIT).lower()
    if not _LABEL.fullmatch(label):
        raise InvalidInput(f"{label!r} is no label of a block: use letters, digits, '_', '-' and '.'")
    return label


def block_named(label: str, blocks: Iterable[Block]) -> Block:
    """Raises `InvalidEdit`, which names those that there are."""
    known = {block.label: block for block in blocks}
    if found := known.get(label.strip().lower()):
        return found
    raise InvalidEdit(f"there is no block {label[:LABEL_LIMIT]!r}: use one of {', '.join(known)}")


def edited(block: Block, operation: Operation) -> Block:
    """The block after an edit by a checked operation; version and author are the store's to set.

    Raises `InvalidEdit` or `CredentialRefused`, with a message that a model can act on; the block is then as it was.
    """
    if operation.action is Action.CORE_APPEND:
        content = appended(block, operation.content)
    else:
        content = replaced(block, operation.value, operation.content)
    return with_content(block, content, room=_ROOM_FOR_MODELS)


def appended(block: Block, text: str) -> str:
    """The block's text with another line."""
    return f"{block.content}\n{text}" if block.content else text


def replaced(block: Block, old: str, new: str) -> str:
    """The block's text with the one place of `old` replaced; no empty line is left where nothing takes its place.

    Raises `InvalidEdit` where it stands nowhere, or more than once.
    """
    before, *rest = block.content.split(old)
    if not rest:
        raise InvalidEdit(
            f"the text to replace does not stand in the block {block.label!r}: copy it exactly as the block shows it"
        )
    if len(rest) > 1:
        raise InvalidEdit(
            f"the text to replace stands {len(rest)} times in the block {block.label!r}: copy more of what is around it"
        )
    after = rest[0]
    if not new and (not before or before.endswith("\n")):
        after = after.removeprefix("\n")
    return f"{before}{new}{after}".strip()


def with_content(block: Block, content: str, *, room: str = _ROOM_FOR_PEOPLE) -> Block:
    """The block with this text. Raises `InvalidEdit` where that is longer than its limit, and tells how to make `room`.

    The text is looked at as a whole, so that no credential is told in parts: raises `CredentialRefused`.
    """
    if len(content) > block.limit:
        raise InvalidEdit(
            f"the block {block.label!r} would have {len(content)} characters, {len(content) - block.limit} more than"
            f" its limit of {block.limit}: {room}"
        )
    check_holds_no_credential(content, f"the block {block.label!r}")
    if found := named_credential(block.label, content):
        raise CredentialRefused(f"the block {block.label!r} would hold a {found[1:-1]}, which is never stored")
    return replace(block, content=content)


def check_limit(limit: int) -> int:
    if not 1 <= limit <= CONTENT_LIMIT:
        raise InvalidInput(f"a block cannot have a limit of {limit} characters: give 1 to {CONTENT_LIMIT}")
    return limit

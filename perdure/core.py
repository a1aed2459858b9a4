"""Core memory: named blocks of text that always stand in the prompt, and how they are edited.

The terms are those of MemGPT (Packer et al. 2023, arXiv:2310.08560) and Letta.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from perdure.errors import InvalidEdit, InvalidInput
from perdure.facts import Action, Operation
from perdure.plain import Record
from perdure.text import CONTENT_LIMIT, LABEL_LIMIT, check_text

LIMIT = 2_000
"""Characters of a block, unless it says otherwise."""
_LABEL = re.compile(r"\w[\w.-]*")


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


BUILT_IN = (
    Block("persona", description="Who you, the assistant, are: your name, your manner, what you promised about it."),
    Block("human", description="The person you are talking to: what you must never have to look up."),
    Block("goals", description="What the two of you are working towards, and how far it is."),
)
"""The blocks that every scope has, empty until somebody writes to them."""


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

    Raises `InvalidEdit` with a message that a model can act on; the block is then as it was.
    """
    if operation.action is Action.CORE_APPEND:
        return with_content(block, f"{block.content}\n{operation.content}" if block.content else operation.content)
    found = block.content.count(operation.value)
    if not found:
        raise InvalidEdit(
            f"the text to replace does not stand in the block {block.label!r}: copy it exactly as the block shows it"
        )
    if found > 1:
        raise InvalidEdit(
            f"the text to replace stands {found} times in the block {block.label!r}: copy more of what is around it"
        )
    content = block.content.replace(operation.value, operation.content)
    return with_content(block, "\n".join(line for line in content.split("\n") if line.strip()))


def with_content(block: Block, content: str) -> Block:
    """The block with this text. Raises `InvalidEdit` where that is longer than its limit."""
    if len(content) > block.limit:
        raise InvalidEdit(
            f"the block {block.label!r} would have {len(content)} characters, {len(content) - block.limit} more than its limit of "
            f"{block.limit}: shorten it with core_memory_replace, or put the details into archival_memory_insert"
        )
    return replace(block, content=content)


def check_limit(limit: int) -> int:
    if not 1 <= limit <= CONTENT_LIMIT:
        raise InvalidInput(f"a block cannot have a limit of {limit} characters: give 1 to {CONTENT_LIMIT}")
    return limit

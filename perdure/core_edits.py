"""Changes of core memory on the blocks as they are: new versions, and a receipt for each edit that a turn asks for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal
from uuid import UUID, uuid4

from perdure.core import Block, BlockVersion, EditAction, block_named, blocks_of, edited
from perdure.errors import InvalidInput
from perdure.facts import Action, Operation, Receipt, Source, Trust, statement_id
from perdure.scope import Scope

AGENT = "agent"
"""The author of what an assistant writes for itself."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What makes a version, and where it comes from."""

    action: EditAction
    author: str
    edit: UUID = field(default_factory=uuid4)
    thread: str = ""
    message: str = ""


class CoreWriting:
    """The versions that one transaction makes. A write goes to exactly its scope: a shared block is copied, not changed.

    ``newest`` are the newest versions that the scope sees, one of each label; ``recorded`` the ids of edits that were
    made before.
    """

    def __init__(
        self, scope: Scope, newest: Iterable[BlockVersion], recorded_at: datetime, recorded: Iterable[UUID] = ()
    ) -> None:
        self._scope = scope
        self._newest = {version.block.label: version for version in newest}
        self._recorded_at = recorded_at
        self._recorded = set(recorded)
        self.made: list[BlockVersion] = []

    @property
    def blocks(self) -> list[Block]:
        """Those that there are now."""
        return blocks_of(self._newest.values())

    def put(self, label: str, wanted: Block | None, origin: Origin) -> Block | None:
        """The block as it then is; None removes it. No version is made where nothing changes."""
        before = next((block for block in self.blocks if block.label == label), None)
        if wanted is before or (wanted and before and wanted.says_the_same_as(before)):
            return before
        last = self._newest.get(label)
        block = replace(
            wanted or Block(label),
            version=last.block.version + 1 if last else 1,
            agent=self._scope.agent,
            author=origin.author,
            recorded_at=self._recorded_at,
        )
        removed = wanted is None
        version = BlockVersion(block, origin.action, removed, origin.edit, origin.thread, origin.message)
        self._newest[label] = version
        self.made.append(version)
        return None if removed else block

    def apply(self, operation: Operation, source: Source) -> Receipt:
        """Make an edit by a checked operation. One that does not fit the block as it is now is dropped."""
        identity = statement_id(self._scope, source, operation)
        if identity in self._recorded:
            return _receipt(operation, "unchanged", "this edit of this message is recorded already", identity)
        try:
            before = block_named(operation.attribute, self.blocks)
            after = self.put(before.label, edited(before, operation), _origin(operation, source, identity))
        except InvalidInput as error:
            return _receipt(operation, "dropped", str(error))
        assert after
        if after is before:
            return _receipt(operation, "unchanged", f"{standing(before)}, says so already")
        self._recorded.add(identity)
        return _receipt(operation, "applied", standing(after), identity)


def standing(block: Block) -> str:
    """Such as `persona, version 3: 312 of 2000 characters`."""
    return f"{block.label}, version {block.version}: {len(block.content)} of {block.limit} characters"


def _origin(operation: Operation, source: Source, identity: UUID) -> Origin:
    action: EditAction = "core_append" if operation.action is Action.CORE_APPEND else "core_replace"
    by_itself = operation.trust is Trust.ASSISTANT
    author = operation.approved_by or (AGENT if by_itself else source.author)
    return Origin(action, author, identity, source.thread, source.message)


def _receipt(
    operation: Operation, outcome: Literal["applied", "unchanged", "dropped"], why: str, identity: UUID | None = None
) -> Receipt:
    text = operation.content if outcome == "applied" else ""
    return Receipt(operation.action, outcome, why, identity, attribute=operation.attribute, text=text)

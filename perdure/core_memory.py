"""Core memory read and changed by a person or an application itself, not by what is said in a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from perdure.core import (
    BUILT_IN,
    Block,
    BlockVersion,
    EditAction,
    appended,
    block_named,
    check_label,
    check_limit,
    replaced,
    with_content,
)
from perdure.core_edits import Origin
from perdure.credentials import check_holds_no_credential
from perdure.errors import NotFound
from perdure.facts import USER
from perdure.graph.context import Context, run_context
from perdure.stores.core_blocks import Change, PostgresCoreStore
from perdure.text import CONTENT_LIMIT, VALUE_LIMIT, check_text


@dataclass(frozen=True, slots=True)
class CoreMemory:
    """The part of `Memory` that has the blocks. No policy is asked: whoever calls it has decided.

    Every change is a new version, by the context's reviewer or else the user, and writes to exactly the context's scope:
    an agent's change of a block that all agents share makes a copy of its own.
    """

    store: PostgresCoreStore

    async def blocks(
        self, *, as_known_at: datetime | None = None, user: str | None = None, context: Context | None = None
    ) -> list[Block]:
        """All blocks, as they are or as they were then: persona, human and goals, then the others by label."""
        run = run_context(user, context)
        return await self.store.blocks(run.scope, as_known_at=as_known_at or run.as_known_at)

    async def get(
        self,
        label: str,
        *,
        as_known_at: datetime | None = None,
        user: str | None = None,
        context: Context | None = None,
    ) -> Block:
        """Raises `InvalidEdit` for a label that no block has."""
        blocks = await self.blocks(as_known_at=as_known_at, user=user, context=context)
        return block_named(check_label(label), blocks)

    async def set(
        self,
        label: str,
        text: str | None = None,
        *,
        limit: int | None = None,
        description: str | None = None,
        user: str | None = None,
        context: Context | None = None,
    ) -> Block:
        """Write a block anew, or make one: text, limit in characters, and what it is for; None leaves that as it is.

        Raises `InvalidEdit` for a text that is longer than the limit, also where only the limit shrinks.
        """
        label = check_label(label)
        text = text and _checked(text, "the text of the block", CONTENT_LIMIT)
        limit = limit if limit is None else check_limit(limit)
        description = description and _checked(description, "the description of the block", VALUE_LIMIT)

        def written(blocks: Sequence[Block]) -> Block:
            block = next((block for block in blocks if block.label == label), Block(label))
            block = replace(
                block,
                limit=block.limit if limit is None else limit,
                description=block.description if description is None else description,
            )
            return with_content(block, block.content if text is None else text)

        return await self._change(label, "set", written, run_context(user, context))

    async def append(self, label: str, text: str, *, user: str | None = None, context: Context | None = None) -> Block:
        """Add a line to a block. Raises `InvalidEdit` where there is no such block, or no room in it."""
        label, text = (
            check_label(label),
            _checked(check_text(text, "the text to append"), "the text to append", CONTENT_LIMIT),
        )

        def longer(blocks: Sequence[Block]) -> Block:
            block = block_named(label, blocks)
            return with_content(block, appended(block, text))

        return await self._change(label, "core_append", longer, run_context(user, context))

    async def replace(
        self, label: str, old: str, new: str, *, user: str | None = None, context: Context | None = None
    ) -> Block:
        """Replace a text that stands in a block once; by nothing, if `new` is empty. Raises `InvalidEdit`."""
        label, old = check_label(label), check_text(old, "the text to replace")
        new = new and _checked(new, "the new text", CONTENT_LIMIT)

        def changed(blocks: Sequence[Block]) -> Block:
            block = block_named(label, blocks)
            return with_content(block, replaced(block, old, new))

        return await self._change(label, "core_replace", changed, run_context(user, context))

    async def remove(self, label: str, *, user: str | None = None, context: Context | None = None) -> Block | None:
        """Remove a block; a built-in one is emptied instead, and returned. Its versions stay.

        Raises `InvalidEdit` for a label that no block has.
        """
        label, run = check_label(label), run_context(user, context)

        def removed(blocks: Sequence[Block]) -> Block | None:
            block_named(label, blocks)
            return next((block for block in BUILT_IN if block.label == label), None)

        return await self.store.change(run.scope, label, removed, _origin("remove", run))

    async def history(
        self, label: str, *, user: str | None = None, context: Context | None = None
    ) -> list[BlockVersion]:
        """Every version, the newest first; none of a built-in block that nobody has written to.

        An agent's begin with those that the shared block had when the agent made a copy of it. Raises `InvalidEdit` for a
        label that no block ever had.
        """
        label, run = check_label(label), run_context(user, context)
        versions = await self.store.history(run.scope, label)
        if not versions:
            block_named(label, await self.store.blocks(run.scope))
        return versions

    async def restore(
        self, label: str, version: int, *, user: str | None = None, context: Context | None = None
    ) -> Block:
        """Make a block what it was: text, limit and description of that version, as a new one.

        Raises `NotFound` where there was none, `InvalidEdit` for a label that no block ever had.
        """
        label, run = check_label(label), run_context(user, context)
        versions = await self.history(label, context=run)
        found = next((one.block for one in versions if one.block.version == version and not one.removed), None)
        if found is None:
            raise NotFound(f"the block {label!r} had no version {version}: `perdure core history {label}` lists them")
        then = found

        def restored(_: Sequence[Block]) -> Block:
            return with_content(then, then.content)

        return await self._change(label, "restore", restored, run)

    async def _change(self, label: str, action: EditAction, change: Change, run: Context) -> Block:
        block = await self.store.change(run.scope, label, change, _origin(action, run))
        assert block
        return block


def _origin(action: EditAction, run: Context) -> Origin:
    return Origin(action, run.reviewer or USER)


def _checked(text: str, what: str, limit: int) -> str:
    """Text that may be nothing but white space, which is none. It is looked at by itself, too: what it will stand in
    can hide a credential."""
    text = check_text(text, what, limit=limit) if text.strip() else ""
    check_holds_no_credential(text, what)
    return text

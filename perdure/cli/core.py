"""`perdure core`: the blocks that always stand in the prompt, shown and changed by hand."""

from __future__ import annotations

from typing import Annotated

import typer

from perdure.cli.core_tables import block_lines, blocks_table, versions_table
from perdure.cli.default_command import ListsByDefault
from perdure.cli.flags import SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import shown
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.cli.typed_text import typed_text
from perdure.core import Block, check_label, check_limit
from perdure.core_edits import standing
from perdure.graph.context import Context
from perdure.text import check_text

Label = Annotated[str, typer.Argument(help="The block, such as persona.")]


core = typer.Typer(cls=ListsByDefault, help="What always stands in the prompt: show and edit the blocks.")


@core.command("list")
@runs
@context_flags(*SCOPE, "as_known_at", ZONE)
async def list_blocks(*, context: Context, output: Output) -> None:
    """List the blocks, and how full each is."""
    async with opened(output) as memory:
        blocks = await memory.core.blocks(context=context)
    output.answer(blocks, blocks_table(blocks, context.zone))


@core.command()
@runs
@context_flags(*SCOPE, "as_known_at", ZONE)
async def show(label: Label, *, context: Context, output: Output) -> None:
    """Show one block in full."""
    label = check_label(label)
    async with opened(output) as memory:
        block = await memory.core.get(label, context=context)
    output.answer(block, *block_lines(block))


@core.command("set")
@runs
@context_flags(*SCOPE, "reviewer")
async def set_block(
    label: Label,
    text: Annotated[
        str | None, typer.Argument(help='Its text; - reads standard input, "" empties it. Left out, it stays.')
    ] = None,
    *,
    limit: Annotated[int | None, typer.Option(help="How many characters it may have.")] = None,
    description: Annotated[str | None, typer.Option(help="What belongs in it, for the model.")] = None,
    context: Context,
    output: Output,
) -> None:
    """Write a block anew, or make one of your own."""
    label, limit = check_label(label), limit if limit is None else check_limit(limit)
    written = text and typed_text(text, "the text of the block")
    async with opened(output) as memory:
        block = await memory.core.set(label, written, limit=limit, description=description, context=context)
    _answer(block, output)


@core.command()
@runs
@context_flags(*SCOPE, "reviewer")
async def append(
    label: Label,
    text: Annotated[str, typer.Argument(help="The line to add; - reads it from standard input.")],
    *,
    context: Context,
    output: Output,
) -> None:
    """Add a line to a block."""
    label, line = check_label(label), typed_text(text, "the text to append")
    async with opened(output) as memory:
        block = await memory.core.append(label, line, context=context)
    _answer(block, output)


@core.command()
@runs
@context_flags(*SCOPE, "reviewer")
async def replace(
    label: Label,
    old: Annotated[str, typer.Argument(help="Text that stands in the block once.")],
    new: Annotated[str, typer.Argument(help='What takes its place; "" for nothing.')],
    *,
    context: Context,
    output: Output,
) -> None:
    """Replace a text in a block."""
    label, old = check_label(label), check_text(old, "the text to replace")
    async with opened(output) as memory:
        block = await memory.core.replace(label, old, new, context=context)
    _answer(block, output)


@core.command()
@runs
@context_flags(*SCOPE, "reviewer")
async def remove(label: Label, *, context: Context, output: Output) -> None:
    """Remove a block; persona, human and goals are emptied. Its versions stay, and can be restored."""
    label = check_label(label)
    async with opened(output) as memory:
        block = await memory.core.remove(label, context=context)
    told = standing(block) if block else f"removed: {shown(label)}"
    output.answer({"label": label, "removed": block is None, "block": block}, told)


@core.command()
@runs
@context_flags(*SCOPE, ZONE)
async def history(label: Label, *, context: Context, output: Output) -> None:
    """List every version of a block, the newest first."""
    label = check_label(label)
    async with opened(output) as memory:
        versions = await memory.core.history(label, context=context)
    output.answer(versions, versions_table(versions, context.zone))


@core.command()
@runs
@context_flags(*SCOPE, "reviewer")
async def restore(
    label: Label,
    version: Annotated[int, typer.Argument(min=1, help="The version, as `perdure core history` lists it.")],
    *,
    context: Context,
    output: Output,
) -> None:
    """Make a block what it was in an earlier version."""
    label = check_label(label)
    async with opened(output) as memory:
        block = await memory.core.restore(label, version, context=context)
    _answer(block, output)


def _answer(block: Block, output: Output) -> None:
    output.answer(block, *block_lines(block))

"""`perdure statements` and `perdure undo`: what was said, by whom and in which words; and one thing of it taken back."""

from __future__ import annotations

from typing import Annotated

import typer

from perdure.cli.flags import SCOPE, ZONE, context_flags
from perdure.cli.next_command import next_command
from perdure.cli.output import Output
from perdure.cli.render import receipt_line, short, shown, statements_table
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.facts import Action, Receipt
from perdure.graph.context import Context
from perdure.text import VALUE_LIMIT, check_text


@runs
@context_flags(*SCOPE, ZONE)
async def statements(
    *,
    attribute: Annotated[str | None, typer.Option(metavar="NAME", help="Only about this attribute.")] = None,
    context: Context,
    output: Output,
) -> None:
    """List what was said, in the order in which it was recorded: the record from which the facts follow."""
    name = None if attribute is None else check_text(attribute, "the attribute", limit=VALUE_LIMIT)
    async with opened(output) as memory:
        found = await memory.facts.statements(context.scope, attribute=name)
    output.answer(found, statements_table(found, context.zone))


@runs
@context_flags(*SCOPE, "reviewer", ZONE)
async def undo(
    statement: Annotated[str, typer.Argument(help="The statement's id, or the beginning of it.")],
    *,
    apart: Annotated[
        bool, typer.Option("--apart", help="It was merged with another value: state it as one of its own.")
    ] = False,
    context: Context,
    output: Output,
) -> None:
    """Take one statement back, as if it had not been made. The record keeps both; undo the undoing to restore it."""
    name = check_text(statement, "the id of the statement", limit=VALUE_LIMIT)
    async with opened(output) as memory:
        receipt = await memory.undo(name, apart=apart, context=context)
        output.answer(receipt, _undone(receipt, context))


def _undone(receipt: Receipt, context: Context) -> str:
    """What holds now instead, and how to undo that; of what was stated apart, what any new statement tells."""
    if receipt.outcome != "applied" or receipt.action is not Action.RETRACT or receipt.statement is None:
        return receipt_line(receipt.to_json(), context.zone)
    about = receipt.after or receipt.before
    was, now = (shown(fact.value or fact.content) if fact else "nothing" for fact in (receipt.before, receipt.after))
    changed = f"{about.attribute or 'note'}: {was} → {now}" if about else "nothing that held has changed"
    return f"taken back; {changed}; `{next_command('undo', context, short(receipt.statement))}` restores it"

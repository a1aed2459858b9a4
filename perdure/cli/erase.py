"""`perdure erase`: what must not exist is deleted for good, with a receipt and a proof."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from perdure.cli.flags import SCOPE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import shown
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.errors import InvalidInput
from perdure.graph.context import Context
from perdure.text import VALUE_LIMIT, check_text

if TYPE_CHECKING:
    from perdure.erasure_receipt import ErasureReceipt, Proof, Trace

INCOMPLETE = 1


@runs
@context_flags(*SCOPE)
async def erase(
    target: Annotated[str | None, typer.Argument(help="The fact's id, or the name of an attribute.")] = None,
    *,
    thread: Annotated[str | None, typer.Option(metavar="NAME", help="Erase a thread and what was said in it.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Erase everything of this user.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Erase nothing: only search for traces of the user.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    context: Context,
    output: Output,
) -> None:
    """Delete a fact, a thread, or all of a user, for good: unlike retract, it leaves no trace, and proves it.

    Killed half-way it goes on when it is run again. The exit code is 1 where something of the user is left.
    """
    if [target is not None, thread is not None, everything, verify].count(True) != 1:
        raise InvalidInput(
            "name one fact to erase, or a thread with --thread, or say --all to erase everything of the user"
        )
    name = None if target is None else check_text(target, "the name of the fact", limit=VALUE_LIMIT)
    if verify:
        return await _verify(context, output)
    what = f"the thread {shown(thread)}" if thread is not None else name or f"all memory of the user {context.user}"
    _confirm(f"Erase {what} for good?", yes)
    async with opened(output) as memory:
        fact = (await memory.facts.find(context.scope, name)).id if name else None
        with output.working("erasing") as tell:
            receipt = await memory.erase(fact=fact, thread=thread, context=context, tell=tell)
    output.answer(receipt, *_receipt_lines(receipt))
    if not receipt.complete:
        raise typer.Exit(INCOMPLETE)


async def _verify(context: Context, output: Output) -> None:
    async with opened(output) as memory:
        with output.working("searching") as tell:
            proof = await memory.erasure.verify(context=context, tell=tell)
    output.answer(proof, _proof_line(proof, user=True), *map(_trace_line, proof.traces))
    if proof.hits:
        raise typer.Exit(INCOMPLETE)


def _receipt_lines(receipt: ErasureReceipt) -> list[str]:
    width = max(map(len, receipt.counts), default=0)
    counts = [f"  {table:<{width}}  {rows:>8,}" for table, rows in sorted(receipt.counts.items())]
    runs = f", in {receipt.runs} runs" if receipt.runs > 1 else ""
    left = [] if receipt.what == "user" or not receipt.proof.hits else ["what is left holds the same words:"]
    return [
        f"erased{runs}:" if counts else "erased: nothing",
        *counts,
        _proof_line(receipt.proof, user=receipt.what == "user"),
        *left,
        *map(_trace_line, receipt.proof.traces),
    ]


def _proof_line(proof: Proof, *, user: bool) -> str:
    columns = sum(len(table.columns) for table in proof.scanned)
    looked_for = [*(["the user"] if user else []), *([f"{proof.texts} texts"] if proof.texts else [])]
    return (
        f"proof: {len(proof.scanned)} tables, {columns} columns, {proof.rows:,} rows searched for"
        f" {' and '.join(looked_for) or 'nothing'}: {proof.hits} hits"
    )


def _trace_line(trace: Trace) -> str:
    where = f": {', '.join(map(shown, trace.where))}" if trace.where else ""
    return f"  {trace.table}.{trace.column} holds {trace.holds} in {trace.rows} rows{where}"


def _confirm(question: str, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise InvalidInput("erasing cannot be undone and nobody is there to be asked: add --yes to do it")
    if not typer.confirm(question, err=True):
        raise typer.Exit(1)

"""`perdure threads` and `perdure resume`: conversations, and how one that stopped goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from perdure.cli.decisions import decisions_for
from perdure.cli.flags import SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import threads_table
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.cli.turn_report import questions, report_turn
from perdure.errors import InterruptedThread, NotInterrupted
from perdure.graph.context import Context
from perdure.pending import check_fitted, requests_of, waits
from perdure.scope import check_name
from perdure.threads import thread_key
from perdure.time import SystemClock

if TYPE_CHECKING:
    from perdure.memory import Memory

Choices = list[str] | None


@runs
@context_flags(*SCOPE, ZONE)
async def threads(*, context: Context, output: Output) -> None:
    """List the threads, and which of them are unfinished or wait for a decision."""
    async with opened(output) as memory:
        found = await memory.threads(context=context)
        output.answer(found, threads_table(found, context.zone))


@runs
@context_flags()
async def resume(
    thread: Annotated[str, typer.Argument(help="The thread to go on with.")],
    *,
    approve: Annotated[Choices, typer.Option(metavar="N|all", help="Approve this change of memory.")] = None,
    reject: Annotated[Choices, typer.Option(metavar="N|all", help="Reject this change of memory.")] = None,
    edit: Annotated[Choices, typer.Option(metavar="N.FIELD=VALUE", help="Approve it with another value.")] = None,
    context: Context,
    output: Output,
) -> None:
    """Finish a turn that was cut short, or decide about the changes of memory that it waits with."""
    check_name(thread, "thread")
    async with opened(output) as memory:
        await decide(memory, thread, context, output, approve=approve or (), reject=reject or (), edit=edit or ())


async def decide(
    memory: Memory,
    thread: str,
    context: Context,
    output: Output,
    *,
    approve: Sequence[str] = (),
    reject: Sequence[str] = (),
    edit: Sequence[str] = (),
) -> None:
    """Go on with a thread, with decisions if it waits for some.

    Raises `InterruptedThread` if they are missing, having shown what they are to be about, `InvalidInput` if they do
    not fit and are asked for again, and as `Memory.resume`.
    """
    state = await memory.graph.aget_state({"configurable": {"thread_id": thread_key(context.scope, thread)}})
    asked = [interrupt.value for interrupt in state.interrupts if isinstance(interrupt.value, dict)]
    requests = requests_of(asked)
    decided = bool(approve or reject or edit)
    if not decided and waits(asked, memory.layer.clock.now()):
        output.answer({"interrupts": asked}, "\n".join(questions(asked, thread, context)))
        raise InterruptedThread(f"the thread {thread} waits for a decision on {len(requests)} changes of memory")
    decisions = None
    if decided and state.created_at:  # of a thread that is not there, `resume` says so
        if not requests:
            raise NotInterrupted(f"the thread {thread} waits for no decision: leave the decisions out to resume it")
        now = SystemClock().now().astimezone(context.zone)
        decisions = decisions_for(requests, approve=approve, reject=reject, edit=edit, now=now)
    with output.working("resuming"):
        answer = await memory.resume(thread, context=context, decisions=decisions)
    output.answer(answer, answer.text)
    report_turn(answer, thread, output, context)
    check_fitted(answer.interrupts)

"""`perdure pending`: all that waits for a person, and how to decide about all of it in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Annotated

import typer

from perdure.cli.decisions import ALL
from perdure.cli.flags import ZONE, context_flags
from perdure.cli.next_command import next_command
from perdure.cli.output import Output
from perdure.cli.render import day, shown, written_lines
from perdure.cli.run import UNEXPECTED, runs
from perdure.cli.session import opened
from perdure.cli.turn_report import numbered, until
from perdure.errors import InvalidInput, NotInterrupted, PerdureError
from perdure.graph.context import Context
from perdure.pending import Pending

if TYPE_CHECKING:
    from perdure.deciding import Decided

Choices = list[str] | None


@runs
@context_flags("user", "tenant", "reviewer", ZONE)
async def pending(
    *,
    approve: Annotated[Choices, typer.Option(metavar="THREAD|all", help="Approve all changes of this thread.")] = None,
    reject: Annotated[Choices, typer.Option(metavar="THREAD|all", help="Reject all changes of this thread.")] = None,
    context: Context,
    output: Output,
) -> None:
    """List the changes of memory that wait for a decision, or decide about whole threads in one pass.

    Threads that LangGraph Studio made have no name here, and are decided there.
    """
    async with opened(output) as memory:
        waiting = await memory.pending(context=context)
        if not approve and not reject:
            output.answer(waiting, "\n".join(_listed(waiting, context)))
            return
        verdicts = _verdicts([one.thread for one in waiting], approve or (), reject or ())
        decisions = {
            one.thread: [{"type": verdicts[one.thread]}] * len(one.requests)
            for one in waiting
            if one.thread in verdicts
        }
        with output.working("deciding"):
            decided = await memory.decide(decisions, context=context)
        lines = [line for one in decided for line in _outcome(one, verdicts[one.thread], context.zone)]
        output.answer(decided, "\n".join(lines or ["nothing waits for a decision"]))
    for error in (one.error for one in decided if one.error):
        raise typer.Exit(error.exit_code if isinstance(error, PerdureError) else UNEXPECTED)


def _verdicts(waiting: Sequence[str], approve: Sequence[str], reject: Sequence[str]) -> dict[str, str]:
    """What is decided about each thread; `all` decides about those that no option names.

    Raises `NotInterrupted` for a thread that does not wait, `InvalidInput` for one that is decided in two ways.
    """
    if ALL in approve and ALL in reject:
        raise InvalidInput("everything is both approved and rejected: say `all` once")
    verdicts: dict[str, str] = {}
    for verdict, names in (("approve", approve), ("reject", reject)):
        for name in names:
            if name != ALL and name not in waiting:
                raise NotInterrupted(
                    f"thread {name[:80]!r} waits for no decision: `perdure pending` lists those that do"
                )
            if name != ALL and verdicts.setdefault(name, verdict) != verdict:
                raise InvalidInput(f"thread {name!r} is both approved and rejected: decide it once")
    others = "approve" if ALL in approve else "reject" if ALL in reject else None
    return verdicts | ({name: others for name in waiting if name not in verdicts} if others else {})


def _listed(waiting: Sequence[Pending], context: Context) -> Iterable[str]:
    if not waiting:
        yield "nothing waits for a decision"
        return
    for one in waiting:
        yield f"{shown(one.thread)} waits since {day(one.asked_at, context.zone)}{until(one.expires_at, context.zone)}:"
        yield from numbered(one.requests)
    first, here = next_command("resume", context, waiting[0].thread), next_command("pending", context)
    yield f"Decide with `{first}`, or about whole threads with `{here}` and --approve THREAD|all, --reject THREAD|all"


def _outcome(one: Decided, verdict: str, zone: tzinfo) -> Iterable[str]:
    if not one.answer:
        yield f"{shown(one.thread)}: failed: {shown(one.why)}"
        return
    yield f"{shown(one.thread)}: {verdict}"
    yield from (f"  {line}" for line in written_lines(one.answer.written, zone))

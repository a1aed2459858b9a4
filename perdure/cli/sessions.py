"""`perdure sessions`: conversations that have ended."""

from __future__ import annotations

from typing import Annotated

import typer

from perdure.cli.default_command import ListsByDefault
from perdure.cli.episode_tables import session_line, sessions_table
from perdure.cli.episodes import Limit
from perdure.cli.flags import SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.episodes import Episode
from perdure.errors import InvalidInput
from perdure.graph.context import Context
from perdure.scope import check_name

sessions = typer.Typer(cls=ListsByDefault, help="Conversations that have ended: list them, end one.")


@sessions.command("list")
@runs
@context_flags(*SCOPE, ZONE)
async def list_sessions(
    *,
    thread: Annotated[str, typer.Option(help="Only this conversation's.")] = "",
    k: Limit = 20,
    context: Context,
    output: Output,
) -> None:
    """List the latest sessions: what was talked about, and what came of it."""
    name = check_name(thread, "thread", allow_empty=True)
    async with opened(output) as memory:
        found = await memory.sessions.latest(k=k, thread=name, context=context)
    output.answer(found, sessions_table(found, context.zone))


@sessions.command()
@runs
@context_flags(*SCOPE, ZONE, "summary_model")
async def end(
    thread: Annotated[str | None, typer.Argument(help="The conversation that has ended.")] = None,
    *,
    idle: Annotated[
        bool, typer.Option("--idle", help="Those of all of the tenant's users in which nobody has spoken for long.")
    ] = False,
    context: Context,
    output: Output,
) -> None:
    """Say that a conversation has ended: it becomes a session, with a summary, what was learned, and what came of it."""
    if (thread is None) != idle:
        raise InvalidInput("name one thread whose conversation has ended, or say --idle to end all that lie idle")
    name = "" if thread is None else check_name(thread, "thread")

    def tell(session: Episode) -> None:
        output.remark(session_line(session, context.zone))

    async with opened(output) as memory:
        if idle:
            with output.working("ending"):
                report = await memory.sessions.end_idle(tell=tell, context=context)
            output.answer(report, f"sessions made: {report.sessions}, of {report.threads} threads")
            return
        with output.working("ending"):
            session = await memory.sessions.end(name, context=context)
        output.answer(session, session_line(session, context.zone))

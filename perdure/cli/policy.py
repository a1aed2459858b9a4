"""`perdure policy`: what is written at once, what a person is asked about, and what is dropped."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from perdure.cli.default_command import ShowsByDefault
from perdure.cli.flags import SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.policy_tables import differences, policy_table, title, versions_table
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.errors import InvalidInput
from perdure.facts import USER
from perdure.graph.context import Context
from perdure.policy import Policy

policy = typer.Typer(
    cls=ShowsByDefault, help="What is written at once, asked about, or dropped: show or set the rules."
)


@policy.command()
@runs
@context_flags(*SCOPE)
async def show(*, context: Context, output: Output) -> None:
    """Show the policy that is in force. Its JSON can be changed, and set again."""
    async with opened(output) as memory:
        found = await memory.policies.in_force(context.scope)
    output.answer(found.model_dump(mode="json"), title(found), policy_table(found))


@policy.command("set")
@runs
@context_flags(*SCOPE, "reviewer")
async def set_policy(
    file: Annotated[str, typer.Argument(help="A JSON file with the policy; - reads standard input.")],
    *,
    whole_tenant: Annotated[bool, typer.Option("--whole-tenant", help="For all users of the tenant.")] = False,
    context: Context,
    output: Output,
) -> None:
    """Make a policy the one in force. The versions before it are kept, and turns that have begun keep theirs."""
    new = Policy.model_validate(_read(file))
    async with opened(output) as memory:
        old = await memory.policies.in_force(context.scope)
        kept = await memory.policies.put(context.scope, new, context.reviewer or USER, whole_tenant=whole_tenant)
        now = await memory.policies.in_force(context.scope)
    changed = differences(old, kept) or ["nothing has changed"]
    if now != kept:
        changed.append("a policy of this user, or of the agent, goes before it: see `perdure policy history`")
    output.answer({"policy": kept.model_dump(mode="json"), "in_force": now == kept}, title(kept), "\n".join(changed))


@policy.command()
@runs
@context_flags(*SCOPE, ZONE)
async def history(*, context: Context, output: Output) -> None:
    """List every version that was made for this user, or for all users of the tenant; the one in force first."""
    async with opened(output) as memory:
        found = await memory.policies.versions(context.scope)
    output.answer(found, versions_table(found, context.zone))


def _read(file: str) -> Any:
    """The document in the file, without the number that it will be given. Raises `InvalidInput`."""
    try:
        document = json.loads(sys.stdin.read() if file == "-" else Path(file).read_text("utf-8"))
    except OSError as error:
        raise InvalidInput(f"the policy cannot be read from {file}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise InvalidInput("the policy is not JSON: begin with what `perdure policy show --json` prints") from None
    if isinstance(document, dict):
        document.pop("version", None)
    return document

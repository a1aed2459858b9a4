"""`perdure episodes`: tasks and what came of them."""

from __future__ import annotations

from typing import Annotated

import typer

from perdure.cli.default_command import ListsByDefault
from perdure.cli.episode_tables import similar_table, tasks_table, told
from perdure.cli.flags import SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import short
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.cli.typed_text import typed_text
from perdure.graph.context import Context
from perdure.scope import check_name
from perdure.text import VALUE_LIMIT, check_text

episodes = typer.Typer(cls=ListsByDefault, help="What was tried and what came of it: list, find, log, take back.")

Limit = Annotated[int, typer.Option("-k", "--limit", min=1, max=100, help="How many at most.")]
Task = Annotated[str, typer.Argument(help="What was, or is, to be done; - reads it from standard input.")]


@episodes.command("list")
@runs
@context_flags(*SCOPE, ZONE)
async def list_episodes(*, k: Limit = 20, context: Context, output: Output) -> None:
    """List the latest tasks, those that proved wrong too."""
    async with opened(output) as memory:
        found = await memory.episodes.latest(k=k, context=context)
    output.answer(found, tasks_table(found, context.zone))


@episodes.command()
@runs
@context_flags(*SCOPE, ZONE)
async def similar(
    task: Task,
    *,
    k: Limit = 3,
    examples: Annotated[bool, typer.Option("--examples", help="As examples for a prompt.")] = False,
    context: Context,
    output: Output,
) -> None:
    """Find tasks like this one, by how alike they are and how well they went."""
    text = typed_text(task, "the task")
    async with opened(output) as memory:
        if examples:
            examples_told = await memory.episodes.examples(text, k=k, context=context)
            output.answer({"examples": examples_told}, examples_told or "no task like this one is remembered")
            return
        found = await memory.episodes.recall_similar(text, k=k, context=context)
    output.answer(found, similar_table(found, context.zone))


@episodes.command()
@runs
@context_flags(*SCOPE)
async def log(
    task: Task,
    *,
    approach: Annotated[str, typer.Option(help="How it was done.")],
    outcome: Annotated[str, typer.Option(help="What came of it.")],
    quality: Annotated[float | None, typer.Option(min=0, max=1, metavar="Q", help="How well it went, 0 to 1.")] = None,
    notes: Annotated[str, typer.Option(help="What else is worth knowing.")] = "",
    thread: Annotated[str, typer.Option(help="The conversation that it belongs to.")] = "",
    key: Annotated[str, typer.Option(help="Your own name of this run: logging it again changes nothing.")] = "",
    context: Context,
    output: Output,
) -> None:
    """Keep what was to be done, how it was done, and what came of it."""
    text, name = typed_text(task, "the task"), check_name(thread, "thread", allow_empty=True)
    async with opened(output) as memory:
        episode = await memory.episodes.log(
            text, approach, outcome, quality=quality, notes=notes, thread=name, key=key, context=context
        )
    output.answer(episode, f"logged: {told(episode)} [{short(episode.id)}]")


@episodes.command()
@runs
@context_flags(*SCOPE)
async def invalidate(
    target: Annotated[str, typer.Argument(help="The id of the episode, or the beginning of it.")],
    *,
    because: Annotated[str, typer.Option(help="Why it is wrong.")],
    context: Context,
    output: Output,
) -> None:
    """Say that an outcome, or a lesson, proved wrong: it is not found any more, nor are lessons drawn from it."""
    name, why = check_text(target, "the id of the episode", limit=VALUE_LIMIT), check_text(because, "the reason")
    async with opened(output) as memory:
        episode = await memory.episodes.invalidate(name, because=why, context=context)
    output.answer(episode, f"invalidated: {told(episode)} [{short(episode.id)}]")

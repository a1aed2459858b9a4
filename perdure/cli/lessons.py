"""`perdure lessons`: what tasks have taught."""

from __future__ import annotations

from typing import Annotated

import typer

from perdure.cli.default_command import ListsByDefault
from perdure.cli.episode_tables import lessons_table
from perdure.cli.episodes import Limit
from perdure.cli.flags import SCOPE, ZONE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import shown
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.episodes import Episode
from perdure.graph.context import Context
from perdure.task_groups import ALIKE

lessons = typer.Typer(cls=ListsByDefault, help="What tasks have taught: list the lessons, draw new ones.")


@lessons.command("list")
@runs
@context_flags(*SCOPE, ZONE)
async def list_lessons(*, k: Limit = 20, context: Context, output: Output) -> None:
    """List the lessons that are taught, and the tasks that each comes from."""
    async with opened(output) as memory:
        found = await memory.lessons.latest(k=k, context=context)
    output.answer(found, lessons_table(found, context.zone))


@lessons.command()
@runs
@context_flags(*SCOPE, "summary_model")
async def distil(
    *,
    everyone: Annotated[bool, typer.Option("--all", help="From the tasks of all of the tenant's users.")] = False,
    alike: Annotated[
        float, typer.Option(min=0, max=1, metavar="S", help="Least average similarity of tasks that are alike.")
    ] = ALIKE,
    context: Context,
    output: Output,
) -> None:
    """Draw a lesson from every three or more tasks that are alike; where nothing is new, nothing is done."""

    def tell(lesson: Episode) -> None:
        output.remark(shown(lesson.content))

    async with opened(output) as memory:
        with output.working("distilling"):
            if everyone:
                report = await memory.lessons.distil_all(alike=alike, tell=tell, context=context)
            else:
                report = await memory.lessons.distil(alike=alike, tell=tell, context=context)
    output.answer(report, f"lessons drawn: {report.lessons}")

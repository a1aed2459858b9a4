"""`perdure demo`: a short bilingual conversation through the real graph and database, in a folder that is thrown away."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import get_terminal_size
from time import perf_counter
from typing import TYPE_CHECKING

import typer

from perdure.cli.output import Output, console
from perdure.cli.run import runs
from perdure.plain import Record
from perdure.time import SystemClock

if TYPE_CHECKING:
    from perdure.cli.demo_story import Stage
    from perdure.memory import Memory


@dataclass(frozen=True, slots=True)
class Step(Record):
    """A scene that was played. `seconds` is how long it took."""

    title: str
    lines: tuple[str, ...]
    expected: str
    met: bool
    seconds: float


@runs
async def demo(*, output: Output) -> None:
    """Show what Perdure does: offline, in a temporary database, in a few seconds."""
    steps: list[Step] = []
    async with _temporary_memory(output) as memory:
        from perdure.cli.demo_story import SCENES, Stage

        stage = Stage(memory, SystemClock().now())
        for number, scene in enumerate(SCENES, 1):
            _say(output, f"\n{number}. {scene.title}")
            started = perf_counter()
            with output.working("playing"):
                outcome = await scene.play(stage)
            seconds = round(perf_counter() - started, 2)
            steps.append(Step(scene.title, tuple(outcome.lines), outcome.expected, outcome.met, seconds))
            _say(output, *outcome.lines, f"{'✓' if outcome.met else '✗ NOT SO:'} {outcome.expected} ({seconds} s)")
        await _draw(stage, output)
    met = all(step.met for step in steps)
    output.answer({"steps": steps, "ok": met}, "\nAll as expected." if met else "\nNot all was as expected.")
    if not met:
        raise typer.Exit(1)


@asynccontextmanager
async def _temporary_memory(output: Output) -> AsyncIterator[Memory]:
    async with AsyncExitStack() as stack:
        started = perf_counter()
        with output.working("making a temporary database"):
            from perdure.app import open_memory
            from perdure.cli.demo_settings import demo_settings
            from perdure.embedded import EmbeddedPostgres

            home = stack.enter_context(_folder())
            server = EmbeddedPostgres(home, ephemeral=True)
            stack.push_async_callback(asyncio.to_thread, server.destroy)
            memory = await stack.enter_async_context(open_memory(demo_settings(home), ephemeral=True))
        output.remark(f"a temporary PostgreSQL was made in {perf_counter() - started:.1f} s; it is deleted at the end")
        output.remark("offline mode: rules extract facts, and replies only quote what is remembered")
        yield memory


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="perdure-") as name:
        Path(name).chmod(0o755)  # root's server runs under another account, which has to get in
        yield Path(name)


def _say(output: Output, *lines: str) -> None:
    """Narration is for people: with --json the steps are one document at the end."""
    if not output.as_json:
        for line in lines:
            console().print(line, style="bold" if line.startswith("\n") else None, soft_wrap=True)


async def _draw(stage: Stage, output: Output) -> None:
    from perdure.cli.demo_story import MINJI
    from perdure.cli.timeline import lanes_of
    from perdure.cli.timeline_bars import timeline_bars

    if output.as_json:
        return
    width = get_terminal_size().columns
    facts = await stage.memory.facts.facts(MINJI.scope, history=True)
    _say(output, "\nThe timeline of minji")
    console().print(timeline_bars(lanes_of(facts, width), now=stage.now, width=width))

"""Where a command's answer, remarks, progress and errors go: answers to stdout, everything else to stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from perdure.plain import plain

if TYPE_CHECKING:  # rich takes a while to import, and `--json` does without it
    from rich.console import Console, RenderableType


PIPED_WIDTH = 1_000
"""Columns where nothing says how many there are."""


class Bar(Protocol):
    """Moves a bar to `done`; `of` how many and `doing` what are as before, if left out."""

    def __call__(self, done: int, /, *, of: int | None = None, doing: str | None = None) -> None: ...


@dataclass(frozen=True, slots=True)
class Output:
    """`as_json`: one JSON document per answer, errors as JSON too, no remarks and no progress."""

    as_json: bool = False

    def answer(self, document: Any, *human: RenderableType) -> None:
        """Print the answer: as the JSON of `document`, or as the renderables for people."""
        if self.as_json:
            sys.stdout.write(json.dumps(plain(document), ensure_ascii=False) + "\n")
            sys.stdout.flush()
            return
        for renderable in human:
            console().print(renderable, soft_wrap=isinstance(renderable, str))

    def remark(self, renderable: RenderableType) -> None:
        """Say something beside the answer."""
        if not self.as_json:
            console(stderr=True).print(renderable, style="dim", soft_wrap=True)

    @contextmanager
    def working(self, doing: str) -> Iterator[Callable[[str], None]]:
        """A spinner while something slow goes on, where a person sees it; call what it gives to say what is done now."""
        if not self._is_watched():
            yield lambda _: None
            return
        with console(stderr=True).status(f"[dim]{doing} …[/dim]") as status:
            yield lambda now: status.update(f"[dim]{now} …[/dim]")

    @contextmanager
    def bar(self, doing: str, of: int | None = None) -> Iterator[Bar]:
        """A bar of how far something slow is, where a person sees it; remarks are made above it."""
        if not self._is_watched():
            yield _unseen
            return
        from rich.progress import Progress

        with Progress(console=console(stderr=True), transient=True) as progress:
            task = progress.add_task(doing, total=of)
            yield lambda done, *, of=None, doing=None: progress.update(
                task, completed=done, total=of, description=doing
            )

    def error(self, kind: str, message: str) -> None:
        if self.as_json:
            document = {"error": {"type": kind, "message": message}}
            sys.stderr.write(json.dumps(document, ensure_ascii=False) + "\n")
        else:
            console(stderr=True).print(f"error: {message}", style="red", soft_wrap=True)

    def _is_watched(self) -> bool:
        return not self.as_json and sys.stderr.isatty()


def _unseen(done: int, /, *, of: int | None = None, doing: str | None = None) -> None:
    pass


def console(*, stderr: bool = False) -> Console:
    """The console that prints what it is given: text of memories is not markup, and is not coloured by guesses.

    Where no person looks (a pipe, a file) and no width is asked for, lines are as long as they are: a row in two parts
    cannot be searched for.
    """
    return _console(stderr, (sys.stderr if stderr else sys.stdout).isatty(), os.environ.get("COLUMNS"))


@cache
def _console(stderr: bool, watched: bool, columns: str | None) -> Console:
    """One for all that is printed in a place: another would write into the line where a bar or a spinner stands."""
    from rich.console import Console

    width = None if watched or columns else PIPED_WIDTH
    return Console(stderr=stderr, markup=False, highlight=False, emoji=False, width=width)

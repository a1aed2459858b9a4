"""Where a command's answer, remarks, progress and errors go: answers to stdout, everything else to stderr."""

from __future__ import annotations

import json
import os
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from perdure.plain import plain

if TYPE_CHECKING:  # rich takes a while to import, and `--json` does without it
    from rich.console import Console, RenderableType


PIPED_WIDTH = 1_000
"""Columns where nothing says how many there are."""


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

    def working(self, doing: str) -> AbstractContextManager[object]:
        """A spinner while something slow goes on, where a person sees it."""
        if self.as_json or not sys.stderr.isatty():
            return nullcontext()
        return console(stderr=True).status(f"[dim]{doing} …[/dim]")

    def error(self, kind: str, message: str) -> None:
        if self.as_json:
            document = {"error": {"type": kind, "message": message}}
            sys.stderr.write(json.dumps(document, ensure_ascii=False) + "\n")
        else:
            console(stderr=True).print(f"error: {message}", style="red", soft_wrap=True)


def console(*, stderr: bool = False) -> Console:
    """A console that prints what it is given: text of memories is not markup, and is not coloured by guesses.

    Where no person looks (a pipe, a file) and no width is asked for, lines are as long as they are: a row in two parts
    cannot be searched for.
    """
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or os.environ.get("COLUMNS") else PIPED_WIDTH
    return Console(stderr=stderr, markup=False, highlight=False, emoji=False, width=width)

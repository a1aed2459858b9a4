"""`perdure chat`: turn after turn, typed at a terminal or piped in line by line."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stdout, suppress
from typing import TYPE_CHECKING

import typer

from perdure.cli.ask import DEFAULT_THREAD, Thread
from perdure.cli.decisions import ALL
from perdure.cli.flags import context_flags
from perdure.cli.output import Output
from perdure.cli.render import asked_lines, recalled_lines, without_controls, written_lines
from perdure.cli.run import report, runs
from perdure.cli.session import opened
from perdure.cli.threads import decide
from perdure.cli.turn_report import questions, unwritten_lines
from perdure.errors import InvalidInput, PerdureError
from perdure.graph.context import Context
from perdure.recall import relevant
from perdure.scope import check_name
from perdure.text import MESSAGE_LIMIT, check_text

if TYPE_CHECKING:
    from perdure.memory import Memory

QUIT = "/quit"
VERDICTS = {"/approve": "approve", "/reject": "reject"}
"""Decide about all changes of memory that the thread waits with; `perdure resume` can tell them apart."""


@runs
@context_flags()
async def chat(*, thread: Thread = DEFAULT_THREAD, context: Context, output: Output) -> None:
    """Talk, a turn per line; /quit or the end of input leaves. An error ends its turn, not the conversation."""
    check_name(thread, "thread")
    failed = 0
    async with opened(output) as memory:
        if sys.stdin.isatty():
            output.remark(f"{QUIT} leaves; {' and '.join(VERDICTS)} decide about changes of memory that wait")
        for line in _lines(output):
            try:
                said = check_text(line, "the message", limit=MESSAGE_LIMIT)
                if verdict := VERDICTS.get(said):
                    await decide(memory, thread, context, output, **{verdict: [ALL]})
                elif said.startswith("/"):
                    raise InvalidInput(f"{said.split()[0]} is no command: there are {', '.join((QUIT, *VERDICTS))}")
                else:
                    await _turn(memory, said, thread, context, output)
            except PerdureError as error:
                failed = report(error, output)
    if failed and not sys.stdin.isatty():  # who pipes lines in sees no message, but does see the exit code
        raise typer.Exit(failed)


async def _turn(memory: Memory, said: str, thread: str, context: Context, output: Output) -> None:
    if output.as_json:
        output.answer(await memory.ask(said, thread=thread, context=context))
        return
    from perdure.answer import answer_of
    from perdure.graph.turns import NodeUpdate, Token, TurnEnd

    with ExitStack() as waiting:
        waiting.enter_context(output.working("thinking"))
        async for event in memory.stream(said, thread=thread, context=context):
            waiting.close()  # the spinner gives way to the first thing that there is to show
            match event:
                case Token(text):
                    sys.stdout.write(without_controls(text))
                    sys.stdout.flush()
                case NodeUpdate("retrieve", {"recalled": recalled}):
                    hits = relevant(recalled["hits"])
                    for line in (*asked_lines(recalled["time"], context.zone), *recalled_lines(hits, context.zone)):
                        output.remark(line)
                case NodeUpdate("respond"):
                    sys.stdout.write("\n")
                case NodeUpdate("write", {"written": written}):
                    for line in written_lines(written, context.zone):
                        output.remark(line)
                case TurnEnd(state):
                    answer = answer_of(state)
                    for line in (*unwritten_lines(answer, context), *questions(answer.interrupts, thread, context)):
                        output.remark(line)


def _lines(output: Output) -> Iterator[str]:
    """What is typed or piped in, without the empty lines, up to the end or /quit."""
    prompts = sys.stdin.isatty() and not output.as_json
    for line in iter(_typed if prompts else _piped, None):
        if line.strip() == QUIT:
            return
        if line.strip():
            yield line.rstrip("\r\n")


def _typed() -> str | None:
    """A line typed at the terminal, editable, with the earlier ones at hand until the process ends."""
    with suppress(ImportError):  # Windows has none
        import readline  # noqa: F401  # its import is what makes `input` editable
    # A prompt is no part of the replies, where those go to a file.
    shown = nullcontext() if sys.stdout.isatty() else redirect_stdout(sys.stderr)
    try:
        with shown, _interruptible():
            return input("> ")
    except EOFError:
        sys.stderr.write("\n")
        return None
    except KeyboardInterrupt:
        sys.stderr.write("\n")  # the remark that it was interrupted does not stand behind the prompt
        raise


def _piped() -> str | None:
    """A line with its end, or None at the end of input."""
    with _interruptible():
        return sys.stdin.readline() or None


@contextmanager
def _interruptible() -> Iterator[None]:
    """The event loop takes Ctrl-C as a request to cancel, which a read, in which it waits, would never see."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)

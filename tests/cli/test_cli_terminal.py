"""What only a terminal shows, on a pseudo-terminal: a prompt, a spinner, Ctrl-C and the end of input."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

PROMPT = "> "
WATCHED = """
from perdure.cli.output import Output
output = Output()
with output.{shown} as move:
    output.remark("said meanwhile")
    move({to})
    output.remark("said meanwhile")
output.remark("said meanwhile")
"""


@dataclass(slots=True)
class Terminal:
    """A chat at a terminal. `seen` is all that it has shown."""

    process: subprocess.Popen[bytes]
    screen: int
    seen: str = ""

    def type(self, text: str) -> None:
        os.write(self.screen, text.encode())

    def read_until(self, text: str) -> str:
        """What appears up to `text`; a process that ends before it raises OSError or EOFError."""
        start = len(self.seen)
        while text not in self.seen[start:]:
            if not (piece := os.read(self.screen, 4096)):
                raise EOFError(self.seen)
            self.seen += piece.decode(errors="replace")
        return self.seen[start:]


@pytest.fixture
def chat(tmp_path: Path, local_database: str) -> Iterator[Terminal]:
    with _chat(tmp_path, local_database) as terminal:
        yield terminal


@contextmanager
def _chat(folder: Path, database: str, *flags: str, out: int | None = None) -> Iterator[Terminal]:
    """A chat whose standard output is the terminal, or the file `out`."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "DATABASE_URL": database, "TERM": "xterm", "COLUMNS": "120"}
    process = subprocess.Popen(
        [sys.executable, "-m", "perdure", "chat", *flags],
        stdin=theirs,
        stdout=theirs if out is None else out,
        stderr=theirs,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    yield Terminal(process, ours)
    process.kill()
    process.wait()
    os.close(ours)


def test_turns_are_typed_at_a_prompt_and_end_with_the_input(chat: Terminal) -> None:
    chat.read_until(PROMPT)
    chat.type("I live in Busan.\n")
    turn = chat.read_until(PROMPT)
    assert "wrote: assert home.city: Busan" in turn
    chat.type("나 어디 살아?\n")
    assert "recalled: I live in Busan." in chat.read_until(PROMPT)
    chat.type("\x04")
    assert chat.process.wait() == 0
    assert "thinking" in chat.seen


def test_ctrl_c_at_the_prompt_leaves(chat: Terminal) -> None:
    chat.read_until(PROMPT)
    while chat.process.poll() is None:  # a signal between the prompt and the first look at the keyboard goes unseen
        chat.process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            chat.process.wait(5)
    assert chat.process.returncode == 130
    chat.read_until("error: interrupted")
    assert f"{PROMPT}\r\n" in chat.seen, "the remark stands on a line of its own"


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_replies_that_go_to_a_file_hold_no_prompt(tmp_path: Path, local_database: str, flags: tuple[str, ...]) -> None:
    file = tmp_path / "replies"
    with file.open("wb") as out, _chat(tmp_path, local_database, *flags, out=out.fileno()) as chat:
        chat.type("I live in Busan.\n/quit\n")
        assert chat.process.wait() == 0
        if not flags:
            chat.read_until(PROMPT)
    replies = file.read_text()
    assert (json.loads(replies)["text"] if flags else replies).startswith("Noted.")


@pytest.mark.parametrize(
    ("shown", "to"), [('bar("counting", 9)', "4, doing='measuring'"), ('working("counting")', "'measuring'")]
)
def test_remarks_stand_above_what_shows_progress_and_not_in_its_line(shown: str, to: str) -> None:
    ours, theirs = pty.openpty()
    code = WATCHED.format(shown=shown, to=to)
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        terminal = Terminal(process, ours)
        with suppress(OSError, EOFError):  # which is how a terminal ends
            terminal.read_until("nothing")
    os.close(ours)
    lines = re.split(r"\r\x1b\[2K|\r\n", terminal.seen)
    remarks = [line for line in lines if "said meanwhile" in line]
    assert len(remarks) == 3 and not any("counting" in line or "measuring" in line for line in remarks)
    assert any("measuring" in line for line in lines)

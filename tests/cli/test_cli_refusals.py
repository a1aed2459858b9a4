"""What the command line refuses, and how it says so: all of it before a database is opened."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from perdure_process import Perdure
from pydantic import ValidationError
from typer.testing import CliRunner

from perdure.cli.commands import app
from perdure.cli.output import Output
from perdure.cli.run import report, runs
from perdure.errors import ModelUnavailable, NotFound
from perdure.graph.context import Context
from perdure.settings import Settings
from perdure.text import MESSAGE_LIMIT


def paths(group: Any, *above: str) -> Iterator[tuple[str, ...]]:
    """The words by which each command is called, those of groups among them."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from paths(command, *above, name)
        else:
            yield (*above, name)


COMMANDS = list(paths(typer.main.get_command(app)))


@pytest.fixture
def perdure(tmp_path: Path) -> Perdure:
    return Perdure(tmp_path)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_explains_itself_and_knows_json(command: tuple[str, ...]) -> None:
    helped = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "120"})
    assert helped.exit_code == 0
    assert "--json" in helped.stdout


def test_help_waits_for_no_library_that_only_a_command_needs() -> None:
    heavy = ("langgraph", "langchain_core", "openai", "psycopg", "numpy", "dateparser")
    code = f"import sys, perdure.cli.commands; print([m for m in {heavy!r} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (("ask", ""), "InvalidText"),
        (("ask", " \n "), "InvalidText"),
        (("ask", "x" * (MESSAGE_LIMIT + 1)), "InvalidText"),
        (("ask", b"caf\xe9"), "InvalidText"),
        (("ask", "hi", "--as-of", "some day"), "InvalidTime"),
        (("ask", "hi", "--sent-at", "some day"), "InvalidTime"),
        (("ask", "hi", "--thread", ""), "InvalidScope"),
        (("ask", "hi", "--user", " "), "InvalidScope"),
        (("ask", "hi", "--recall-k", "1000"), "InvalidInput"),
        (("ask", "hi", "--language", "fr"), "InvalidInput"),
        (("ask",), "InvalidInput"),
        (("chat", "--thread", "a\nb"), "InvalidScope"),
        (("recall", ""), "InvalidText"),
        (("facts", "--attribute", "!"), "InvalidInput"),
        (("remember", "Busan", "--value", "Busan"), "InvalidInput"),
        (("remember", "Busan", "--kind", "nonsense"), "InvalidInput"),
        (("remember", "Busan", "--attribute", " "), "InvalidText"),
        (("remember", "Busan", "--attribute", "home.city", "--value", " "), "InvalidText"),
        (("remember", "Busan", "--from", ""), "InvalidTime"),
        (("remember", "Busan", "--to", ""), "InvalidTime"),
        (("ask", "hi", "--sent-at", ""), "InvalidTime"),
        (("end", "home.city", "--at", ""), "InvalidTime"),
        (("end", ""), "InvalidText"),
        (("retract", " "), "InvalidText"),
        (("correct", "", "Busan"), "InvalidText"),
        (("correct", "home.city", "Busan", "--value", ""), "InvalidText"),
        (("erase", "", "--yes"), "InvalidText"),
        (("erase",), "InvalidInput"),
        (("erase", "home.city", "--all"), "InvalidInput"),
        (("erase", "--all"), "InvalidInput"),
        (("nonsense",), "InvalidInput"),
    ],
)
def test_a_refusal_is_json_on_stderr_and_exit_code_2(arguments: tuple[str, ...], kind: str, perdure: Perdure) -> None:
    ended = perdure(*arguments, "--json")
    assert (ended.code, ended.out) == (2, "")
    assert ended.error["type"] == kind
    assert ended.error["message"]


@pytest.mark.parametrize(("variable", "value"), [("PERDURE_POOL_SIZE", "many"), ("PERDURE_EMBEDDING_DIMENSIONS", "0")])
def test_a_wrong_setting_is_named_as_it_is_set(variable: str, value: str, tmp_path: Path) -> None:
    ended = Perdure(tmp_path, {variable: value})("facts")
    assert ended.code == 6
    assert f" {variable}: " in ended.err


def test_a_megabyte_on_standard_input_is_refused(perdure: Perdure) -> None:
    ended = perdure("ask", "-", stdin="가" * 1_000_000)
    assert ended.code == 2
    assert f"more than {MESSAGE_LIMIT} characters" in ended.err


def test_standard_input_that_is_no_text_is_refused(perdure: Perdure) -> None:
    ended = perdure("ask", "-", stdin=b"caf\xe9")
    assert ended.code == 2
    assert "not valid Unicode" in ended.err


@pytest.mark.parametrize(
    ("error", "code"),
    [(NotFound("no such fact"), 3), (ModelUnavailable("no answer"), 7), (KeyboardInterrupt(), 130)],
)
def test_an_error_has_its_exit_code(error: BaseException, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert report(error, Output(as_json=True)) == code
    assert json.loads(capsys.readouterr().err)["error"]["message"]


def test_an_unexpected_error_is_70_and_shows_no_data(capsys: pytest.CaptureFixture[str]) -> None:
    @runs
    async def command(*, output: Output) -> None:
        raise RuntimeError("duplicate key\nDETAIL: (나는 부산에 살아.)")

    with pytest.raises(typer.Exit) as ended:
        command(json=False)
    assert ended.value.exit_code == 70
    err = capsys.readouterr().err
    assert "RuntimeError: duplicate key" in err
    assert "부산" not in err


@pytest.mark.parametrize(
    ("build", "code"),
    [
        (lambda: Settings(pool_size="s3cret"), 6),  # type: ignore[arg-type]
        (lambda: Context(policy="s3cret"), 2),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_value_is_named_and_not_shown(build: Any, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValidationError) as wrong:
        build()
    assert report(wrong.value, Output()) == code
    assert "s3cret" not in capsys.readouterr().err

"""An async function as a command: an event loop, `--json`, and an exit code for every way in which it may end."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import sys
from collections.abc import Callable
from typing import Annotated, Any, cast

import typer
from pydantic import ValidationError

from perdure.cli.flags import Command, replace_parameter
from perdure.cli.output import Output
from perdure.errors import ConfigurationError, InvalidInput, PerdureError

UNEXPECTED = 70
INTERRUPTED = 130
UsageError = cast(type[typer.BadParameter], typer.BadParameter.__mro__[1])
"""What typer raises for arguments that it cannot use: the releases of typer keep it in different modules."""

_JSON = inspect.Parameter(
    "json",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and errors as JSON on stderr.")],
)


def runs(command: Command) -> Callable[..., None]:
    """Make `command` runnable by typer; its parameter `output: Output` becomes the flag `--json`."""

    @functools.wraps(command)
    def run(*, json: bool, **arguments: Any) -> None:
        output = Output(json)
        try:
            asyncio.run(command(**arguments, output=output))
            sys.stdout.flush()
        except typer.Exit:
            raise
        except BrokenPipeError:  # the reader of a pipe went away, which is its right; flushing again would complain
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(1) from None
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  # whatever it is, it becomes an exit code
            raise typer.Exit(report(error, output)) from None

    replace_parameter(run, command, "output", [_JSON])
    return run


def report(error: BaseException, output: Output) -> int:
    """Tell what went wrong; return the exit code."""
    if isinstance(error, KeyboardInterrupt):
        output.error("Interrupted", "interrupted")
        return INTERRUPTED
    if isinstance(error, UsageError):
        output.error("InvalidInput", error.format_message())
        return InvalidInput.exit_code
    if isinstance(error, ValidationError):
        error = _readable(error)
    if isinstance(error, PerdureError):
        output.error(type(error).__name__, str(error))
        return error.exit_code
    # Only the first line: a database driver puts the offending row, which may be a memory, on those after it.
    first_line = next(iter(str(error).splitlines()), "")[:300]
    output.error(type(error).__name__, f"unexpected {type(error).__name__}: {first_line}")
    return UNEXPECTED


def _readable(error: ValidationError) -> PerdureError:
    """Without the values, which may be secret or a memory."""
    in_environment = error.title == "Settings"
    wrong = "; ".join(
        f"{_variable(e['loc']) if in_environment else '.'.join(map(str, e['loc'])) or 'it'}: {e['msg'].removeprefix('Value error, ')}"
        for e in error.errors(include_input=False)
    )
    if in_environment:
        return ConfigurationError(f"the settings cannot be used: {wrong}. Correct the environment or .env")
    return InvalidInput(f"what was given cannot be used: {wrong}")


def _variable(location: tuple[int | str, ...]) -> str:
    """The name of a setting as it is written in the environment, and where in its JSON."""
    from perdure.settings import Settings

    name = str(location[0]) if location else ""
    field = Settings.model_fields.get(name)
    variable = f"PERDURE_{name.upper()}" if field and not field.validation_alias else name.upper()
    return ".".join([variable, *map(str, location[1:])])

from __future__ import annotations

import asyncio
import inspect
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import typer

from perdure.cli.commands import app
from perdure.cli.flags import MOMENTS, SCOPE, Command, context_flags
from perdure.cli.output import Output
from perdure.errors import InvalidScope, InvalidTime
from perdure.graph.context import Context
from perdure.time import SystemClock


def received(*names: str, **typed: Any) -> Context:
    """The context that a command is given for what was typed."""
    contexts = []

    @context_flags(*names)
    async def command(*, context: Context, output: Output) -> None:
        contexts.append(context)

    defaults = {name: option.default for name, option in options(command).items() if name != "output"}
    asyncio.run(command(**{**defaults, **typed}, output=Output()))
    return contexts[0]


def options(command: Command) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(command).parameters)


def test_every_field_of_the_context_is_a_flag_with_its_default_and_help() -> None:
    command: Any = typer.main.get_command(app)
    flags = {parameter.name: parameter for parameter in command.commands["ask"].params}
    for name, field in Context.model_fields.items():
        assert flags[name].opts == [f"--{name.replace('_', '-')}"]
        assert flags[name].default == field.default
        assert flags[name].help == field.description


def test_without_flags_the_context_is_the_default_one() -> None:
    assert received() == Context()


def test_what_is_typed_arrives() -> None:
    context = received(user="민지", recall_k=3, policy="ask")
    assert (context.user, context.recall_k, context.policy) == ("민지", 3, "ask")


def test_a_command_has_only_the_flags_that_it_asks_for() -> None:
    @context_flags(*SCOPE, *MOMENTS)
    async def command(text: str, *, context: Context, output: Output) -> None: ...

    assert list(options(command)) == ["text", "output", *SCOPE, *MOMENTS]


def test_dates_are_read_as_the_last_moment_that_they_name() -> None:
    yesterday = SystemClock().now().date() - timedelta(days=1)
    as_of = received(as_of="어제").as_of
    assert as_of is not None
    assert as_of.date() in {yesterday, yesterday + timedelta(days=1)}  # the second, if midnight has just passed
    assert (as_of.hour, as_of.minute) == (23, 59)
    assert received(as_known_at="2025-11-03").as_known_at == datetime(2025, 11, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "error"),
    [({"as_of": "some day"}, InvalidTime), ({"user": ""}, InvalidScope), ({"tenant": "a\nb"}, InvalidScope)],
)
def test_what_cannot_be_used_is_refused_before_the_command_runs(typed: dict[str, str], error: type[Exception]) -> None:
    with pytest.raises(error):
        received(**typed)

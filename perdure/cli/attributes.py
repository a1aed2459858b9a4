"""`perdure attributes`: what a tenant calls things, added to and merged by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from perdure.attributes import Attribute, Cardinality
from perdure.cli.attribute_tables import attribute_document, attributes_table, renaming_line, suggestions_table
from perdure.cli.default_command import ListsByDefault
from perdure.cli.flags import context_flags
from perdure.cli.output import Output
from perdure.cli.render import shown
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.facts import USER, Kind
from perdure.graph.context import Context

REMARK_EVERY = 100
"""Users after which it is told how far a merge has come."""

Name = Annotated[str, typer.Argument(help="The attribute, such as work.grade.")]
Old = Annotated[str, typer.Argument(help="The learned name, as it is listed.")]


attributes = typer.Typer(cls=ListsByDefault, help="What facts are about: list the attributes, add to and merge them.")


@attributes.command("list")
@runs
@context_flags("tenant")
async def list_attributes(*, context: Context, output: Output) -> None:
    """List the attributes, built in and the tenant's own, and the names that users have taught."""
    async with opened(output) as memory:
        vocabulary = await memory.attributes.of(context.scope)
        learned = await memory.attributes.learned(context.scope)
    document = {
        "attributes": [attribute_document(attribute) for attribute in vocabulary],
        "learned": learned,
        "merged": dict(vocabulary.merged),
    }
    output.answer(document, attributes_table(vocabulary, learned))


@attributes.command()
@runs
@context_flags("tenant", "reviewer")
async def add(
    name: Name,
    *,
    english: Annotated[list[str] | None, typer.Option(help="What it is called in English; may be repeated.")] = None,
    korean: Annotated[list[str] | None, typer.Option(help="What it is called in Korean; may be repeated.")] = None,
    many: Annotated[
        bool | None, typer.Option("--many/--single", help="Whether it may hold several values at a time.")
    ] = None,
    kind: Annotated[Kind | None, typer.Option(help="What kind of thing it is; fact, if left out.")] = None,
    context: Context,
    output: Output,
) -> None:
    """Add an attribute of the tenant's own, or aliases to one that is there."""
    async with opened(output) as memory:
        known = (await memory.attributes.of(context.scope)).find(name)
        known = known or Attribute(name, Cardinality.SINGLE, "fact", (), ())
        told = Attribute(
            known.name,
            known.cardinality if many is None else Cardinality.MANY if many else Cardinality.SINGLE,
            kind or known.kind,
            (*known.english, *(english or ())),
            (*known.korean, *(korean or ())),
        )
        added = await memory.attributes.put(context.scope, told, _author(context))
    called = ", ".join((*added.english, *added.korean))
    output.answer(attribute_document(added), shown(f"{added.name} ({added.cardinality.value}): {called}"))


@attributes.command()
@runs
@context_flags("tenant")
async def remove(name: Name, *, context: Context, output: Output) -> None:
    """Take back an attribute of the tenant's own that no fact uses, or its aliases for a built-in one."""
    async with opened(output) as memory:
        await memory.attributes.remove(context.scope, name)
    output.answer({"removed": name}, f"removed: {shown(name)}")


@attributes.command()
@runs
@context_flags("tenant", "reviewer")
async def merge(
    old: Old,
    new: Annotated[str, typer.Argument(help="The attribute that it is, by its name or an alias of it.")],
    *,
    context: Context,
    output: Output,
) -> None:
    """Say that a learned name is another attribute's, and move there what every user has of it; split undoes it."""
    async with opened(output) as memory:
        with output.working("merging"):
            report = await memory.attributes.merge(context.scope, old, new, _author(context), _told(output))
    output.answer(report, renaming_line(f"{report.old} is {report.new} from now on", report))


@attributes.command()
@runs
@context_flags("tenant", "reviewer")
async def split(old: Old, *, context: Context, output: Output) -> None:
    """Undo a merge: what was moved is back, what has been said since stays."""
    async with opened(output) as memory:
        with output.working("splitting"):
            report = await memory.attributes.split(context.scope, old, _author(context), _told(output))
    output.answer(report, renaming_line(f"{report.old} is a name of its own again", report))


@attributes.command()
@runs
@context_flags("tenant")
async def suggest(*, context: Context, output: Output) -> None:
    """List learned names that seem to be another attribute's. Nothing is merged."""
    async with opened(output) as memory:
        found = await memory.attributes.suggestions(context.scope)
    output.answer(found, suggestions_table(found))


def _author(context: Context) -> str:
    return context.reviewer or USER


def _told(output: Output) -> Callable[[int, int], None]:
    def tell(done: int, users: int) -> None:
        if done % REMARK_EVERY == 0:
            output.remark(f"{done} of {users} users")

    return tell

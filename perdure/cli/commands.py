"""The commands by name, and what is refused before any of them runs."""

from __future__ import annotations

import logging
import sys
from importlib.metadata import version
from io import TextIOWrapper
from typing import Annotated

import typer

from perdure.cli.archive import archive
from perdure.cli.ask import ask
from perdure.cli.attributes import attributes
from perdure.cli.backfill import backfill
from perdure.cli.changes import correct, end, remember, retract
from perdure.cli.chat import chat
from perdure.cli.consolidate import consolidate
from perdure.cli.conversations import conversations
from perdure.cli.core import core
from perdure.cli.costs import costs
from perdure.cli.demo import demo
from perdure.cli.doctor import doctor
from perdure.cli.episodes import episodes
from perdure.cli.erase import erase
from perdure.cli.facts import facts
from perdure.cli.fading import fading
from perdure.cli.index import index
from perdure.cli.lessons import lessons
from perdure.cli.maintain import maintain
from perdure.cli.moving import export, import_
from perdure.cli.output import Output
from perdure.cli.pending import pending
from perdure.cli.policy import policy
from perdure.cli.profile import profile
from perdure.cli.recall import recall
from perdure.cli.reembed import reembed
from perdure.cli.run import report
from perdure.cli.sessions import sessions
from perdure.cli.statements import statements, undo
from perdure.cli.threads import resume, threads
from perdure.cli.timeline import timeline
from perdure.cli.upkeep import migrate, rebuild
from perdure.errors import InvalidText

PANELS = {
    "Talk": (demo, chat, ask, threads, pending, resume),
    "Look": (recall, conversations, profile, facts, timeline, statements, fading, costs),
    "Change": (remember, correct, end, retract, undo, erase),
    "Keep up": (doctor, maintain, consolidate, backfill, reembed, export, migrate, index, rebuild),
}

app = typer.Typer(
    name="perdure",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"perdure {version('perdure')}")
        raise typer.Exit


@app.callback()
def main(
    _: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Long-term memory in which every fact has a term, and can be asked for as of any moment."""


for panel, commands in PANELS.items():
    for command in commands:
        app.command(rich_help_panel=panel)(command)
app.command("import", rich_help_panel="Keep up")(import_)
app.add_typer(episodes, name="episodes", rich_help_panel="Look")
app.add_typer(sessions, name="sessions", rich_help_panel="Look")
app.add_typer(lessons, name="lessons", rich_help_panel="Look")
app.add_typer(core, name="core", rich_help_panel="Change")
app.add_typer(archive, name="archive", rich_help_panel="Keep up")
app.add_typer(attributes, name="attributes", rich_help_panel="Keep up")
app.add_typer(policy, name="policy", rich_help_panel="Keep up")


def run() -> None:
    """Run the command named by the process' arguments, and exit with its code."""
    # A terminal that cannot show Korean gets escapes; input that is no text is refused where its text is checked.
    for stream, errors in (
        (sys.stdin, "surrogateescape"),
        (sys.stdout, "backslashreplace"),
        (sys.stderr, "backslashreplace"),
    ):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)
    output = Output(as_json="--json" in sys.argv)
    logging.getLogger("perdure.models.extractor").setLevel(logging.ERROR)  # what it warns of, each command tells itself
    if output.as_json:  # else warnings would stand on stderr between the errors
        logging.getLogger().addHandler(logging.NullHandler())
    try:
        _check_arguments()
        # Left to itself typer prints what is wrong with the arguments in a box, whatever --json says.
        code = typer.main.get_command(app).main(standalone_mode=not output.as_json)
    except Exception as error:  # noqa: BLE001  # whatever it is, it becomes an exit code
        code = report(error, output)
    sys.exit(code if isinstance(code, int) else 0)


def _check_arguments() -> None:
    for position, argument in enumerate(sys.argv[1:], 1):
        if any("\ud800" <= character <= "\udfff" for character in argument):
            raise InvalidText(f"argument {position} is not valid in the terminal's encoding: type it in UTF-8")

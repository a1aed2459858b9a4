"""The command line. Nothing imports it but the entry point."""

from __future__ import annotations


def main() -> None:
    """Run the command that the process was started with, and exit."""
    from perdure.cli.commands import run

    run()

"""`python -m bench.speed`: what a search costs, beside the bare SQL statement and beside other stores on pgvector.

Everybody runs in this process, against one embedded PostgreSQL on the same machine: rates are those of a machine that both
share. Linux only, since it reads the server's CPU in /proc.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench.measure import load
from bench.server import throwaway_server
from bench.speed_cell import Cell
from bench.speed_contestants import CONTESTANTS, FLOOR_NAME, missing
from bench.speed_plot import PACKAGE, draw_growth
from bench.speed_run import Findings, Plan, Size, compare
from bench.synthetic import K
from perdure.cli.output import console
from perdure.plain import plain

GROWTH = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
"""Memories of one user, for the plot."""
COLUMNS = ("contestant", "at once", "calls", "failed", "p50 ms", "p95", "p99", "a second", "CPU ms client", "server")


def main(
    sizes: Annotated[str, typer.Option(help="Users × memories of each.")] = "100x1000,1x10000,1x100000",
    concurrency: Annotated[str, typer.Option(help="Callers at once.")] = "1,16,64",
    seconds: Annotated[float, typer.Option(min=0.1, help="Of each size, contestant and concurrency.")] = 2.0,
    contestants: Annotated[str, typer.Option(help="Who is measured.")] = ",".join(CONTESTANTS),
    seed: int = 7,
    plot: Annotated[Path | None, typer.Option(help="Draw the cost as one user's memories grow (PNG).")] = None,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    names = contestants.split(",")
    if unknown := set(names) - CONTESTANTS.keys():
        raise typer.BadParameter(f"{', '.join(sorted(unknown))}: there are {', '.join(CONTESTANTS)}")
    if plot and not find_spec(PACKAGE):
        raise typer.BadParameter(f"a plot needs {PACKAGE}: `uv sync --group bench` installs it")
    planned = parsed(sizes, concurrency) + ([Size(1, memories, (1,)) for memories in GROWTH] if plot else [])
    left_out = {name: why for name in names if (why := missing(name))}
    plan = Plan(_merged(planned), [name for name in names if name not in left_out], seconds, seed)
    before = load()
    with (
        Progress(console=Console(stderr=True), transient=True, disable=as_json) as progress,
        throwaway_server() as server,
    ):
        task = progress.add_task("starting", total=None)
        findings = asyncio.run(compare(server.dsn, plan, lambda doing: progress.update(task, description=doing)))
    if plot:
        draw_growth([cell for one in findings for cell in one.cells], f"{before} before, {load()} after", plot)
    if as_json:
        document = {"seed": seed, "machine": before, "left_out": left_out, "findings": plain(findings)}
        typer.echo(json.dumps(document | {"ratios": ratios(findings)}))
        return
    for why in left_out.values():
        console(stderr=True).print(why)
    for one in findings:
        console().print(_table(one))
    for name, ratio in ratios(findings).items():
        console().print(f"{name}: {ratio} × the floor's median")


def parsed(sizes: str, concurrency: str) -> list[Size]:
    """Sizes as "100x1000,1x10000", callers as "1,16"; raises `typer.BadParameter` for anything else."""
    if not re.fullmatch(r"[1-9]\d*x[1-9]\d*(,[1-9]\d*x[1-9]\d*)*", sizes):
        raise typer.BadParameter(f'{sizes}: sizes are users × memories of each, like "100x1000,1x10000"')
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", concurrency):
        raise typer.BadParameter(f'{concurrency}: callers at once are like "1,16,64"')
    callers = tuple(int(number) for number in concurrency.split(","))
    return [Size(int(users), int(memories), callers) for users, memories in re.findall(r"(\d+)x(\d+)", sizes)]


def ratios(findings: Sequence[Findings]) -> dict[str, float]:
    """Perdure's median time over the floor's, with one caller, by size and preset."""
    alone = {(cell.contestant, one.size): cell for one in findings for cell in one.cells if cell.concurrency == 1}
    return {
        f"{name}, {size}": round(cell.p50 / alone[FLOOR_NAME, size].p50, 2)
        for (name, size), cell in alone.items()
        if name.startswith("perdure") and (FLOOR_NAME, size) in alone
    }


def _merged(sizes: Sequence[Size]) -> list[Size]:
    """Each number of users and memories once, with all the callers that were asked for; small ones first."""
    callers: dict[tuple[int, int], dict[int, None]] = {}
    for size in sizes:
        callers.setdefault((size.users, size.memories), {}).update(dict.fromkeys(size.concurrency))
    return [Size(*both, tuple(callers[both])) for both in sorted(callers)]


def _table(findings: Findings) -> Table:
    table = Table(*COLUMNS, f"found of {K}", f"recall@{K}", title=f"{findings.size}; {findings.machine}")
    for callers in findings.size.concurrency:
        for cell in findings.cells:
            if cell.concurrency == callers:
                table.add_row(*_row(cell))
        table.add_section()
    return table


def _row(cell: Cell) -> list[str]:
    recall = "–" if cell.recall is None else f"{cell.recall:.3f}"
    latencies = (f"{cell.p50:.2f}", f"{cell.p95:.2f}", f"{cell.p99:.2f}")
    cpu = (f"{cell.client_cpu:.2f}", f"{cell.server_cpu:.2f}")
    return [
        *(cell.contestant, str(cell.concurrency), str(cell.calls), str(cell.failures), *latencies),
        *(f"{cell.per_second:.0f}", *cpu, f"{cell.found:.1f}", recall),
    ]


if __name__ == "__main__":
    typer.run(main)

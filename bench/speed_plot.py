"""The picture: what a search costs as the memories of one user grow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from bench.speed_cell import Cell

PACKAGE = "matplotlib"


def draw_growth(cells: Sequence[Cell], machine: str, file: Path) -> None:
    """Median latency and server CPU per search over the memories of one user with one caller, both axes logarithmic.

    Users are never mixed: cells of several users, or of several callers, are not drawn.
    """
    drawn = sorted(
        (cell for cell in cells if cell.users == 1 and cell.concurrency == 1), key=lambda cell: cell.memories
    )
    # By name, since only this needs it; and not pyplot, which would look for a screen.
    figure = import_module("matplotlib.figure").Figure(figsize=(13, 6), layout="constrained")
    panels: list[tuple[str, Callable[[Cell], float]]] = [
        ("median latency, ms", lambda cell: cell.p50),
        ("server CPU per search, ms", lambda cell: cell.server_cpu),
    ]
    for axes, (label, value) in zip(figure.subplots(1, 2), panels, strict=True):
        for name, marker in zip(dict.fromkeys(cell.contestant for cell in drawn), "os^Dv<>p*", strict=False):
            points = [(cell.memories, value(cell)) for cell in drawn if cell.contestant == name]
            axes.plot(*zip(*points, strict=True), marker=marker, label=name)
        axes.set(xscale="log", yscale="log", xlabel="memories of the user", ylabel=label)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.grid(which="both", alpha=0.25)
    figure.suptitle(f"Search, top 10, one user, one caller; {machine}")
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.savefig(file, dpi=120)

"""`perdure costs`: what models cost, by purpose, model, thread, day or user."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from perdure.cli.flags import SCOPE, context_flags
from perdure.cli.output import Output
from perdure.cli.render import shown, table_of
from perdure.cli.run import runs
from perdure.cli.session import opened
from perdure.graph.context import Context
from perdure.time import SystemClock
from perdure.when import parse_when

if TYPE_CHECKING:  # rich.table is slow to import, and `--help` does without it
    from rich.table import Table

    from perdure.costs import Cost, CostReport

By = Literal["purpose", "model", "thread", "day", "user"]
UNKNOWN = "—"


@runs
@context_flags(*SCOPE)
async def costs(
    *,
    by: Annotated[By, typer.Option(help="What the calls are told apart by; by user, of all users.")] = "purpose",
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Only from that day on, a day of UTC.")] = None,
    context: Context,
    output: Output,
) -> None:
    """Show calls, tokens, price and latency of the models, and how many of the embedded texts were known already."""
    start = None if since is None else parse_when(since, SystemClock().now(), edge="start").astimezone(UTC).date()
    async with opened(output) as memory:
        output.answer(report := await memory.costs.of(by=by, since=start, context=context), costs_table(report))


def costs_table(report: CostReport) -> Table | str:
    if not report.costs:
        return "no calls"
    table = table_of(report.by, "calls", "input", "cached", "output", "USD", "ms", "slowest", "texts", "known")
    for cost in (*report.costs, report.total):
        table.add_row(*_cells(cost))
    return table


def _cells(cost: Cost) -> list[str]:
    counts = cost.counts
    failed = f" ({counts.failed} failed)" if counts.failed else ""
    tokens = (counts.input_tokens, counts.cached_input_tokens, counts.output_tokens)
    mean, rate = cost.mean_ms, cost.cache_hit_rate
    return [
        shown(cost.name) or UNKNOWN,
        f"{counts.calls}{failed}",
        *map(str, tokens),
        price_shown(cost),
        UNKNOWN if mean is None else f"{mean:.0f}",
        str(counts.slowest_ms) if counts.calls else UNKNOWN,
        str(counts.texts),
        UNKNOWN if rate is None else f"{rate:.0%}",
    ]


def price_shown(cost: Cost) -> str:
    """Nothing that is unknown is shown as 0: where a part of it is known, the whole is more than that."""
    if cost.price is None:
        return UNKNOWN
    return f"{'> ' if cost.counts.unpriced else ''}{cost.price:.6f}"

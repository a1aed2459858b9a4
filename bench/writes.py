"""`python -m bench.writes`: how often writing goes wrong, by rules, by a scripted model, by the reconcile step alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench.measure import load
from bench.writes_cases import Case, Reading, read_cases
from bench.writes_model import by_model
from bench.writes_peer import Found, compare
from bench.writes_run import by_reconciling, by_rules, throwaway_memory
from bench.writes_score import Judgement, Metric, Outcome, judge
from perdure.cli.output import console
from perdure.plain import Record

RULES, MODEL = "offline rules, end to end", "scripted model, which answers as labelled, end to end"
RECONCILE = "reconcile alone, operations as labelled"
GIVEN = {Metric.JUNK, Metric.EVIDENCE}
"""Not measured of the reconcile step, which is given what is labelled and nothing else."""
Way = Callable[[Sequence[Case], Callable[[], None]], Awaitable[list[Outcome]]]
GROUPS: dict[str, Callable[[Case], bool]] = {
    "all": lambda case: True,
    "ko": lambda case: case.language == "ko",
    "en": lambda case: case.language == "en",
    "development": lambda case: case.half == "development",
    "held-out": lambda case: case.half == "held-out",
}


@dataclass(frozen=True, slots=True)
class Rate(Record):
    """Failures of one kind in a group of cases, and how many there could have been."""

    metric: Metric
    group: str
    failures: int
    opportunities: int

    @property
    def share(self) -> float | None:
        return round(self.failures / self.opportunities, 3) if self.opportunities else None

    def __str__(self) -> str:
        return f"{self.failures}/{self.opportunities}" + ("" if self.share is None else f" {self.share:.1%}")


def rates(judgements: Sequence[Judgement]) -> list[Rate]:
    return [
        Rate(metric, name, sum(judgement.failed for judgement in judged), len(judged))
        for metric in Metric
        for name, belongs in GROUPS.items()
        for judged in [[one for one in judgements if one.metric is metric and belongs(one.case)]]
    ]


async def measure(cases: Sequence[Case], progress: Progress) -> dict[str, list[Judgement]]:
    """What went wrong in each way of writing, on databases that are thrown away."""
    judged = {}
    async with throwaway_memory() as memory:
        ways: dict[str, Way] = {
            RULES: partial(by_rules, memory),
            MODEL: by_model,
            RECONCILE: partial(by_reconciling, memory),
        }
        for name, write in ways.items():
            task = progress.add_task(name, total=len(cases))
            outcomes = await write(cases, partial(progress.advance, task))
            left_out = GIVEN if name == RECONCILE else set()
            judged[name] = [one for outcome in outcomes for one in judge(outcome) if one.metric not in left_out]
    return judged


def main(
    data: Annotated[Path, typer.Option(help="Folder of the public data sets that some cases quote.")] = Path(
        "../shared/data"
    ),
    peer: Annotated[Path | None, typer.Option(help="Folder of another extractor, to be compared.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Run so many cases, chosen by the seed.")] = None,
    seed: int = 7,
    show: Annotated[bool, typer.Option(help="List the failures; those of held-out cases only by number.")] = False,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    reading = read_cases(data)
    cases = reading.chosen(limit, seed)
    with Progress(console=Console(stderr=True), transient=True, disable=as_json) as progress:
        judged = asyncio.run(measure(cases, progress))
    found = asyncio.run(compare(peer, cases)) if peer else []
    if as_json:
        typer.echo(json.dumps(_as_json(reading, cases, judged, found), ensure_ascii=False))
        return
    printed = console()
    for name, count in reading.missing.items():
        printed.print(f"{count} cases left out: {data / name} does not exist (give --data)")
    for name, judgements in judged.items():
        printed.print(_table(f"{name}: {len(cases)} cases; {load()}", judgements))
    if found:
        printed.print(_peer_table(found))
    if show:
        _list_failures(printed, judged)


def _table(title: str, judgements: Sequence[Judgement]) -> Table:
    table = Table("failures / opportunities", *GROUPS, title=title)
    counted = {(rate.metric, rate.group): rate for rate in rates(judgements)}
    for metric in Metric:
        if counted[metric, "all"].opportunities:
            table.add_row(metric.value, *(str(counted[metric, group]) for group in GROUPS))
    return table


def _peer_table(found: Sequence[Found]) -> Table:
    table = Table("extractor", "messages", "right", "wrong", "precision", "recall", title="beside the peer")
    for one in found:
        counts = (str(one.right), str(one.wrong), f"{one.precision:.3f}", f"{one.recall:.3f}")
        table.add_row(one.extractor, one.messages, *counts)
    return table


def _list_failures(console: Console, judged: dict[str, list[Judgement]]) -> None:
    """The failures to learn from. What is held out stays unread, or it would not be held out any more."""
    for name, judgements in judged.items():
        console.rule(name)
        failures = [one for one in judgements if one.failed]
        for one in failures:
            if one.case.half == "development":
                console.print(f"{one.metric.value}: {one.case.id}: {one.detail}", markup=False, highlight=False)
        hidden = sum(one.case.half == "held-out" for one in failures)
        console.print(f"and {hidden} in held-out cases")


def _as_json(
    reading: Reading, cases: Sequence[Case], judged: dict[str, list[Judgement]], found: Sequence[Found]
) -> dict[str, Any]:
    return {
        "machine": load(),
        "cases": len(cases),
        "missing": reading.missing,
        "rates": {name: [{**r.to_json(), "share": r.share} for r in rates(one)] for name, one in judged.items()},
        "peer": [{**one.to_json(), "precision": one.precision, "recall": one.recall} for one in found],
    }


if __name__ == "__main__":
    typer.run(main)

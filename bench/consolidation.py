"""`python -m bench.consolidation`: how often facts are merged that say other things, and left apart that say the same.

Everything is one user's: the facts of a bank, other words for each, and what only looks alike. All that is in one group
and was not made of the same fact as other words for it is a false merge.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench.consolidation_cases import Variant, distractors_of, variants_of
from bench.measure import load
from bench.writes_run import throwaway_memory
from perdure.alike import SIMILARITY
from perdure.cli.output import console
from perdure.facts import Fact, Operation, Source
from perdure.memory import Memory
from perdure.plain import Record
from perdure.rewording import rewording
from perdure.scope import Scope

SAID_AT = datetime(2026, 1, 1, tzinfo=UTC)
BATCH = 200
LOWER = (0.85, 0.75)
"""Other similarities, tried without writing."""
BANKS = {"ko": "naia_ko/fact-bank.json", "en": "naia_ko/fact-bank.en.json"}
DISTRACTORS = "naia_ko/fact-bank-v2.json"


@dataclass(frozen=True, slots=True)
class Rate(Record):
    """Pairs of one class and half: merged on writing, by the words alone, and by a run at each similarity."""

    language: str
    kind: str
    same: bool
    half: str
    pairs: int
    written_as_one: int
    by_words: int
    merged: dict[str, int]


@dataclass(frozen=True, slots=True)
class Found(Record):
    rates: list[Rate]
    strangers: dict[str, int]
    """By language and similarity, pairs in one group that no variant links."""
    undone: dict[str, bool]
    """By language, whether undoing every merge has restored every row, and the facts still follow from the statements."""


async def measure(memory: Memory, cases: Mapping[str, Sequence[Variant]], progress: Progress) -> Found:
    rates, strangers, undone = list[Rate](), dict[str, int](), dict[str, bool]()
    for language, variants in cases.items():
        scope = Scope(user=f"consolidation {language}")
        texts = list(dict.fromkeys(text for one in variants for text in (one.original, one.text)))
        task = progress.add_task(f"{language}: writing", total=len(texts))
        slot = await _write(memory, scope, texts, partial(progress.advance, task))
        linked = {frozenset((slot[one.original], slot[one.text])) for one in variants if one.same}
        groups: dict[str, list[set[str]]] = {}
        for similarity in (SIMILARITY, *LOWER):
            found = await memory.consolidation.run(user=scope.user, similarity=similarity, dry_run=True)
            groups[f"{similarity}"] = _joined(found.merges)
            strangers[f"{language} {similarity}"] = _strangers(groups[f"{similarity}"], linked)
        rates += _rates(variants, slot, groups)
        undone[language] = await _undo_restores(memory, scope)
    return Found(rates, strangers, undone)


async def _measured(cases: Mapping[str, Sequence[Variant]], progress: Progress) -> Found:
    async with throwaway_memory() as memory:
        return await measure(memory, cases, progress)


async def _write(memory: Memory, scope: Scope, texts: Sequence[str], tick: Callable[[int], object]) -> dict[str, str]:
    """The slot that each text is in."""
    slots: dict[str, str] = {}
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        source = Source(SAID_AT, "bench", f"batch {start}")
        receipts = await memory.layer.save(scope, [Operation(content=text) for text in batch], source)
        slots |= {t: str(r.after.slot) if r.after else t for t, r in zip(batch, receipts, strict=True)}
        tick(len(batch))
    return slots


def _joined(merges: Sequence[Mapping[str, Any]]) -> list[set[str]]:
    return [{source["slot"] for source in merge["sources"]} for merge in merges if merge["outcome"] != "left alone"]


def _strangers(groups: Sequence[set[str]], linked: set[frozenset[str]]) -> int:
    """Pairs of a group that are not other words for one fact, be it over the fact itself."""
    near: dict[str, set[str]] = {}
    for pair in linked:
        for slot in pair:
            near.setdefault(slot, {slot}).update(pair)
    pairs = [(a, b) for group in groups for a in group for b in group if a < b]
    return sum(near.get(a, {a}).isdisjoint(near.get(b, {b})) for a, b in pairs)


def _rates(variants: Sequence[Variant], slot: Mapping[str, str], groups: Mapping[str, list[set[str]]]) -> list[Rate]:
    keys = dict.fromkeys((one.language, one.kind, one.same, one.half) for one in variants)
    rates = []
    for key in sorted(keys, key=lambda key: (key[0], not key[2], key[1], key[3])):
        pairs = [one for one in variants if (one.language, one.kind, one.same, one.half) == key]
        slots = [(slot[one.original], slot[one.text]) for one in pairs]
        merged = {name: _in_one(slots, found) for name, found in groups.items()}
        by_words = sum(rewording(one.original, one.text) is None for one in pairs)
        rates.append(Rate(*key, len(pairs), sum(a == b for a, b in slots), by_words, merged))
    return rates


def _in_one(slots: Sequence[tuple[str, str]], groups: Sequence[set[str]]) -> int:
    group_of = {slot: place for place, group in enumerate(groups) for slot in group}
    return sum(a == b or group_of.get(a, -1) == group_of.get(b, -2) for a, b in slots)


async def _undo_restores(memory: Memory, scope: Scope) -> bool:
    """Merge for good, undo every merge: each row is there again as it was, but for when it was believed."""
    before = await memory.facts.facts(scope)
    await memory.consolidation.run(user=scope.user)
    identical = (await memory.facts.rebuild(scope, check=True)).identical
    for merge in await memory.consolidation.list(user=scope.user):
        await memory.consolidation.undo(merge.merge, user=scope.user)
    after = await memory.facts.facts(scope)
    same = sorted(map(_row, before)) == sorted(map(_row, after))
    return identical and same and (await memory.facts.rebuild(scope, check=True)).identical


def _row(fact: Fact) -> str:
    return repr(replace(fact, recorded_at=SAID_AT, version=0))


def read_cases(data: Path, limit: int | None) -> tuple[dict[str, list[Variant]], list[str]]:
    """The variants by language, and which files there are not."""
    missing = [name for name in (*BANKS.values(), DISTRACTORS) if not (data / name).exists()]
    cases = {
        language: variants_of(json.loads((data / name).read_text("utf-8")), language, limit)
        for language, name in BANKS.items()
        if name not in missing
    }
    if DISTRACTORS not in missing:
        bank = json.loads((data / DISTRACTORS).read_text("utf-8"))
        cases["ko"] = cases.get("ko", []) + distractors_of(bank, limit)
    return cases, missing


def main(
    data: Annotated[Path, typer.Option(help="Folder of the public data sets.")] = Path("../shared/data"),
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many facts of each bank.")] = None,
    show: Annotated[bool, typer.Option(help="List development pairs that the words alone judge wrongly.")] = False,
    as_json: Annotated[bool, typer.Option("--json")] = False,
) -> None:
    cases, missing = read_cases(data, limit)
    if not cases:
        raise typer.BadParameter(f"{data} has none of {', '.join(missing)}", param_hint="--data")
    with Progress(console=Console(stderr=True), transient=True, disable=as_json) as progress:
        found = asyncio.run(_measured(cases, progress))
    if as_json:
        typer.echo(json.dumps({"machine": load(), "missing": missing, **found.to_json()}, ensure_ascii=False))
        return
    printed = console()
    for name in missing:
        printed.print(f"left out: {data / name} does not exist (give --data)")
    printed.print(_table(found.rates))
    printed.print(f"pairs in one group that nothing links, by language and similarity: {found.strangers}")
    printed.print(f"every row is as it was after every merge was undone: {found.undone}; {load()}")
    if show:
        _list_wrong(printed, cases)


def _table(rates: Sequence[Rate]) -> Table:
    table = Table("", "class", "half", "pairs", "on writing", "by words", *(f"≥ {s}" for s in (SIMILARITY, *LOWER)))
    for rate in rates:
        name = rate.kind if rate.same else f"NOT THE SAME: {rate.kind}"
        merged = [f"{count} ({count / rate.pairs:.0%})" for count in rate.merged.values()]
        table.add_row(
            rate.language, name, rate.half, *map(str, (rate.pairs, rate.written_as_one, rate.by_words)), *merged
        )
    return table


def _list_wrong(printed: Console, cases: Mapping[str, Sequence[Variant]]) -> None:
    shown: Counter[str] = Counter()
    for one in (one for variants in cases.values() for one in variants if one.half == "development"):
        difference = rewording(one.original, one.text)
        if (difference is None) != one.same and shown[one.kind] < 8:
            shown[one.kind] += 1
            printed.print(f"{one.kind} ({difference}): {one.original} | {one.text}")


if __name__ == "__main__":
    typer.run(main)

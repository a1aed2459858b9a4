"""What held when: facts with terms, written in any order, asked for at the edges of their terms and beside them.

TimeQA (Chen, Wang & Wang 2021) tells years and months. A fact from 1811 to 1827 holds in [1811-01-01, 1827-01-01): of
neighbours in the data, most end in the year in which the next begins, and read as "through 1827" they would overlap.
Slots in which terms overlap all the same are no timeline, and left out; so are terms that end before they begin.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import numpy

from bench.quality_newest import CRI_TRUTH, cri_facts
from bench.quality_perdure import BATCH
from bench.quality_suite import OURS, Bench, Row, Suite, Target
from bench.rankers import PRESENT, Question, ids
from bench.scores import mean
from perdure.attributes import Cardinality
from perdure.facts import Operation, Source, content_of
from perdure.scope import Scope
from perdure.when import parse_when

FILE = "timeqa/intervals_derived.jsonl"
INSTANT = timedelta(microseconds=1)
SCOPE = Scope(user="timeqa")


@dataclass(frozen=True, slots=True)
class Dated:
    """A value of a slot, a subject and an attribute, during [since, until)."""

    slot: tuple[str, str]
    value: str
    question: str
    since: datetime
    until: datetime

    def holds_at(self, instant: datetime) -> bool:
        return self.since <= instant < self.until


async def run(bench: Bench) -> list[Row]:
    return [*await timeqa(bench), await cri_as_of(bench)]


async def timeqa(bench: Bench) -> list[Row]:
    slots, left_out = timelines(bench.lines(FILE))
    facts = [fact for slot in slots.values() for fact in slot]
    random.Random(bench.seed).shuffle(facts)
    await _write(bench, facts)
    answers: dict[str, list[bool]] = {moment: [] for moment in ("start", "middle", "last instant", "end", "gap")}
    task = bench.contest.progress.add_task("timeqa: asking", total=len(slots))
    for slot, own in slots.items():
        for moment, instant in _moments(own):
            expected = {_plain(fact.value) for fact in own if fact.holds_at(instant)}
            answers[moment].append(await _held(bench, slot, instant) == expected)
        bench.contest.progress.advance(task)
    bench.contest.progress.remove_task(task)
    note = f"timeqa: {len(facts)} facts of {len(slots)} slots; left out {left_out}"
    every = [right for one in answers.values() for right in one]
    return [
        Row("timelines", f"timeqa, {moment}: exact", len(right), {OURS: mean(right)}, Target(1.0), note)
        for moment, right in {"all": every, **answers}.items()
    ]


def timelines(lines: Iterable[Mapping[str, Any]]) -> tuple[dict[tuple[str, str], list[Dated]], str]:
    """The facts of each slot in order of time; and in words, what was left out."""
    told, reversed_terms = defaultdict(list), 0
    for line in lines:
        if line["answers"] and line["valid_from"] and line["valid_to"]:
            since, until = (parse_when(line[end], PRESENT) for end in ("valid_from", "valid_to"))
            slot = line["subject"].replace("_", " "), line["prop"].lower()
            if since < until:
                value = "; ".join(sorted(line["answers"]))
                told[slot].append(Dated(slot, value, line["question"], since, until))
            else:
                reversed_terms += 1
    ordered = {slot: sorted(facts, key=lambda fact: fact.since) for slot, facts in told.items()}
    kept = {slot: facts for slot, facts in ordered.items() if not _overlap(facts)}
    lost = sum(len(facts) for slot, facts in ordered.items() if slot not in kept)
    return kept, f"{lost} facts of {len(ordered) - len(kept)} slots that overlap, {reversed_terms} that end before"


def _overlap(facts: Sequence[Dated]) -> bool:
    return any(one.until > other.since for one, other in pairwise(facts))


def _moments(facts: Sequence[Dated]) -> Iterator[tuple[str, datetime]]:
    """Around each fact: its first instant, its middle, its last instant, the one after; and between two that do not meet."""
    for fact, later in zip(facts, [*facts[1:], None], strict=True):
        yield "start", fact.since
        yield "middle", fact.since + (fact.until - fact.since) / 2
        yield "last instant", fact.until - INSTANT
        yield "end", fact.until
        if later and fact.until < later.since:
            yield "gap", fact.until + (later.since - fact.until) / 2


async def _write(bench: Bench, facts: Sequence[Dated]) -> None:
    """In this order. Nothing is searched, so every sentence may have the same vector."""
    row = numpy.eye(1, bench.contest.vectors.embedder.dimension)[0].tolist()
    task = bench.contest.progress.add_task("timeqa: writing", total=len(facts))
    for start in range(0, len(facts), BATCH):
        operations = [
            Operation(
                subject=fact.slot[0],
                attribute=fact.slot[1],
                cardinality=Cardinality.SINGLE,
                value=fact.value,
                content=f"{fact.question} {fact.value}",
                valid_from=fact.since,
                valid_to=fact.until,
            )
            for fact in facts[start : start + BATCH]
        ]
        vectors = {content_of(operation): row for operation in operations}
        await bench.perdure.facts.apply(SCOPE, operations, Source(at=PRESENT), vectors)
        bench.contest.progress.advance(task, len(operations))
    bench.contest.progress.remove_task(task)


async def _held(bench: Bench, slot: tuple[str, str], instant: datetime) -> set[str]:
    held = await bench.perdure.facts.facts(SCOPE, attribute=slot[1], as_of=instant)
    return {_plain(fact.value) for fact in held if fact.subject == slot[0]}


def _plain(value: str) -> str:
    """Without articles and punctuation, which the data writes now and then: such values are one to Perdure too."""
    return " ".join(word for word in re.findall(r"\w+", value.lower()) if word not in {"a", "an", "the"})


async def cri_as_of(bench: Bench) -> Row:
    """The facts of a changing life, by search: in the middle of its term, the right one comes first."""
    facts = cri_facts(bench.json(CRI_TRUTH)["temporal_facts"])
    questions = [
        Question(fact["query_topic"], as_of=memory.at + ((memory.until or PRESENT) - memory.at) / 2)
        for fact, memory in facts
    ]
    found = await bench.contest.run("cri as of", [memory for _, memory in facts], questions)
    figures = {
        who: mean(ids(ranking)[:1] == [memory.id] for ranking, (_, memory) in zip(rankings, facts, strict=True))
        for who, rankings in found.items()
    }
    return Row("timelines", "cri, in the middle of each term: the right value first", len(facts), figures, Target(1.0))


SUITE = Suite("timelines", (FILE, CRI_TRUTH), run)

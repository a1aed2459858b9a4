"""The scorer of `bench.writes` finds what goes wrong: right labels pass, and each wrong one is told by its name."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from pydantic import SecretStr

from bench.writes_cases import Case, Label, Message, read_cases
from bench.writes_model import by_model
from bench.writes_run import by_reconciling, by_rules
from bench.writes_score import Metric, Outcome, judge
from perdure.app import open_memory
from perdure.memory import Memory
from perdure.settings import Settings

ROOT = Path(__file__).parents[2]
OURS = {case.id: case for case in read_cases(Path("nowhere")).cases}
MOVED, SAID_AGAIN, MEANT, ANOTHER, OVER = (
    "en-supersede-01",
    "ko-merge-03",
    "en-correct-01",
    "ko-separate-01",
    "en-end-01",
)
Write = Callable[[Memory, Sequence[Case], Callable[[], None]], Awaitable[list[Outcome]]]


@pytest.fixture
async def memory(local_database: str) -> AsyncIterator[Memory]:
    async with open_memory(Settings(database_url=SecretStr(local_database))) as opened:
        yield opened


async def outcome(memory: Memory, case: Case, write: Write) -> Outcome:
    (written,) = await write(memory, [case], lambda: None)
    return written


def failures(outcome: Outcome) -> set[Metric]:
    return {judgement.metric for judgement in judge(outcome) if judgement.failed}


def relabelled(outcome: Outcome, **changed: object) -> Outcome:
    """The same statements, under another label."""
    return Outcome(outcome.case.model_copy(update=changed), outcome.statements)


def with_last(outcome: Outcome, **changed: object) -> Outcome:
    *before, last = outcome.case.messages
    return relabelled(outcome, messages=(*before, last.model_copy(update=changed)))


@pytest.mark.parametrize("write", [by_rules, by_reconciling], ids=["rules", "reconcile"])
@pytest.mark.parametrize("case", [MOVED, SAID_AGAIN, MEANT, ANOTHER, OVER])
async def test_what_memory_does_right_has_opportunities_and_no_failure(memory: Memory, case: str, write: Write) -> None:
    written = await outcome(memory, OURS[case], write)
    assert failures(written) == set()
    assert len(list(judge(written))) > 5


@pytest.mark.parametrize(
    ("case", "label", "expected"),
    [
        (MOVED, Label.MERGE, {Metric.FALSE_SUPERSESSION, Metric.MISSED_MERGE}),
        (MOVED, Label.SEPARATE, {Metric.FALSE_SUPERSESSION}),
        (MOVED, Label.CORRECT, {Metric.MISSED_CORRECTION}),
        (SAID_AGAIN, Label.SUPERSEDE, {Metric.MISSED_SUPERSESSION, Metric.FALSE_MERGE}),
        (SAID_AGAIN, Label.SEPARATE, {Metric.FALSE_MERGE}),
        (ANOTHER, Label.MERGE, {Metric.MISSED_MERGE}),
        (ANOTHER, Label.SUPERSEDE, {Metric.MISSED_SUPERSESSION}),
        (OVER, Label.SEPARATE, {Metric.FALSE_SUPERSESSION}),
    ],
)
async def test_a_wrong_label_is_told_from_what_was_stored(
    memory: Memory, case: str, label: Label, expected: set[Metric]
) -> None:
    written = await outcome(memory, OURS[case], by_reconciling)
    assert failures(relabelled(written, label=label)) == expected


async def test_a_scripted_model_loses_what_the_words_do_not_bear_out_and_nothing_else() -> None:
    said = OURS[MOVED]
    first, last = said.messages
    unsaid = tuple(one.model_copy(update={"value": "Paris"}) for one in last.operations)
    invented = said.model_copy(
        update={"id": "invented", "messages": (first, last.model_copy(update={"operations": unsaid}))}
    )
    of_the_words, of_more = await by_model([said, invented], lambda: None)
    assert failures(of_the_words) == set()
    assert failures(of_more) == {Metric.LOST, Metric.NOT_STORED, Metric.MISSED_SUPERSESSION}
    (lost,) = [one for one in judge(of_more) if one.failed and one.metric is Metric.LOST]
    assert lost.detail == "assert home.city=Paris: a value that the user did not say"


async def test_junk_and_what_was_never_said_and_what_is_missing_are_told(memory: Memory) -> None:
    written = await outcome(memory, OURS[MOVED], by_rules)
    assert Metric.JUNK in failures(with_last(written, operations=()))
    assert failures(with_last(written, said="It rained.")) == {Metric.EVIDENCE}
    more = (*written.case.last.operations, *OURS[ANOTHER].last.operations)
    assert failures(with_last(written, operations=more)) == {Metric.NOT_STORED}


async def test_a_date_that_was_not_said_is_told(memory: Memory) -> None:
    written = await outcome(memory, OURS[MOVED], by_rules)
    (moved,) = written.case.last.operations
    assert failures(with_last(written, operations=(moved.model_copy(update={"since": None}),))) == {Metric.WRONG_DATE}


async def test_one_attribute_under_two_names_is_told(memory: Memory) -> None:
    first, last = OURS[MOVED].messages
    messages = (first, _renamed(last, "dwelling.place"))
    written = await outcome(memory, OURS[MOVED].model_copy(update={"messages": messages}), by_reconciling)
    assert failures(written) == {Metric.TWO_NAMES, Metric.MISSED_SUPERSESSION}


def _renamed(message: Message, named: str) -> Message:
    operations = tuple(one.model_copy(update={"named": named}) for one in message.operations)
    return message.model_copy(update={"operations": operations})


def test_every_case_has_its_own_id_and_both_languages_and_halves_are_large() -> None:
    assert len(OURS) >= 200
    for language in ("ko", "en"):
        for half in ("development", "held-out"):
            assert sum((case.language, case.half) == (language, half) for case in OURS.values()) >= 40


def test_the_command_measures_a_slice_and_says_which_data_is_missing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bench.writes", "--limit", "6", "--json", "--data", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=200)
    report = json.loads(done.stdout)
    assert report["cases"] == 6
    assert sum(report["missing"].values()) >= 50
    assert len(report["rates"]) == 3

"""`bench.quality` on a few memories of our own: what is counted, who sees what, and what the command says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.progress import Progress
from typer.testing import CliRunner, Result

from bench.cached_vectors import CachedVectors
from bench.quality import CONTESTANTS, main, opened
from bench.quality_locomo import turns
from bench.quality_suite import Row, Target
from bench.quality_timelines import timelines
from bench.rankers import Memory, Question, ids
from perdure.ports import Vector

DATA = Path(__file__).with_name("quality_data")
DAY = datetime(2024, 5, 1, tzinfo=UTC)
LATER = datetime(2024, 6, 1, tzinfo=UTC)


class Counting:
    """An embedder of two dimensions that tells what it was asked."""

    model, dimension = "counting", 2

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def embed_query(self, text: str) -> Vector:
        self.asked.append(f"? {text}")
        return [0.0, 1.0]

    async def embed_documents(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += texts
        return [[1.0, 0.0] for _ in texts]


def run(*arguments: str) -> Result:
    app = typer.Typer()
    app.command()(main)
    return CliRunner().invoke(app, arguments)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    cache = tmp_path_factory.mktemp("cache")
    suites = [flag for name in ("locomo", "korean", "naia") for flag in ("--suite", name)]
    done = run(*suites, "--data", str(DATA), "--cache", str(cache), "--json")
    assert done.exit_code == 0, done.output
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def row(report: dict[str, Any], metric: str) -> dict[str, Any]:
    (found,) = [one for one in report["rows"] if one["metric"] == metric]
    return dict(found)


def test_every_contestant_has_a_figure_in_every_row(report: dict[str, Any]) -> None:
    for one in report["rows"]:
        assert set(one["figures"]) == set(CONTESTANTS)


def test_the_audit_corrects_evidence_and_drops_what_was_invented(report: dict[str, Any]) -> None:
    assert row(report, "all, as published: R@5")["cases"] == 3  # the adversarial one is never asked
    assert row(report, "all, audited: R@5")["cases"] == 2
    assert row(report, "multi-hop, audited: MRR")["figures"]["perdure"] is None
    audited, published = row(report, "single, audited: MRR"), row(report, "single, as published: MRR")
    assert audited["figures"]["perdure"] > published["figures"]["perdure"]


async def test_exchanges_fill_all_places_where_there_is_nothing_else(tmp_path: Path) -> None:
    turns = [Memory(f"turn {n}", f"Ines: day {n} at sea", DAY, thread="t", exchange=True) for n in range(12)]
    with Progress(disable=True) as progress:
        async with opened(DATA, tmp_path, "all", 1, progress, preset="balanced", fusion=None) as bench:
            found = await bench.contest.run("turns", turns, [Question("Which day at sea?", whole=True)])
    assert {name: len(ranking) for name, (ranking,) in found.items()} == dict.fromkeys(CONTESTANTS, 10)


def test_what_is_superseded_is_forbidden_to_be_found_and_only_perdure_knows(report: dict[str, Any]) -> None:
    forbidden = row(report, "superseded: forbidden@5")
    assert forbidden["figures"]["perdure"] == 0.0
    assert forbidden["verdict"] == "met"
    assert forbidden["figures"]["LangGraph store"] == forbidden["figures"]["vectors"] == 0.5
    assert row(report, "as it is: forbidden@5")["figures"]["perdure"] == 0.5


def test_what_is_missing_is_said_and_the_rest_goes_on(report: dict[str, Any]) -> None:
    assert list(report["missing"]) == ["naia"]
    assert {one["suite"] for one in report["rows"]} == {"locomo", "korean"}


def test_a_folder_without_data_is_an_error(tmp_path: Path) -> None:
    nothing = run("--data", str(tmp_path))
    assert nothing.exit_code == 1
    assert "locomo left out: no locomo/locomo10.json, locomo/errors.json" in nothing.stderr


@pytest.mark.parametrize(("flag", "value"), [("--suite", "nonsense"), ("--split", "nonsense")])
def test_an_unknown_name_is_refused(flag: str, value: str) -> None:
    refused = run(flag, value, "--data", str(DATA))
    assert refused.exit_code == 2
    assert "nonsense is none of" in refused.stderr.replace("\n", " ")


async def test_every_contestant_keeps_users_agents_and_times_apart(tmp_path: Path) -> None:
    tea = Memory("tea", "The tea is in the blue tin.", DAY, user="user 1")
    memories = [
        tea,
        replace(tea, id="theirs", user="user 10"),
        replace(tea, id="cook's", text="The blue tin is empty.", agent="cook"),
        replace(tea, id="guard's", text="Someone took the blue tin.", agent="guard"),
        replace(tea, id="later", text="The tea is in the red tin now.", at=LATER),
    ]
    asked = [
        Question("Where is the tea tin?", "user 1"),
        Question("Where is the tea tin?", "user 1", ("cook",)),
        Question("Where is the tea tin?", "user 1", ("cook", "guard"), as_of=DAY),
        Question(" ", "user 1"),
    ]
    with Progress(disable=True) as progress:
        async with opened(DATA, tmp_path, "all", 1, progress, preset="balanced", fusion=None) as bench:
            found = await bench.contest.run("apart", memories, asked)
            again = await bench.contest.run("apart", memories[1:2], [Question("Where is the tea tin?", "user 1")])
    for name in CONTESTANTS:
        seen = [set(ids(ranking)) for ranking in found[name]]
        assert seen == [{"tea", "later"}, {"tea", "later", "cook's"}, {"tea", "cook's", "guard's"}, set()], name
        assert again[name] == [[]], f"{name} has not forgotten what was loaded before"


async def test_a_vector_is_computed_once_and_a_question_is_no_document(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    for embedder in (first, second):
        vectors = CachedVectors(tmp_path, embedder)
        told: list[int] = []
        await vectors.prepare(["tin", "tea", "tin"], told.append, query=False)
        await vectors.prepare(["tin"], told.append, query=True)
        assert sum(told) == 3
        assert vectors.document("tin").tolist() == [1.0, 0.0]
        assert vectors.query("tin").tolist() == [0.0, 1.0]
        assert vectors.is_query("tin") and not vectors.is_query("tea")
        vectors.close()
    assert first.asked == ["tin", "tea", "? tin"]
    assert second.asked == []


def test_citations_are_read_as_they_are_written() -> None:
    cited = ["D8:6; D9:17", "D", "D:11:26", "D30:05"]
    assert turns("u", cited) == {"u D8:6", "u D9:17", "u D11:26", "u D30:5"}


def test_terms_that_overlap_or_end_before_they_begin_are_no_timeline() -> None:
    def fact(subject: str, since: str | None, until: str | None) -> dict[str, Any]:
        return {
            "subject": subject,
            "prop": "P1",
            "question": "?",
            "answers": ["x"],
            "valid_from": since,
            "valid_to": until,
        }

    kept, left_out = timelines(
        [
            fact("Old_Mill", "1900", "1910-03"),
            fact("Old_Mill", "1910-03", "1920"),
            fact("New_Mill", "1900", "1911"),
            fact("New_Mill", "1910", "1920"),
            fact("Old_Mill", "1930", "1929"),
            fact("Old_Mill", None, "1890"),
        ]
    )
    assert list(kept) == [("Old Mill", "p1")]
    first, second = kept["Old Mill", "p1"]
    assert first.until == second.since == datetime(1910, 3, 1, tzinfo=UTC)
    assert "2 facts of 1 slots that overlap, 1 that end before" in left_out


@pytest.mark.parametrize(
    ("figure", "target", "verdict"),
    [
        (0.68, Target(0.68), "met"),
        (0.67, Target(0.68), "missed"),
        (0.2, Target(0.2, at_most=True), "met"),
        (0.3, Target(0.2, at_most=True), "missed"),
        (None, Target(0.5), ""),
        (0.1, None, ""),
    ],
)
def test_a_verdict_compares_with_the_target(figure: float | None, target: Target | None, verdict: str) -> None:
    assert Row("suite", "metric", 1, {"perdure": figure}, target).verdict == verdict

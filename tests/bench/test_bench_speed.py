"""The comparison of speed runs from end to end on tiny sizes; how long anything took is never judged."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import psycopg
import pytest
import typer

from bench.speed import parsed, ratios
from bench.speed_cell import Cell, Server
from bench.speed_contestants import CONTESTANTS, FLOOR_NAME, PRESETS, missing
from bench.speed_plot import PACKAGE, draw_growth
from bench.speed_run import Plan, Size, compare
from bench.synthetic import K, draw
from perdure.embedded import EmbeddedPostgres

ROOT = Path(__file__).parents[2]


async def test_every_contestant_finds_memories_and_the_floor_finds_the_right_ones(postgres: EmbeddedPostgres) -> None:
    present = [name for name in CONTESTANTS if not missing(name)]
    plan = Plan([Size(3, 60, (1, 4))], present, seconds=0.15, seed=7)
    (findings,) = await compare(postgres.dsn, plan, lambda doing: None)
    assert {cell.concurrency for cell in findings.cells} == {1, 4}
    assert {cell.contestant.split(":")[0] for cell in findings.cells} == set(present)
    for cell in findings.cells:
        assert cell.found >= 1, cell
        assert cell.calls >= cell.concurrency
        assert cell.failures == 0
        assert 0 < cell.p50 <= cell.p95 <= cell.p99
        assert cell.recall is None or 0 < cell.recall <= 1
        if cell.contestant == FLOOR_NAME:
            assert (cell.found, cell.recall) == (K, 1.0)
        if cell.contestant.startswith("perdure"):
            assert cell.recall == 1.0  # so few memories are all compared
    assert ratios([findings]).keys() == {f"perdure: {preset}, 3 users × 60 memories" for preset in PRESETS}


def test_what_a_backend_uses_is_counted_while_it_lives_and_when_it_has_ended(postgres: EmbeddedPostgres) -> None:
    with psycopg.connect(postgres.dsn) as watching:
        server = Server(watching.info.backend_pid)
        before = server.cpu()
        with psycopg.connect(postgres.dsn) as working:
            working.execute("select count(*) from generate_series(1, 3000000)")
            assert server.cpu() - before > 0.05
            backend = working.info.backend_pid
        while Path(f"/proc/{backend}").exists():
            time.sleep(0.01)
        assert server.cpu() - before > 0.05


def test_memories_lie_as_real_ones_do() -> None:
    corpus = draw(users=1, memories=1000, questions=200, seed=3)
    similarity = corpus.vectors @ corpus.vectors.T
    np.fill_diagonal(similarity, np.nan)
    nearest = np.nanmax(similarity, axis=1)
    asked = np.array([question.vector for question in corpus.questions], np.float32) @ corpus.vectors.T
    assert np.allclose(np.linalg.norm(corpus.vectors, axis=1), 1, atol=1e-5)
    assert np.nanmean(similarity) == pytest.approx(0.27, abs=0.03)
    assert np.median(nearest) == pytest.approx(0.63, abs=0.03)
    assert np.median(asked.max(axis=1)) == pytest.approx(0.45, abs=0.03)


def test_a_seed_gives_the_same_corpus_and_the_nearest_are_the_users_own() -> None:
    corpus, again, other = (draw(users=4, memories=50, questions=20, seed=seed) for seed in (1, 1, 2))
    assert corpus.memories == again.memories
    assert corpus.questions == again.questions
    assert corpus.questions != other.questions
    users = {memory.id: memory.user for memory in corpus.memories}
    for question in corpus.questions:
        ids = corpus.nearest(question)
        assert len(ids) == K
        assert {users[one] for one in ids} == {question.user}


def test_sizes_are_read_or_refused() -> None:
    assert parsed("100x1000,1x5", "1,16") == [Size(100, 1000, (1, 16)), Size(1, 5, (1, 16))]
    for sizes, concurrency in (("100", "1"), ("0x5", "1"), ("1x5", "0"), ("1x5", "many")):
        with pytest.raises(typer.BadParameter):
            parsed(sizes, concurrency)


@pytest.mark.skipif(not find_spec(PACKAGE), reason=f"{PACKAGE} is not installed")
def test_the_plot_is_a_picture(tmp_path: Path) -> None:
    cells = [
        Cell(name, 1, memories, 1, 9, 0, cost, cost, cost, 1.0, cost, cost, 10.0, None)
        for name in ("one", "another")
        for memories, cost in ((100, 0.5), (1000, 2.0))
    ]
    draw_growth(cells, "a machine", tmp_path / "growth.png")
    assert (tmp_path / "growth.png").read_bytes().startswith(b"\x89PNG")


def test_the_command_reports_as_json() -> None:
    options = ("--sizes", "2x40", "--concurrency", "2", "--seconds", "0.1", "--contestants", "floor,perdure", "--json")
    done = subprocess.run(
        [sys.executable, "-m", "bench.speed", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    report = json.loads(done.stdout)
    (findings,) = report["findings"]
    assert findings["size"] == {"users": 2, "memories": 40, "concurrency": [2]}
    assert [cell["contestant"] for cell in findings["cells"]] == [
        FLOOR_NAME,
        *(f"perdure: {preset}" for preset in PRESETS),
    ]
    assert report["left_out"] == {}

"""What the README shows is what happens: its commands run, and print what it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from databases import open_folder

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
VARYING = (
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "ID"),
    (re.compile(r"\b[0-9a-f]{8}\b"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\d|\d{4}년 \d+월 \d+일|\d{1,2} [A-Z][a-z]+ \d{4}"), "DATE"),
    (re.compile(r"\b\d\d:\d\d\b"), "TIME"),
    (re.compile(r"\b\d+ (tables|columns|rows)\b"), r"N \1"),
    (re.compile(r"\b\d\.\d\d\d?\b"), "SCORE"),
    (re.compile(r"(?<=\bvector ) *\d+|(?<=\blexical ) *\d+"), "RANK"),
    (re.compile(r" {2,}|─+|━+|┬"), " "),
    (re.compile(r"\b\d{4}-\d\d\b"), "MONTH"),
)


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind} tested\n(.*?)```", README, re.DOTALL)


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with the output that is shown for it."""
    pieces = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(piece.split("\n", 1)[0], piece.split("\n", 1)[1]) for piece in pieces]


def comparable(text: str) -> list[str]:
    """Lines without what differs from day to day: ids, dates, scores, and the drawn axis."""
    for pattern, word in VARYING:
        text = pattern.sub(word, text)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return [line for line in lines if line.replace("MONTH", "").strip(" ─")]


def test_the_tour_prints_what_it_shows(home: Path) -> None:
    environment = {**os.environ, "PERDURE_HOME": str(home), "COLUMNS": "80"}
    shown = [pair for block in blocks("console") for pair in commands(block)]
    assert len(shown) >= 5
    for command, expected in shown:
        words = shlex.split(command)
        assert words[0] == "perdure"
        ran = subprocess.run(
            [sys.executable, "-m", *words], env=environment, cwd=home, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        assert comparable(ran.stdout) == comparable(expected), command


def test_the_python_example_runs_and_prints_what_it_says(home: Path) -> None:
    (example,) = blocks("python")
    environment = {**os.environ, "PERDURE_HOME": str(home)}
    ran = subprocess.run(
        [sys.executable, "-c", example], env=environment, cwd=home, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split("\n")[:-1] == re.findall(r"print\(.*\)  # (.*)", example)


def test_every_setting_is_in_the_readme() -> None:
    from perdure.settings import Settings

    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        shown = f"PERDURE_{name.upper()}" if alias is None else name.upper()
        assert f"`{shown}`" in README


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = [re.match(r"[\w-]+", dependency) for dependency in project["dependencies"]]
    assert [name.group() for name in names if name and name.group().lower() not in README] == []

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from perdure.stores.sql import parse, statements

STORES = Path(__file__).parents[2] / "stores"
MADE_NAME = r'(?:_[A-Z]+\[|scope, )f"(\w*{[^}]*}\w*)"'
"""As in `_SQL[f"delete_{table}"]`, or `statements.run(connection, scope, f"{kind}_page")`."""


@pytest.mark.parametrize("file", sorted(path.stem for path in (STORES / "sql").glob("*.sql")))
def test_every_statement_is_run(file: str) -> None:
    """A store that names the file names the statement too, or some store makes the statement's name of parts."""
    named = {name for store in _stores() if f'"{file}"' in store for name in re.findall(r'"(\w+)"', store)}
    made = [re.sub(r"{.*?}", r"\\w+", name) for store in _stores() for name in re.findall(MADE_NAME, store)]
    unused = set(statements(file)) - named
    assert [name for name in unused if not any(re.fullmatch(pattern, name) for pattern in made)] == []


@cache
def _stores() -> list[str]:
    return [path.read_text("utf-8") for path in STORES.glob("*.py")]


def test_a_shipped_file_gives_its_statements() -> None:
    found = statements("checkpoints")
    assert "delete from checkpoints" in found["delete_for_runs"]
    assert not any("--" in statement for statement in found.values())
    assert statements("checkpoints") is found


def test_an_unknown_statement_is_told_with_those_there_are() -> None:
    with pytest.raises(KeyError, match=r"checkpoints\.sql has no statement 'drop_all'; it has .*copy_thread"):
        statements("checkpoints")["drop_all"]


def test_comments_do_not_reach_the_server() -> None:
    text = "-- 100 % of them\n-- name: a\n-- 5 %\nselect 1, -- in line: kept\n 2;\n\n-- name: b\nselect 2\n"
    assert parse(text, "x") == {"a": "select 1, -- in line: kept\n 2", "b": "select 2"}


@pytest.mark.parametrize(
    "text",
    [
        "select 1\n-- name: a\nselect 2",
        "-- name: a\nselect 1\n-- name: a\nselect 2",
        "-- name: a\n-- nothing\n-- name: b\nselect 1",
        "-- name: two words\nselect 1",
    ],
    ids=["before the first name", "named twice", "empty", "no proper name"],
)
def test_a_file_that_is_not_well_formed_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"x\.sql"):
        parse(text, "x")

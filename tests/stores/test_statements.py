from __future__ import annotations

import pytest

from perdure.stores.sql import parse, statements


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

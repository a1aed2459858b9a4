"""SQL as named statements: one file per store, each statement under a line ``-- name: <name>``.

    -- name: delete_thread
    delete from ... where thread_id = %(thread)s

A store reads its file once, when it is imported: `SQL = statements("checkpoints")`, then `SQL["delete_thread"]`.

What several statements of a file have in common stands there once, under ``-- fragment: <name>``; a line
``-- include: <name>`` stands for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import LiteralString

_NAME = re.compile(r"^--[ \t]*(name|fragment):(.*)$", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]*--[ \t]*include:[ \t]*(\w+)[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*--.*\n?", re.MULTILINE)


class Statements(dict[str, LiteralString]):
    """The statements of one file, by name. Raises `KeyError` that tells the file and what it does have."""

    def __init__(self, file: str, named: Mapping[str, LiteralString]) -> None:
        super().__init__(named)
        self.file = file

    def __missing__(self, name: str) -> LiteralString:
        raise KeyError(f"{self.file}.sql has no statement {name!r}; it has {', '.join(sorted(self))}")


@cache
def statements(file: str) -> Mapping[str, LiteralString]:
    """The statements of ``<file>.sql`` in this package. Raises `ValueError` for a file that is not well formed."""
    return Statements(file, parse(files(__name__).joinpath(f"{file}.sql").read_text("utf-8"), file))


def parse(text: str, file: str) -> dict[str, LiteralString]:
    """Split the text of a file into its statements, without comments: a % in one would be read as a parameter."""
    head, *blocks = _NAME.split(text)
    if _COMMENT.sub("", head).strip():
        raise ValueError(f"{file}.sql has SQL before its first '-- name:' line")
    read: dict[str, dict[str, LiteralString]] = {"name": {}, "fragment": {}}
    for sort, name, body in zip(blocks[::3], map(str.strip, blocks[1::3]), blocks[2::3], strict=True):
        statement = _COMMENT.sub("", _included(body, read["fragment"], file)).strip().removesuffix(";")
        if not name.isidentifier() or name in read[sort] or not statement:
            raise ValueError(f"{file}.sql: the {sort} {name!r} is empty, named twice, or has no proper name")
        # A file of this package is as literal as its code, which a type checker cannot know.
        read[sort][name] = statement  # pyright: ignore[reportArgumentType]
    return read["name"]


def _included(body: str, fragments: Mapping[str, LiteralString], file: str) -> str:
    try:
        return _INCLUDE.sub(lambda line: fragments[line[1]], body)
    except KeyError as missing:
        raise ValueError(f"{file}.sql includes {missing}, which is no fragment above it") from None

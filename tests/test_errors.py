"""The drawing of the errors at the top of their file is the hierarchy that there is."""

from __future__ import annotations

import re
from collections.abc import Iterator

import perdure.errors
from perdure.errors import PerdureError

LINE = re.compile(r"^    (?P<bars>[│├└─ ]*)(?P<name>[A-Z]\w+)", re.MULTILINE)


def test_every_error_is_drawn_where_it_stands() -> None:
    drawn, above = set[tuple[str, str]](), {0: "PerdureError"}
    for line in LINE.finditer(perdure.errors.__doc__ or ""):
        depth = len(line["bars"]) // 4
        above[depth] = line["name"]
        if depth:
            drawn.add((above[depth - 1], line["name"]))
    assert drawn == set(_below(PerdureError))


def _below(parent: type[PerdureError]) -> Iterator[tuple[str, str]]:
    for child in parent.__subclasses__():
        if child.__module__ == perdure.errors.__name__:
            yield parent.__name__, child.__name__
            yield from _below(child)


def test_errors_are_defined_in_one_place() -> None:
    """Those of the package: a test may have its own."""
    elsewhere = {one.__module__ for one in PerdureError.__subclasses__()} - {perdure.errors.__name__}
    assert not {name for name in elsewhere if name.startswith("perdure")}

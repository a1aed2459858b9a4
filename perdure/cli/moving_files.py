"""The files that are exported to and imported from: plain, compressed (`.gz`), or the standard streams (`-`)."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from perdure.errors import InvalidInput, NotFound
from perdure.moving.untrusted import LINE_LIMIT

STANDARD = "-"
BinaryFile = IO[bytes] | gzip.GzipFile


@contextmanager
def written(name: str) -> Iterator[BinaryFile]:
    """A file that is there when it is whole: only its owner may read it, for it holds what is remembered of people."""
    if name == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if (target := Path(name)).exists() and not target.is_file():  # a device or a pipe would be replaced by a file
        raise InvalidInput(f"cannot write {name}: it is no file; name one, or - for standard output")
    part = Path(f"{name}.part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    except OSError as error:
        raise InvalidInput(f"cannot write {part}: {error.strerror}") from None
    try:
        with os.fdopen(descriptor, "wb") as raw:
            if name.endswith(".gz"):
                with gzip.GzipFile(filename="", fileobj=raw, mode="wb") as packed:
                    yield packed
            else:
                yield raw
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def lines_of(name: str) -> Iterator[Iterator[bytes]]:
    """The lines of a file. Raises `NotFound`, and `InvalidInput` where a compressed one is damaged."""
    if name == STANDARD:
        yield _lines(sys.stdin.buffer, "standard input")
        return
    with ExitStack() as stack:
        try:
            raw = stack.enter_context(Path(name).open("rb"))
        except OSError as error:
            raise NotFound(f"cannot read {name}: {error.strerror}") from None
        packed = stack.enter_context(gzip.GzipFile(fileobj=raw)) if name.endswith(".gz") else raw
        yield _lines(packed, name)


def _lines(file: BinaryFile, name: str) -> Iterator[bytes]:
    """No line is longer in memory than one that is refused for its length."""
    try:
        yield from iter(partial(file.readline, LINE_LIMIT + 1), b"")
    except (EOFError, OSError, zlib.error):
        raise InvalidInput(f"{name} cannot be read to its end: it was cut short or damaged") from None

"""What a scan looks for, as bytes: a user's id and thread keys, and erased texts, in whatever a column holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from perdure.facts import USER
from perdure.scope import Scope
from perdure.threads import thread_prefix

Owner = Literal["own", "nobody", "other"]
"""Whose a row is: the user's, no user's in particular, or somebody else's."""
WORD, SENTENCE = 4, 16
"""Bytes from which on a text is also found within another one: in the user's own rows, and in those of nobody. A shorter
one, such as "cat", is found where it is all that is said: within other words it would be found everywhere."""
_AUTHORS = {USER, "agent"}
"""Authors that are no names of persons."""


@dataclass(frozen=True, slots=True)
class Sought:
    """``key`` matches the beginning of a thread's key. None, and no ``id``, where only texts are looked for."""

    scope: Scope
    id: bytes | None
    key: re.Pattern[bytes] | None
    texts: dict[Owner, tuple[bytes, ...]]

    @classmethod
    def of(cls, scope: Scope, texts: Iterable[str], *, user: bool) -> Self:
        texts = sorted(texts)
        needles: dict[Owner, tuple[bytes, ...]] = {
            "own": tuple(_needle(text, WORD) for text in texts),
            "nobody": tuple(_needle(text, SENTENCE) for text in texts),
            "other": (),
        }
        return cls(scope, _framed(scope.user) if user else None, _key(scope) if user else None, needles)

    def found(self, column: str, value: Any, owner: Owner) -> Literal["user", "text"] | None:
        """What of it a column of a row holds."""
        packed = b"".join(_packed(value))
        if self.key and self.key.search(packed):
            return "user"
        if self.id and owner == "nobody" and self.id in packed and not _means_no_user(column, value):
            return "user"
        return "text" if any(needle in packed for needle in self.texts[owner]) else None


def _means_no_user(column: str, value: Any) -> bool:
    """A user may be called as a tenant is, or `user`."""
    return column == "tenant" or (column == "author" and value in _AUTHORS)


def _key(scope: Scope) -> re.Pattern[bytes]:
    """Not the end of another key: "a/b/" is no part of "aa/b/". What stands before it may be a length, as msgpack has it."""
    prefix = re.escape(thread_prefix(scope).encode())
    return re.compile(rb"(?:\xd9.|\xda..|\xdb....|(?<![\w.~%\-]))" + prefix, re.DOTALL)


def _needle(text: str, least: int) -> bytes:
    raw = text.encode()
    return raw if len(raw) >= least else _framed(text)


def _packed(value: Any) -> Iterator[bytes]:
    """Every text in a value, as msgpack has it: in bytes of a checkpoint it stands so already."""
    match value:
        case bytes() | bytearray() | memoryview():
            yield bytes(value)
        case str():
            yield _framed(value)
        case dict():
            for key, item in value.items():
                yield _framed(key)
                yield from _packed(item)
        case list():
            for item in value:
                yield from _packed(item)


def _framed(text: str) -> bytes:
    """The text as msgpack writes it: with its length before it, so that it is found where it is all that is said."""
    raw = text.encode()
    size = len(raw)
    if size < 32:
        return bytes([0xA0 | size]) + raw
    head, width = (b"\xd9", 1) if size < 1 << 8 else (b"\xda", 2) if size < 1 << 16 else (b"\xdb", 4)
    return head + size.to_bytes(width, "big") + raw

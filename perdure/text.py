"""Text that may be stored: checked once, at the door, so that nothing is half-written later."""

from __future__ import annotations

import unicodedata

from perdure.errors import InvalidText

MESSAGE_LIMIT = 100_000
"""Longest message, in characters."""
CONTENT_LIMIT = 8_000
"""Longest sentence of a fact, in characters."""
VALUE_LIMIT = 1_000
"""Longest value, attribute or subject, in characters."""
LABEL_LIMIT = 50
"""Longest label of a block of core memory, in characters."""


def check_text(text: str, what: str, *, limit: int = CONTENT_LIMIT) -> str:
    """Return `text` without surrounding white space; raise `InvalidText` if PostgreSQL or a reader could not use it."""
    if not isinstance(text, str):
        raise InvalidText(f"{what} is a {type(text).__name__}: give text")
    if "\x00" in text:
        raise InvalidText(f"{what} holds a NUL character at position {text.index(chr(0))}: remove it")
    for position, character in enumerate(text):
        if "\ud800" <= character <= "\udfff":
            raise InvalidText(f"{what} holds a lone surrogate at position {position}: it is not valid Unicode")
    if len(text) > limit:
        raise InvalidText(f"{what} has {len(text)} characters: at most {limit} are allowed")
    if not (stripped := text.strip()):
        raise InvalidText(f"{what} is empty: say something")
    return stripped


def normalise(text: str) -> str:
    """The form in which two values are compared: NFKC, case folded, single spaces, no closing punctuation."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(" .!?。！？…\"'“”‘’")

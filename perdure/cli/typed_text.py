"""Text that a person types as an argument, or pipes in."""

from __future__ import annotations

import sys

from perdure.errors import InvalidText
from perdure.text import CONTENT_LIMIT, check_text


def typed_text(text: str, what: str, *, limit: int = CONTENT_LIMIT) -> str:
    """The argument, or for `-` what stands on standard input. Raises `InvalidText` for what cannot be stored."""
    if text != "-":
        return check_text(text, what, limit=limit)
    piped = sys.stdin.read(limit + 1)
    if len(piped) > limit:
        raise InvalidText(f"{what} on standard input has more than {limit} characters: send less")
    return check_text(piped, f"{what} on standard input", limit=limit)

"""In which of the two languages something is written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the command line knows languages, and `--help` must not wait for LangChain
    from perdure.turn import Language

HANGUL_SHARE = 0.3
"""From this share of words holding Hangul on, a text is Korean: Korean text is full of Latin names and terms."""

_WORD = re.compile(r"[^\W\d_]+")
_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")


def detect_language(text: str) -> Language:
    """Korean if enough of the words hold Hangul, else English (also for text without any letter)."""
    words = hangul = 0
    for word in _WORD.finditer(text):
        words += 1
        hangul += bool(_HANGUL.search(word.group()))
    return "ko" if words and hangul / words >= HANGUL_SHARE else "en"

"""The script that a text is written in: vectors of texts in two scripts lie further apart than what they say."""

from __future__ import annotations

import re
from typing import Final

NONE: Final = 0
"""Of a text without letters."""
_KANA, _HAN, _UNSPACED = "\u3040-\u30ff", "\u3400-\u9fff", "\u0e00-\u0eff\u1000-\u109f\u1780-\u17d3"
_SCRIPTS: Final = (
    (r"\b[A-Za-z\u00c0-\u024f]+\b", 0.3),
    (r"[\w.]*[\uac00-\ud7a3]\b", 1.0),
    (f"[{_KANA}]", 1.0),
    (f"[{_HAN}]", 0.5),
    (r"[\u0400-\u052f]+", 1.0),
    (r"[\u0590-\u05ff]+", 1.0),
    (r"[\u0600-\u06ff]+", 1.0),
    (r"[\u0900-\u0dff]+", 1.0),
    (f"[{_UNSPACED}]", 0.25),
    (r"[\u0370-\u03ff]+", 1.0),
)
"""What is counted of each script, and how much that tells: words, or signs where words are not spaced. Names and terms in
Latin letters do not make a Korean sentence English, and some kana among many Han are Japanese. A script is stored as its
place in this list, counted from 1: new ones go at the end."""
_PATTERNS: Final = tuple((re.compile(pattern), weight) for pattern, weight in _SCRIPTS)
_LOOKED_AT: Final = 400
"""So many characters tell."""


def script_of(text: str) -> int:
    """The script of most of the text, as it is stored."""
    counts = [len(pattern.findall(text[:_LOOKED_AT])) * weight for pattern, weight in _PATTERNS]
    most = max(counts)
    return counts.index(most) + 1 if most else NONE

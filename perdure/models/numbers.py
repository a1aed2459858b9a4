"""The numbers in what a model words: they must be those of what it was given."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"\d+")
_COUNT = re.compile(
    r"\b(?:twice|thrice|(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|both|several|many)"
    r" (?:times|tries|attempts|tasks|successes|failures|out of|of (?:\d+|them|the)))\b|\d+ ?(?:%|percent)"
    r"|(?:\d+|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|몇) ?(?:번|차례|회|건)(?![가-힣]*호)|\d+ ?퍼센트",
    re.IGNORECASE,
)


def numbers_in(text: str) -> set[str]:
    """Runs of digits, without the zeros before them."""
    return {number.lstrip("0") or "0" for number in _NUMBER.findall(text)}


def counts_in(text: str) -> set[str]:
    """Words that tell how often something was: "twice", "3 of 4", “세 번”."""
    return {" ".join(count.lower().split()) for count in _COUNT.findall(text)}

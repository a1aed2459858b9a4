"""What one check of `perdure doctor` found, and if that is not well, what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from perdure.plain import Record


@dataclass(frozen=True, slots=True)
class Check(Record):
    name: str
    state: Literal["ok", "warn", "fail"]
    found: str
    advice: str = ""


def none_or(name: str, found: str, advice: str) -> Check:
    """A warning of what was found, or that there is none."""
    return Check(name, "warn", found, advice) if found else Check(name, "ok", "none")

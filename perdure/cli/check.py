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

"""Dates that other memories wrote."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from perdure.errors import InvalidTime
from perdure.time import check_instant


def instant_of(value: Any, what: str) -> datetime:
    """An ISO 8601 instant with an offset. Raises `InvalidTime` for anything else."""
    try:
        found = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise InvalidTime(f"{what} is no ISO 8601 instant") from None
    return check_instant(found, what)

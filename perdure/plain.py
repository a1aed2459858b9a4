"""Records as plain JSON: what crosses the state, the command line and the wire."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID


class Record:
    """Base of the frozen dataclasses that are read by others than Perdure."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        assert is_dataclass(self)
        return {field.name: plain(getattr(self, field.name)) for field in fields(self)}


def plain(value: Any) -> Any:
    """The same value as JSON knows it: ids and instants as text, tuples as lists, records as objects."""
    match value:
        case Record():
            return value.to_json()
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case datetime():
            return value.isoformat()
        case Enum():
            return value.value
        case UUID():
            return str(value)
        case _:
            return value

"""JSON that somebody else wrote: read strictly, and refused where a database could not hold it or a reader be misled."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import lru_cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from perdure.errors import InvalidInput
from perdure.moving.records import Json
from perdure.plain import Record

LINE_LIMIT = 8_000_000
"""Longest line, in bytes: the longest exchange with every character escaped is shorter."""
R = TypeVar("R", bound=Record)
T = TypeVar("T")


def json_object(line: bytes) -> Json:
    """The object on a line. Raises `InvalidInput` for anything else, and for text or numbers that cannot be stored."""
    if len(line) > LINE_LIMIT:
        raise InvalidInput(f"it is longer than {LINE_LIMIT} bytes")
    found = json_value(line)
    if not isinstance(found, dict):
        raise InvalidInput("it is JSON, but no object")
    return found


def json_value(text: bytes) -> Any:
    try:
        found = json.loads(text.decode("utf-8"))
        check_plain(found)
    except UnicodeDecodeError:
        raise InvalidInput("it is not UTF-8") from None
    except RecursionError:
        raise InvalidInput("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise InvalidInput(f"it is not JSON ({error.msg} at character {error.pos})") from None
    except InvalidInput:
        raise
    except ValueError:  # an integer of thousands of digits
        raise InvalidInput("it holds a number that is too long") from None
    return found


def record_of(cls: type[R], data: Mapping[str, Any]) -> R:
    """The record with exactly these fields, strictly typed. Raises `InvalidInput`, which never repeats a value."""
    known = {field.name: field for field in fields(cls)}  # type: ignore[arg-type]  # every Record is a dataclass
    required = {name for name, field in known.items() if field.default is MISSING}
    if missing := sorted(required - set(data)):
        raise InvalidInput(f"it has no {', '.join(missing)}")
    if unknown := sorted(set(data) - set(known)):
        raise InvalidInput(f"it has {len(unknown)} fields that are unknown here, such as {unknown[0][:40]!r}")
    return validated(cls, data)


def validated(cls: type[T], data: Any) -> T:
    """What is JSON, as this type, strictly."""
    try:
        found: T = _adapter(cast(Any, cls)).validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"][:3])) or "it"
        raise InvalidInput(f"{where}: {first['msg'].removeprefix('Value error, ')}") from None
    return found


@lru_cache
def _adapter(cls: Any) -> TypeAdapter[Any]:
    return TypeAdapter(cls)


def check_plain(value: Any) -> None:
    """Raise `InvalidInput` for text or numbers, at any depth, that cannot be stored."""
    match value:
        case dict():
            for key, item in value.items():
                check_plain(key)
                check_plain(item)
        case list():
            for item in value:
                check_plain(item)
        case str():
            if "\x00" in value:
                raise InvalidInput("it holds a NUL character")
            if any("\ud800" <= character <= "\udfff" for character in value):
                raise InvalidInput("it holds a lone surrogate, which is no valid Unicode")
        case float() if not math.isfinite(value):
            raise InvalidInput("it holds a number that is none, such as NaN")
        case _:
            pass

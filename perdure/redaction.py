"""Values without credentials: messages, state and whatever else is kept, as they may be kept."""

from __future__ import annotations

import copy
import dataclasses
from collections import deque
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any

from perdure.credentials import named_credential, redacted, secrets_in, without

NONE: Mapping[str, str] = {}
REMEMBERED_TEXTS = 2_048
"""A checkpoint holds every message of its thread again: what was looked at is not looked at again."""
LONGEST_REMEMBERED = 4_000
"""Characters."""
_NAMES = frozenset({"id", "thread", "message", "through", "tool_call_id", "target", "user", "tenant", "agent"})
"""What stands under these names identifies something: a code that happens to be the same is not repeated there."""


def secrets_of(value: Any) -> dict[str, str]:
    """The credentials that the strings in the value tell, and the mark of each."""
    return {secret: mark for text in _texts(value) for secret, mark in _secrets_in(text).items()}


def withheld(value: Any, secrets: Mapping[str, str] = NONE, name: str = "") -> Any:
    """The value with every credential in its strings redacted, and these secrets wherever they stand.

    The value itself is never changed: what has nothing to redact is given back, and the rest as a copy.
    """
    match value:
        case str():
            return value if isinstance(value, Enum) else _text(value, NONE if name in _NAMES else secrets)
        case None | bool() | int() | float() | bytes() | Enum() | type():
            return value
        case dict():
            return _mapping(value, secrets)
        case list() | tuple() | set() | frozenset() | deque():
            return _items(value, secrets, name)
        case BaseException():
            return _error(value, secrets)
        case _:
            return _object(value, secrets)


def _text(text: str, secrets: Mapping[str, str]) -> str:
    clean = _redacted(text) if len(text) <= LONGEST_REMEMBERED else redacted(text)
    clean = without(clean, secrets) if secrets else clean
    return text if clean == text else clean  # what is remembered may be an equal text, and not this one


_redacted = lru_cache(REMEMBERED_TEXTS)(redacted)


@lru_cache(REMEMBERED_TEXTS)
def _remembered_secrets(text: str) -> Mapping[str, str]:
    return secrets_in(text)


def forget_texts() -> None:
    """Forget what was looked at: texts are remembered in this process alone, but they are somebody's."""
    _redacted.cache_clear()
    _remembered_secrets.cache_clear()


def _secrets_in(text: str) -> Mapping[str, str]:
    return _remembered_secrets(text) if len(text) <= LONGEST_REMEMBERED else secrets_in(text)


def _mapping(value: dict[Any, Any], secrets: Mapping[str, str]) -> dict[Any, Any]:
    clean = {withheld(key, secrets): withheld(item, secrets, str(key)) for key, item in value.items()}
    for key, item, name in _named(value):
        if mark := named_credential(name, item):
            clean[key] = mark
    return value if _same(value, clean) else clean


def _named(value: Mapping[Any, Any]) -> Iterator[tuple[str, str, str]]:
    """The strings of a mapping that have a name: their key, or an attribute of which they are the value."""
    for key, item in value.items():
        if isinstance(key, str) and isinstance(item, str):
            attribute = value.get("attribute") if key == "value" else None
            yield key, item, attribute if isinstance(attribute, str) else key


def _items(value: Any, secrets: Mapping[str, str], name: str) -> Any:
    items = [withheld(item, secrets, name) for item in value]
    if all(new is old for new, old in zip(items, value, strict=True)):
        return value
    return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)


def _error(error: Any, secrets: Mapping[str, str]) -> Any:
    """An error is kept as the text that it shows."""
    clean = _text(repr(error), secrets)
    return error if clean == repr(error) else clean


def _object(value: Any, secrets: Mapping[str, str]) -> Any:
    fields = _fields(value)
    clean = _mapping(fields, secrets)
    if clean is fields:
        return value
    twin = copy.copy(value)
    for name, item in clean.items():
        if item is not fields[name]:
            object.__setattr__(twin, name, item)
    return twin


def _fields(value: Any) -> dict[str, Any]:
    """The attributes of a message, another model, or a dataclass with or without slots."""
    slots = [field.name for field in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
    extra = getattr(value, "__pydantic_extra__", None)
    return {
        **getattr(value, "__dict__", {}),
        **{name: getattr(value, name) for name in slots},
        **({"__pydantic_extra__": extra} if extra else {}),
    }


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case None | bool() | int() | float() | bytes() | Enum() | type() | BaseException():
            return
        case dict():
            for item in value.values():
                yield from _texts(item)
            yield from (f"{name}: {item}" for _, item, name in _named(value) if named_credential(name, item))
        case list() | tuple() | set() | frozenset() | deque():
            for item in value:
                yield from _texts(item)
        case _:
            yield from _texts(_fields(value))


def _same(old: Mapping[Any, Any], new: Mapping[Any, Any]) -> bool:
    return len(old) == len(new) and all(key in new and new[key] is item for key, item in old.items())

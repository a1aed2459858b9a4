"""The memory tools of one reply, as a model is offered them and calls them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pydantic import ValidationError

from perdure.context_block import flatten
from perdure.errors import DatabaseError, PerdureError
from perdure.facts import Operation
from perdure.tools import archival_memory, conversations, core_memory
from perdure.tools.arguments import TOOLS, definition
from perdure.tools.desk import MOST_NOTED, Desk
from perdure.turn import DECISION_SHOWN, SaveDecision

_DOING: dict[str, Callable[[Desk, Any], Awaitable[str]]] = {
    "core_memory_append": core_memory.append,
    "core_memory_replace": core_memory.replace,
    "archival_memory_insert": archival_memory.insert,
    "archival_memory_search": archival_memory.search,
    "conversation_search": conversations.search,
    "memory_end": archival_memory.end,
    "memory_correct": archival_memory.correct,
}

SEARCHES = frozenset({"archival_memory_search", "conversation_search"})


class MemoryTools:
    """Implements `ports.Tools`."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.refused: list[SaveDecision] = []
        """The changes that were asked for and cannot be: a person may wonder what became of them."""

    @property
    def definitions(self) -> list[dict[str, Any]]:
        return [definition(name) for name in TOOLS]

    @property
    def noted(self) -> list[Operation]:
        """The changes that the model has asked for."""
        return self._desk.noted

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """What the model is told: the outcome, or an error that it can act on.

        Raises `DatabaseError`, about which it can do nothing.
        """
        if name not in TOOLS:
            return _error(f"there is no tool {name[:50]!r}: use one of {', '.join(TOOLS)}")
        try:
            return await _DOING[name](self._desk, TOOLS[name].model_validate(dict(arguments)))
        except ValidationError as error:
            return _error(_readable(error))
        except DatabaseError:
            raise
        except PerdureError as error:
            if name not in SEARCHES and len(self.refused) < MOST_NOTED:
                self.refused.append(SaveDecision(_words(arguments), False, str(error)))
            return _error(str(error))


def _words(arguments: Mapping[str, Any]) -> str:
    """What the call is about: the user's words, else what was to be written."""
    told = (arguments.get(name) for name in ("quote", "content", "new_content", "old_content"))
    return flatten(str(next(filter(None, told), "")))[:DECISION_SHOWN]


def _error(why: str) -> str:
    return json.dumps({"error": why}, ensure_ascii=False)


def _readable(error: ValidationError) -> str:
    wrong = error.errors(include_input=False, include_url=False)
    return "; ".join(f"{'.'.join(map(str, one['loc'])) or 'the arguments'}: {one['msg']}" for one in wrong)

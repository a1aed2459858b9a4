"""What another memory holds, read an item at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from perdure.moving.records import Incoming, Json
from perdure.moving.untrusted import check_plain, json_object
from perdure.moving.versions import Item, statements_of


@dataclass(slots=True)
class ForeignItems:
    item_of: Callable[[Json], Item]
    """Raises `InvalidInput` for what is no item."""
    wants: Callable[[Sequence[str]], bool] = lambda _: True
    """Whether an item in this namespace is asked for."""
    _told: int = 0
    """Statements so far: their order is that of the items, where two are of one instant."""

    @property
    def begun(self) -> bool:
        return True

    async def records(self, found: bytes | Json) -> list[Incoming]:
        data = json_object(found) if isinstance(found, bytes) else found
        check_plain(data)
        if not self.wants(data.get("namespace") or ()):
            return []
        item = self.item_of(data)
        told = await statements_of(item, self._told)
        self._told += len(told)
        return [Incoming("statement", item.scope.user, statement) for statement in told]

    def finish(self) -> None:
        """Nothing tells that something is missing."""

"""Items of a LangGraph store (`BaseStore`), as memories: which field is the text, and whose they are.

From a file, each line is `Item.dict()`: ``namespace``, ``key``, ``value``, ``created_at``, ``updated_at``. A store overwrites:
an item holds from when it was last written, and what it said before is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from perdure.errors import InvalidInput
from perdure.moving.instants import instant_of
from perdure.moving.records import Json
from perdure.moving.versions import Item, Version
from perdure.scope import Scope

AUTHOR = "langgraph-store"
TEXTS = ("text", "content", "memory", "data")
"""The fields that hold the text, by custom; of several, the first."""
USER_LABEL = "{user}"


@dataclass(frozen=True, slots=True)
class StoreItems:
    """Which items are wanted, and how they are read.

    ``namespace`` is the beginning of their namespaces; a label `{user}` in it stands for any, and tells the user.
    ``field`` names the text, with dots into objects (`content.text`); empty: one of `TEXTS`, also within an object.
    """

    namespace: tuple[str, ...] = ()
    field: str = ""

    @property
    def prefix(self) -> tuple[str, ...]:
        """What the namespaces begin with for certain."""
        end = self.namespace.index(USER_LABEL) if USER_LABEL in self.namespace else len(self.namespace)
        return self.namespace[:end]

    def wants(self, namespace: Sequence[str]) -> bool:
        pairs = list(zip(self.namespace, namespace, strict=False))
        return len(pairs) == len(self.namespace) and all(label in (own, USER_LABEL) for label, own in pairs)

    def item_of(self, found: Json, default_user: str, tenant: str) -> Item:
        """Raises `InvalidInput` for what is no item, or has no text."""
        namespace, key, value = found.get("namespace"), found.get("key"), found.get("value")
        if not isinstance(namespace, list) or not all(isinstance(label, str) for label in namespace):
            raise InvalidInput("its namespace is no list of labels")
        if not isinstance(key, str) or not isinstance(value, dict):
            raise InvalidInput("it has no key, or its value is no object")
        user = namespace[self.namespace.index(USER_LABEL)] if USER_LABEL in self.namespace else default_user
        if not user:
            raise InvalidInput("nothing tells its user: name one, or put {user} in the namespace")
        text, others = self._text(value)
        return Item(
            scope=Scope(user=user, tenant=tenant),
            author=AUTHOR,
            name="/".join((*namespace, key)),
            versions=[Version(text, instant_of(found.get("updated_at") or found.get("created_at"), "its date"))],
            others=others | {"created_at": str(found.get("created_at"))},
        )

    def _text(self, value: Json) -> tuple[str, Json]:
        """The text, and what else the value holds."""
        for name in [self.field] if self.field else TEXTS:
            if text := _at(value, name.split(".")):
                return text, {other: kept for other, kept in value.items() if other != name}
            if not self.field and isinstance(value.get(name), dict):
                for inner in TEXTS:
                    if text := _at(value, [name, inner]):
                        left = {other: kept for other, kept in value[name].items() if other != inner}
                        return text, value | {name: left}
        wanted = self.field or ", ".join(TEXTS)
        raise InvalidInput(f"none of the fields of its value is a text called {wanted}: name one with --field")


def _at(value: Any, path: Sequence[str]) -> str:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) and value.strip() else ""

"""The recalled facts as a model sees them, and as its operations are held against them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from perdure.facts import USER
from perdure.text import normalise

Memory = Mapping[str, Any]
"""A recalled fact, as `Hit.to_json` gives it."""
NAMES = ("name", "name.preferred")
"""The attributes that say what the user is called."""


class Memories:
    """Under short ids, f1, f2, …: a model could only mistype a UUID."""

    def __init__(self, recalled: Iterable[Memory]) -> None:
        facts = [memory for memory in recalled if memory["source"] == "fact"]
        self.by_id = {f"f{number}": fact for number, fact in enumerate(facts, start=1)}
        self.subjects = {str(fact["subject"]) for fact in facts}

    def names(self) -> set[str]:
        """What the user is called, as names are compared."""
        told = (memory for name in NAMES for memory in self.live(USER, name))
        return {normalise(memory["value"]) for memory in told}

    def live(self, subject: str, attribute: str) -> list[Memory]:
        """Those of the subject and attribute that hold now."""
        of = normalise(subject), attribute
        return [m for m in self.by_id.values() if (normalise(m["subject"]), m["attribute"]) == of and not m["past"]]

    def same(self, subject: str, attribute: str, value: str, content: str) -> Memory | None:
        """The live one that says this already; a note says it by its sentence."""
        said = normalise(value if attribute else content)
        told = ((normalise(m["value"] if attribute else m["content"]), m) for m in self.live(subject, attribute))
        return next((memory for words, memory in told if said and words == said), None)

    def meant(self, subject: str, attribute: str, value: str) -> Memory | None:
        """The live one that is meant where no id is given: the one of this value, or the only one if none is given."""
        live = self.live(subject, attribute)
        if value.strip():
            live = [memory for memory in live if normalise(memory["value"]) == normalise(value)]
        return live[0] if len(live) == 1 else None

    def rivals(self, memory: Memory) -> list[Memory]:
        """The other live ones of the same subject and attribute."""
        return [other for other in self.live(memory["subject"], memory["attribute"]) if other is not memory]

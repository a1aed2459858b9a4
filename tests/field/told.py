"""What a good extraction model answers, as the JSON of its reply, and the facts of a user as a test compares them."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from perdure import Memory, Scope
from perdure.facts import Fact

ME = Scope(user="me")


def told(*operations: dict[str, Any]) -> str:
    return json.dumps({"operations": operations}, ensure_ascii=False)


def change(said: str, attribute: str = "", value: str = "", **more: Any) -> dict[str, Any]:
    """One operation, with the user's own sentence as its content and its evidence."""
    shape: dict[str, Any] = {"action": "assert", "target": "", "subject": "user", "cardinality": "one", "kind": "fact"}
    shape |= {"importance": 5, "confidence": 1.0, "valid_from": "", "valid_to": "", "should_save": True, "reason": ""}
    return {
        **shape,
        "attribute": attribute,
        "value": value,
        "content": said,
        "evidence": {"source": "user", "quote": said},
        **more,
    }


async def current(memory: Memory, attribute: str | None = None, as_of: datetime | None = None) -> list[str]:
    """The values that hold, or for notes the sentences."""
    return [worth(fact) for fact in await memory.facts.facts(ME, attribute=attribute, as_of=as_of)]


async def history(memory: Memory, attribute: str) -> list[tuple[str, datetime | None]]:
    """The values that held or hold, in order of time, and until when."""
    facts = await memory.facts.facts(ME, attribute=attribute, history=True)
    return [(worth(fact), fact.valid_to) for fact in sorted(facts, key=lambda fact: fact.valid_from)]


def worth(fact: Fact) -> str:
    return fact.value if fact.attribute else fact.content

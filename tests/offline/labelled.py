"""Labelled messages, and what an extraction made of them in the same form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from perdure.facts import PERDURE_NAMESPACE, Operation
from perdure.language import detect_language
from perdure.text import normalise
from perdure.turn import Turn

AT = datetime(2026, 10, 15, 9, tzinfo=UTC)
"""When every labelled message was sent: a Thursday."""


@dataclass(frozen=True, slots=True)
class Case:
    """A message, what is recalled (as hits), and the operations that it must lead to, and no others."""

    text: str
    recalled: tuple[Mapping[str, Any], ...]
    expect: tuple[Mapping[str, Any], ...]

    @property
    def turn(self) -> Turn:
        return Turn("message-1", self.text, "", AT, detect_language(self.text))


def read_cases(name: str) -> list[Case]:
    cases = json.loads((Path(__file__).parent / "cases" / f"{name}.json").read_text(encoding="utf-8"))
    return [
        Case(
            case["text"],
            tuple(recalled_hit(number, **hit) for number, hit in enumerate(case.get("recalled", ()))),
            tuple(case["expect"]),
        )
        for case in cases
    ]


def recalled_hit(number: int, attribute: str, value: str, content: str, **more: Any) -> dict[str, Any]:
    """A fact as `Hit.to_json` gives it; its id follows from its number."""
    hit = {
        "id": str(hit_id(number)),
        "source": "fact",
        "kind": "fact",
        "subject": "user",
        "importance": 5,
        "past": False,
        "valid_from": "2020-01-01T00:00:00+00:00",
        "recorded_at": "2026-10-01T00:00:00+00:00",
        "thread": "earlier",
        "message": f"said-{number}",
    }
    return {**hit, "attribute": attribute, "value": value, "content": content, **more}


def hit_id(number: int) -> UUID:
    return uuid5(PERDURE_NAMESPACE, f"hit {number}")


def differences(expected: tuple[Mapping[str, Any], ...], operations: tuple[Operation, ...]) -> list[str]:
    """What is missing and what is too much, each in words; empty if the operations are the labelled ones."""
    left = list(operations)
    missing = []
    for label in expected:
        match = next((operation for operation in left if _is(label, operation)), None)
        if match:
            left.remove(match)
        else:
            missing.append(f"missing {dict(label)}")
    return missing + [f"too much {_shown(operation)}" for operation in left]


def _is(label: Mapping[str, Any], operation: Operation) -> bool:
    values = [normalise(value) for value in label.get("value", "").split("|")]
    return (
        operation.action == label.get("action", "assert")
        and operation.attribute == label["attribute"]
        and normalise(operation.value) in values
        and operation.subject == label.get("subject", "user")
        and _day(operation.valid_from) == label.get("from")
        and _day(operation.valid_to) == label.get("to")
        and ("target" not in label or operation.target == hit_id(label["target"]))
    )


def _day(instant: datetime | None) -> str | None:
    return instant.isoformat().removesuffix("T00:00:00+00:00") if instant else None


def _shown(operation: Operation) -> dict[str, Any]:
    shown = operation.model_dump(mode="json", include={"action", "subject", "attribute", "value"})
    return {**shown, "from": _day(operation.valid_from), "to": _day(operation.valid_to), "target": operation.target}

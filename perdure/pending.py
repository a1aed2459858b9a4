"""Questions about memory writes that wait for a person, until they lapse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from perdure.errors import InvalidInput
from perdure.plain import Record

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pending(Record):
    """A thread that waits for a person. ``requests`` are the action requests of its interrupt, in order."""

    thread: str
    requests: Sequence[Json]
    asked_at: datetime
    expires_at: datetime | None
    """From then on the question lapses without effect; None if it waits for ever."""


def requests_of(questions: Iterable[Any]) -> list[Json]:
    """The changes of memory that the values of interrupts ask about; interrupts of other graphs ask about none."""
    asked = (question.get("action_requests", ()) for question in questions if isinstance(question, Mapping))
    return [request for requests in asked for request in requests]


def check_fitted(questions: Iterable[Any]) -> None:
    """Raise `InvalidInput` if decisions did not fit, and their question is asked again."""
    for question in questions:
        if isinstance(question, Mapping) and (error := question.get("error")):
            raise InvalidInput(error)


def expiry_of(questions: Sequence[Any]) -> datetime | None:
    """When the last of them lapses; None if one waits for ever."""
    told = [
        question["expires_at"] for question in questions if isinstance(question, Mapping) and "expires_at" in question
    ]
    return max(map(datetime.fromisoformat, told), default=None) if len(told) == len(questions) else None


def waits(questions: Sequence[Any], now: datetime) -> bool:
    """Whether there is a question that a person can still decide."""
    expiry = expiry_of(questions)
    return bool(questions) and (expiry is None or now < expiry)

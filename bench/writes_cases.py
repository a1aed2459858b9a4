"""The labelled messages of `bench/labelled`: what is said first, what is said next, and what memory must make of it."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from perdure.facts import USER, Action

FOLDER = Path(__file__).parent / "labelled"
HOUR = time(9, tzinfo=UTC)
"""When on its day every message was sent."""


class Label(StrEnum):
    """What the last message of a case does to what was said before."""

    SUPERSEDE = "supersede"
    MERGE = "merge"
    CORRECT = "correct"
    SEPARATE = "separate"
    END = "end"
    NOTHING = "nothing"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Labelled(_Strict):
    """An operation that a good extraction of the message gives."""

    action: Action = Action.ASSERT
    attribute: str
    """Empty for a note."""
    value: str
    spellings: tuple[str, ...] = Field(default=(), alias="or")
    since: date | None = Field(default=None, alias="from")
    subject: str = USER
    subjects: tuple[str, ...] = Field(default=(), alias="or_subject")
    many: bool = False
    """The attribute, which is not one of the vocabulary, holds any number of values."""
    named: str = ""
    """What a model may call the attribute."""
    optional: bool = False
    """May be left out: what the message says of others, or by the way."""

    @property
    def values(self) -> tuple[str, ...]:
        return (self.value, *self.spellings)

    @property
    def starts(self) -> datetime | None:
        """The instant since when it holds, if that was said."""
        return datetime.combine(self.since, time(tzinfo=UTC)) if self.since else None

    @property
    def ends(self) -> bool:
        return self.action is Action.END


class Quoted(_Strict):
    """A message of a data set, by its file under the data folder and its id there."""

    file: str
    id: str


class Message(_Strict):
    at: date
    said: str = ""
    quoted: Quoted | None = None
    operations: tuple[Labelled, ...]

    @property
    def sent_at(self) -> datetime:
        return datetime.combine(self.at, HOUR)


@dataclass(frozen=True, slots=True)
class Told:
    """A labelled operation, and the number of the message that asks for it."""

    turn: int
    label: Labelled

    @property
    def about(self) -> tuple[str, str]:
        return self.label.subject, self.label.attribute


class Case(_Strict):
    id: str
    language: Literal["ko", "en"]
    label: Label
    messages: tuple[Message, ...] = Field(min_length=2)

    @property
    def half(self) -> Literal["development", "held-out"]:
        return "held-out" if hashlib.sha256(self.id.encode()).digest()[0] % 2 else "development"

    @property
    def last(self) -> Message:
        return self.messages[-1]

    @property
    def told(self) -> list[Told]:
        return [Told(turn, one) for turn, message in enumerate(self.messages) for one in message.operations]

    @property
    def known(self) -> list[Told]:
        """What was told before the last message."""
        return [told for told in self.told if told.turn < len(self.messages) - 1]

    def pair(self) -> tuple[Told, Told | None]:
        """What was known and is talked of again, and what is said of it now."""
        known, ends = self.known, self.label is Label.END
        new = next((told for told in self.told[len(known) :] if told.label.ends == ends), None)
        if new is None:
            return known[0], None
        about = [told for told in known if told.about == new.about]
        same = [told for told in about if set(told.label.values) & set(new.label.values)]
        return (same or about[::-1] or known)[0], new


@dataclass(frozen=True, slots=True)
class Reading:
    """The cases that can be run, and the files of data sets without which others cannot."""

    cases: tuple[Case, ...]
    missing: dict[str, int] = field(default_factory=dict)
    """Cases left out, by file."""

    def chosen(self, limit: int | None, seed: int) -> tuple[Case, ...]:
        """All cases, or so many of them, drawn by the seed."""
        if limit is None or limit >= len(self.cases):
            return self.cases
        return tuple(random.Random(seed).sample(self.cases, limit))


def read_cases(data: Path, folder: Path = FOLDER) -> Reading:
    """All labelled cases with their texts; those that quote a file which is not in `data` are left out and counted."""
    cases: list[Case] = []
    missing: dict[str, int] = {}
    for case in _labelled(folder):
        absent = [m.quoted.file for m in case.messages if m.quoted and not (data / m.quoted.file).is_file()]
        if absent:
            missing[absent[0]] = missing.get(absent[0], 0) + 1
        else:
            messages = tuple(_with_text(message, data) for message in case.messages)
            cases.append(case.model_copy(update={"messages": messages}))
    return Reading(tuple(cases), missing)


def _labelled(folder: Path) -> Iterator[Case]:
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield Case.model_validate_json(line)


def _with_text(message: Message, data: Path) -> Message:
    if message.quoted is None:
        return message
    return message.model_copy(update={"said": _texts(data / message.quoted.file)[message.quoted.id]})


@cache
def _texts(path: Path) -> dict[str, str]:
    """The messages of a data set by id."""
    text = path.read_text(encoding="utf-8")
    records: list[dict[str, Any]] = (
        [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else json.loads(text)
    )
    ids, contents = ("id", "_id", "message_id"), ("utterance", "content")
    return {
        str(next(record[name] for name in ids if name in record)): str(
            next(record[name] for name in contents if name in record)
        )
        for record in records
        if any(name in record for name in contents)
    }

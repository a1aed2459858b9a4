"""What the nodes of the consolidation work with, as types."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from perdure.alike import Group, Neighbours
from perdure.merging import Merging
from perdure.ports import Vector
from perdure.scope import Scope
from perdure.turn import Language, Usage


@dataclass(frozen=True, slots=True)
class Worded:
    """A model's answer: whether all sentences say the same, and one that says it; and what the call has cost."""

    same: bool
    sentence: str
    usage: Usage | None


class Wording(Protocol):
    async def word(self, sentences: Sequence[str], language: Language, *, model: str = "") -> Worded:
        """One sentence for all of them. Raises `ModelUnavailable`, or `ModelReplyInvalid` for an unusable answer."""
        ...


class ConsolidationStore(Protocol):
    async def neighbours(self, scope: Scope, after: UUID, similarity: float) -> Neighbours: ...

    async def apart(self, scope: Scope) -> Sequence[Collection[UUID]]: ...

    async def merge(self, scope: Scope, group: Group, sentence: str, vectors: Mapping[str, Vector]) -> Merging: ...

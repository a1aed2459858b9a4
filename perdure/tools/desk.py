"""What the tools of one reply work on: the memory as the model sees it, and the changes that it has asked for so far.

Nothing is written here. What is noted goes the way of every write: policy, review, reconciliation, one transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from uuid import UUID

from perdure.core import Block
from perdure.errors import InvalidInput
from perdure.facts import Operation
from perdure.layer import MemoryLayer
from perdure.policy import Policy, RunPolicy
from perdure.prompts.extract import ExtractedOperation
from perdure.recall import Hit
from perdure.scope import Scope
from perdure.turn import AttributeUse, Language, Turn
from perdure.when import Edge, parse_when

MOST_NOTED = 50
"""Changes that one reply may ask for: a model that repeats itself must not fill the memory."""


@dataclass(slots=True)
class Desk:
    """One reply's. Moments are in the user's time zone."""

    memory: MemoryLayer
    scope: Scope
    policy: Policy
    run: RunPolicy
    language: Language
    at: datetime
    zone: tzinfo
    said: Sequence[str]
    """What the user has said in this conversation, as far as it stands in the prompt."""
    as_of: datetime | None
    as_known_at: datetime | None
    attributes: Sequence[AttributeUse]
    blocks: dict[str, Block]
    facts: dict[UUID, Hit] = field(default_factory=dict)
    """The facts that the model has been shown."""
    noted: list[Operation] = field(default_factory=list)

    def show(self, hits: Iterable[Hit]) -> None:
        self.facts |= {hit.id: hit for hit in hits if hit.source == "fact"}

    def fact(self, name: str) -> Hit:
        """The fact of this id, or of this beginning of one, among those that were shown. Raises `InvalidInput`.

        What was believed at another moment is no target of a change that is told now.
        """
        if self.as_known_at:
            raise InvalidInput("you are shown what was believed earlier: it can only be changed when asked about now")
        found = [hit for identity, hit in self.facts.items() if str(identity).startswith(name.strip().lower())]
        if len(found) != 1:
            what = "several memories" if found else "no memory that you have been shown"
            raise InvalidInput(f"{what} has the id {name[:40]!r}: search for it, and copy its id")
        return found[0]

    def moment(self, text: str, edge: Edge = "start") -> datetime | None:
        """Raises `InvalidTime` for what is no date."""
        return parse_when(text, self.at, edge=edge) if text.strip() else None

    async def told(self, asked: ExtractedOperation, own: Operation, fact: Hit | None = None) -> bool:
        """Take down a change (of this fact) as far as the user's words bear it out; else as the model's ``own``.

        Returns and raises as `note`.
        """
        if not asked.evidence.quote.strip():
            return await self.note(own)
        others = [hit for hit in self.facts.values() if hit != fact]
        candidate = asked.model_copy(update={"target": "f1"}) if fact else asked
        try:
            operation = await self.memory.ground(
                self.scope, candidate, self._turns(), [fact, *others] if fact else others, self.attributes
            )
        except InvalidInput as objection:
            return await self.note(own, f" ({objection})")
        return await self.note(operation)

    def _turns(self) -> list[Turn]:
        return [Turn("", text, "", self.at, self.language) for text in self.said]

    async def note(self, operation: Operation, objection: str = "") -> bool:
        """Take down a change; whether it is in force with this turn, or a person will be asked first.

        Raises `InvalidInput` for one that cannot be, is not wanted by the policy, or has been asked for before.
        """
        if len(self.noted) >= MOST_NOTED:
            raise InvalidInput(f"{MOST_NOTED} changes have been asked for in this reply: answer the user now")
        (staged,) = (await self.memory.stage(self.scope, [operation], self.policy, self.run)).staged
        if staged.ruling.verdict == "drop":
            raise InvalidInput(f"this is not kept: {staged.ruling.why}{objection}")
        if operation in self.noted:
            raise InvalidInput("you have asked for exactly this already")
        self.noted.append(operation)
        return staged.ruling.verdict == "apply"

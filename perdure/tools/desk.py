"""What the tools of one reply work on: the memory as the model sees it, and the changes that it has asked for so far.

Nothing is written here. What is noted goes the way of every write: policy, review, reconciliation, one transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from uuid import UUID

from perdure.core import Block
from perdure.coverage import Source as Words
from perdure.coverage import words_of
from perdure.errors import InvalidInput
from perdure.facts import Operation, Trust
from perdure.layer import MemoryLayer
from perdure.policy import Policy, RunPolicy
from perdure.recall import Hit
from perdure.scope import Scope
from perdure.text import normalise
from perdure.turn import AttributeUse, Language
from perdure.when import Edge, parse_when

MOST_NOTED = 50
"""Changes that one reply may ask for: a model that repeats itself must not fill the memory."""
HALF = 0.5
"""Share of a sentence's words that the user must have said, for it to be the user's: a sentence about somebody has a
few words more than what that person says. Of names and numbers all must have been said."""


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
        """The fact of this id, or of this beginning of one, among those that were shown. Raises `InvalidInput`."""
        found = [hit for identity, hit in self.facts.items() if str(identity).startswith(name.strip().lower())]
        if len(found) != 1:
            what = "several memories" if found else "no memory that you have been shown"
            raise InvalidInput(f"{what} has the id {name[:40]!r}: search for it, and copy its id")
        return found[0]

    def moment(self, text: str, edge: Edge = "start") -> datetime | None:
        """Raises `InvalidTime` for what is no date."""
        return parse_when(text, self.at, edge=edge) if text.strip() else None

    def trust_in(self, quote: str, told: str = "") -> Trust:
        """The user's, if the quoted words are the user's and bear out what is told by them; else the assistant's own."""
        words = normalise(quote)
        if not words or not any(words in normalise(text) for text in self.said):
            return Trust.ASSISTANT
        return Trust.USER if _borne_out(told, quote) else Trust.ASSISTANT

    async def note(self, operation: Operation) -> bool:
        """Take down a change; whether it is in force with this turn, or a person will be asked first.

        Raises `InvalidInput` for one that cannot be, is not wanted by the policy, or has been asked for before.
        """
        if len(self.noted) >= MOST_NOTED:
            raise InvalidInput(f"{MOST_NOTED} changes have been asked for in this reply: answer the user now")
        (staged,) = (await self.memory.stage(self.scope, [operation], self.policy, self.run)).staged
        if staged.ruling.verdict == "drop":
            raise InvalidInput(f"this is not kept: {staged.ruling.why}")
        if operation in self.noted:
            raise InvalidInput("you have asked for exactly this already")
        self.noted.append(operation)
        return staged.ruling.verdict == "apply"


def _borne_out(told: str, quote: str) -> bool:
    source, words = Words(quote), words_of(told)
    missing = [word for word in words if not source.holds(word)]
    named = any(word[0].isdigit() or word[0].isupper() for word in missing)
    return not named and len(missing) <= HALF * len(words)

"""The operations of a turn on their way to the store: which are applied, which wait for a person, which are dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from perdure.attributes import Vocabulary
from perdure.errors import InvalidInput
from perdure.facts import Action, Operation, Receipt
from perdure.operations import checked
from perdure.policy import Policy, Ruling, RunPolicy


@dataclass(frozen=True, slots=True)
class Staged:
    """One operation, and what has been decided about it so far."""

    operation: Operation
    ruling: Ruling
    refused: bool = False
    """Nobody who was asked about it agreed."""


@dataclass(frozen=True, slots=True)
class Stage:
    """All operations of a turn, in order. Nothing of them is written yet."""

    staged: tuple[Staged, ...]

    @property
    def asked(self) -> list[Staged]:
        return [one for one in self.staged if one.ruling.verdict == "ask"]

    @property
    def operations(self) -> list[Operation]:
        """Those that are to be written."""
        return [one.operation for one in self.staged if one.ruling.verdict == "apply"]

    @property
    def withheld(self) -> list[Operation]:
        """What was told of which nothing may be kept: refused, or delicate and dropped."""
        dropped = [one for one in self.staged if one.ruling.verdict == "drop"]
        wanted = [one.operation for one in dropped if one.refused or one.ruling.sensitivity]
        return [operation for operation in wanted if operation.action not in {Action.END, Action.RETRACT}]

    def settled(self, decisions: Sequence[Operation | str]) -> Stage:
        """With those of `asked` decided, in order: what to write instead, or why it is dropped."""
        remaining = iter(decisions)
        decided = (_settled(one, next(remaining)) if one.ruling.verdict == "ask" else one for one in self.staged)
        return Stage(tuple(decided))

    def receipts(self, written: Sequence[Receipt]) -> list[Receipt]:
        """A receipt for each, in order, given those of `operations`."""
        remaining = iter(written)
        receipts = (next(remaining) if one.ruling.verdict == "apply" else _dropped(one) for one in self.staged)
        return [
            replace(receipt, attribute=one.operation.attribute)
            for one, receipt in zip(self.staged, receipts, strict=True)
        ]


def stage(operations: Sequence[Operation], vocabulary: Vocabulary, policy: Policy, run: RunPolicy) -> Stage:
    """What the policy makes of the operations; one that cannot be stored is dropped and does not cost the others."""
    policy = policy.by_names_of(vocabulary)
    return Stage(tuple(_staged(operation, vocabulary, policy, run) for operation in operations))


def _staged(operation: Operation, vocabulary: Vocabulary, policy: Policy, run: RunPolicy) -> Staged:
    try:
        operation = checked(operation, vocabulary)
    except InvalidInput as error:
        return Staged(operation, Ruling("drop", str(error)))
    return Staged(operation, policy.ruling(operation, run))


def _settled(one: Staged, decision: Operation | str) -> Staged:
    if isinstance(decision, str):
        return replace(one, ruling=replace(one.ruling, verdict="drop", why=decision), refused=True)
    return Staged(decision, replace(one.ruling, verdict="apply"))


def _dropped(one: Staged) -> Receipt:
    return Receipt(one.operation.action, "dropped", one.ruling.why)

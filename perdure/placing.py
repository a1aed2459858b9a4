"""Where a value is written: in its own slot, unless it is another saying of a value that is known."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from perdure.facts import USER, Action, Fact, Operation
from perdure.operations import slot_in, value_in
from perdure.sameness import difference, likeness
from perdure.scope import Scope
from perdure.slots import Slots
from perdure.text import normalise


@dataclass(frozen=True, slots=True)
class Place:
    """The slot, and the spelling in which the value is written; ``said`` is the speaker's own, where it differs."""

    slot: UUID
    value: str
    said: str = ""


def place(scope: Scope, operation: Operation, slots: Slots) -> Place:
    """The place of a checked operation's value among what is loaded of the same subject and attribute."""
    value = value_in(operation)
    own = Place(slot_in(scope, operation), value)
    if operation.apart or not value:
        return own
    known = list(slots.alike(scope.agent, likeness(operation.subject, operation.attribute, value)))
    if any(normalise(fact.value) == normalise(value) for fact in known):
        return own
    alike = next((fact for fact in known if difference(fact.value, value) is None), None)
    return Place(alike.slot, alike.value, said=value) if alike else own


def contradiction(operation: Operation, target: Fact) -> str:
    """Why it cannot be the target that it confirms, ends or retracts: it names something else; empty if it can.

    A confirmation says all of what it confirms; an end or a retraction may leave it to the id, and so names the user
    where it names nobody.
    """
    if operation.action not in {Action.CONFIRM, Action.END, Action.RETRACT}:
        return ""
    whole = operation.action is Action.CONFIRM
    value = value_in(operation) if whole else operation.value
    if (whole or operation.attribute) and operation.attribute != target.attribute:
        return f"the fact {target.id} is about another attribute"
    if (whole or operation.subject != USER) and normalise(operation.subject) != normalise(target.subject):
        return f"the fact {target.id} is about somebody else"
    if value and difference(value, target.value) is not None:
        return f"the fact {target.id} has another value"
    return ""


def may_supersede(operation: Operation, target: Fact) -> bool:
    """Only what is said of the same thing supersedes by id; and a note may be told anew under an attribute."""
    same = normalise(operation.subject) == normalise(target.subject)
    return same and target.attribute in {operation.attribute, ""}

"""Memory writes that wait for a person, in the format of LangChain's human-in-the-loop middleware (`HITLRequest` and
`HITLResponse`): action requests and review configurations out, decisions back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from perdure.errors import InvalidInput
from perdure.facts import USER, Operation
from perdure.operations import checked
from perdure.staging import Staged
from perdure.text import normalise

ACTION = "memory_write"
LAPSED = "nobody decided in time: the question lapsed"
REJECTED = "a person rejected it"
_NOT_SHOWN = {"approved_by", "apart", "sensitivity", "expected_version"}
_NOT_EDITED = _NOT_SHOWN | {"trust", "evidence", "target"}
"""Where a memory comes from, and which one it replaces, is not for an edit to say."""


class EditedAction(BaseModel):
    name: str = ACTION
    args: dict[str, Any]


class Decision(BaseModel):
    model_config = ConfigDict(extra="forbid")

    type: str = Field(pattern="^(approve|edit|reject)$")
    edited_action: EditedAction | None = None
    message: str = ""


class Decisions(BaseModel):
    decisions: list[Decision]


@dataclass(frozen=True, slots=True)
class Review:
    """The operations of a turn that a person is asked about, until the question lapses."""

    asked: Sequence[Staged]
    expires_at: datetime
    zone: tzinfo = UTC
    """Of whom is asked: days are shown in it."""

    def request(self) -> dict[str, Any]:
        """What the interrupt asks: one action request per operation."""
        return {
            "action_requests": [
                {"name": ACTION, "args": _args(one.operation), "description": _description(one, self.zone)}
                for one in self.asked
            ],
            "review_configs": [{"action_name": ACTION, "allowed_decisions": ["approve", "edit", "reject"]}],
            "expires_at": self.expires_at.isoformat(),
        }

    def decided(self, answer: Any, reviewer: str, agent: str = "") -> list[Operation | str]:
        """For each operation what to write instead, itself or the edited one; or why it is dropped.

        Raises `InvalidInput` for decisions that do not fit, so that the interrupt stays open; edits are validated like
        any other operation, and no agent, that of the turn in particular, decides about its own writes.
        """
        if normalise(reviewer) in {"agent", "assistant", normalise(agent)} - {""}:
            raise InvalidInput("an agent cannot decide about its own writes: let a person do so")
        try:
            decisions = Decisions.model_validate(answer).decisions
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            raise InvalidInput(f"the decisions cannot be read: {reason}; nothing was written") from None
        if len(decisions) != len(self.asked):
            count = f"{len(decisions)} decisions for {len(self.asked)} operations"
            raise InvalidInput(f"{count}: give one for each, in order")
        pairs = zip(self.asked, decisions, strict=True)
        return [_decide(one.operation, decision, reviewer or USER) for one, decision in pairs]


def _decide(operation: Operation, decision: Decision, reviewer: str) -> Operation | str:
    match decision.type:
        case "reject":
            return REJECTED
        case "edit":
            operation = _edited(operation, decision.edited_action)
    return operation.model_copy(update={"approved_by": reviewer})


def _edited(operation: Operation, edited: EditedAction | None) -> Operation:
    if edited is None:
        raise InvalidInput("an edit without edited_action: give the arguments that change")
    shown = _args(operation)
    if fixed := sorted(name for name in _NOT_EDITED & edited.args.keys() if edited.args[name] != shown.get(name)):
        raise InvalidInput(f"an edit cannot change {', '.join(fixed)}: reject it instead")
    kept = operation.model_dump(mode="json", include=_NOT_EDITED, exclude={"approved_by"})
    try:
        return checked(Operation.model_validate({**shown, **edited.args, **kept}))
    except ValidationError as error:
        raise InvalidInput(f"the edited operation is not one: {error.errors()[0]['msg']}") from None


def _args(operation: Operation) -> Mapping[str, Any]:
    shown = operation.model_dump(mode="json", exclude_defaults=True, exclude=_NOT_SHOWN)
    return shown | {"action": operation.action.value}


def _description(one: Staged, zone: tzinfo) -> str:
    operation = one.operation
    what = operation.content or f"{operation.attribute} {operation.value}".strip()
    since = f" since {operation.valid_from.astimezone(zone).date().isoformat()}" if operation.valid_from else ""
    return f"{operation.action.value}{since}: {what} ({one.ruling.why})"

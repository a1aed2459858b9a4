"""Memory writes that wait for a person, in the format of LangChain's human-in-the-loop middleware (`HITLRequest` and
`HITLResponse`): action requests and review configurations out, decisions back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from perdure.errors import InvalidInput
from perdure.facts import Operation
from perdure.operations import checked

ACTION = "memory_write"


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


def review_request(operations: Sequence[Operation]) -> dict[str, Any]:
    """What the interrupt asks: one action request per operation."""
    return {
        "action_requests": [
            {"name": ACTION, "args": _args(operation), "description": _description(operation)}
            for operation in operations
        ],
        "review_configs": [{"action_name": ACTION, "allowed_decisions": ["approve", "edit", "reject"]}],
    }


def decided(operations: Sequence[Operation], answer: Any) -> list[Operation | None]:
    """For each operation what to write instead: itself, the edited one, or None where it was rejected.

    Raises `InvalidInput` for decisions that do not fit, so that the interrupt stays open; edits are validated like
    any other operation.
    """
    try:
        decisions = Decisions.model_validate(answer).decisions
    except ValidationError as error:
        raise InvalidInput(f"the decisions cannot be read: {error.errors()[0]['msg']}; nothing was written") from None
    if len(decisions) != len(operations):
        raise InvalidInput(f"{len(decisions)} decisions for {len(operations)} operations: give one for each, in order")
    return [_decide(operation, decision) for operation, decision in zip(operations, decisions, strict=True)]


def _decide(operation: Operation, decision: Decision) -> Operation | None:
    match decision.type:
        case "approve":
            return operation
        case "reject":
            return None
    if decision.edited_action is None:
        raise InvalidInput("an edit without edited_action: give the arguments that change")
    try:
        return checked(Operation.model_validate({**_args(operation), **decision.edited_action.args}))
    except ValidationError as error:
        raise InvalidInput(f"the edited operation is not one: {error.errors()[0]['msg']}") from None


def _args(operation: Operation) -> Mapping[str, Any]:
    return operation.model_dump(mode="json", exclude_defaults=True) | {"action": operation.action.value}


def _description(operation: Operation) -> str:
    what = operation.content or f"{operation.attribute} {operation.value}".strip()
    since = f" since {operation.valid_from.date().isoformat()}" if operation.valid_from else ""
    return f"{operation.action.value}{since}: {what}"

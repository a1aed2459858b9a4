"""Memory writes that wait for a person, in the format of LangChain's human-in-the-loop middleware (`HITLRequest` and
`HITLResponse`): action requests and review configurations out, decisions back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from perdure.errors import InvalidInput
from perdure.facts import CORE_EDITS, USER, Operation
from perdure.operations import checked
from perdure.staging import Staged
from perdure.text import normalise
from perdure.time import day_start

ACTION = "memory_write"
LAPSED = "nobody decided in time: the question lapsed"
REJECTED = "a person rejected it"
_NOT_SHOWN = {"approved_by", "apart", "sensitivity", "expected_version"}
_NOT_EDITED = _NOT_SHOWN | {"trust", "evidence", "target"}
"""Where a memory comes from, and which one it replaces, is not for an edit to say."""
_TERM = {"valid_from", "valid_to"}
_LEFT_OPEN = _TERM | {"cardinality"}


class EditedAction(BaseModel):
    name: str = ACTION
    args: dict[str, Any]


class Decision(BaseModel):
    model_config = ConfigDict(extra="forbid")

    type: str = Field(pattern="^(approve|edit|reject)$")
    edited_action: EditedAction | None = None
    message: str | None = None


class Decisions(BaseModel):
    decisions: list[Decision]


@dataclass(frozen=True, slots=True)
class Review:
    """The operations of a turn that a person is asked about, until the question lapses."""

    asked: Sequence[Staged]
    expires_at: datetime
    zone: tzinfo = UTC
    """Of whom is asked: days are shown in it."""

    def request(self, error: str = "") -> dict[str, Any]:
        """What the interrupt asks: one action request per operation; and why decisions were not taken, if any were.

        Interfaces show the description and know no other place for the reason.
        """
        request: dict[str, Any] = {
            "action_requests": [
                {
                    "name": ACTION,
                    "args": _args(one.operation, self.zone),
                    "description": _description(one, self.zone, error),
                }
                for one in self.asked
            ],
            "review_configs": [{"action_name": ACTION, "allowed_decisions": ["approve", "edit", "reject"]}],
            "expires_at": self.expires_at.isoformat(),
        }
        return request | {"error": error} if error else request

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
        pairs = enumerate(zip(self.asked, decisions, strict=True), 1)
        return [
            _decided(number, one.operation, decision, reviewer or USER, self.zone) for number, (one, decision) in pairs
        ]


def _decided(number: int, operation: Operation, decision: Decision, reviewer: str, zone: tzinfo) -> Operation | str:
    try:
        return _decide(operation, decision, reviewer, zone)
    except InvalidInput as error:
        raise type(error)(f"change {number}: {error}") from None


def _decide(operation: Operation, decision: Decision, reviewer: str, zone: tzinfo) -> Operation | str:
    match decision.type:
        case "reject":
            return REJECTED
        case "edit":
            operation = _edited(operation, decision.edited_action, zone)
    return operation.model_copy(update={"approved_by": reviewer})


def _edited(operation: Operation, edited: EditedAction | None, zone: tzinfo) -> Operation:
    if edited is None:
        raise InvalidInput("an edit without edited_action: give the arguments that change")
    shown = _args(operation, zone)
    if fixed := sorted(name for name in _NOT_EDITED & edited.args.keys() if edited.args[name] != shown.get(name)):
        raise InvalidInput(f"an edit cannot change {', '.join(fixed)}: reject it instead")
    if shown.get("value") and not str(edited.args.get("value", "it stays")).strip():
        raise InvalidInput("an edit cannot leave the value empty: reject it instead")
    kept = operation.model_dump(mode="json", include=_NOT_EDITED, exclude={"approved_by"})
    try:
        wanted = Operation.model_validate({**shown, **_typed(edited.args, zone), **kept})
    except ValidationError as error:
        wrong = error.errors()[0]
        field = "".join(f"{name}: " for name in wrong["loc"])
        raise InvalidInput(f"the edited operation is not one: {field}{wrong['msg']}") from None
    return checked(_saying_so(wanted, operation))


def _saying_so(edited: Operation, before: Operation) -> Operation:
    """With another value but the same sentence, the sentence is made to say the value: it is what answers draw on.

    Where the old value does not stand in it, just once, there is none: it is made of the attribute and the value.
    """
    if edited.action in CORE_EDITS:  # its value is what gives way: the new text does not say it
        return edited
    if not edited.attribute or edited.value == before.value or edited.content != before.content:
        return edited
    old = re.compile(rf"(?<!\w){re.escape(before.value)}(?![a-zA-Z0-9])") if before.value else None
    told = old is not None and len(old.findall(edited.content)) == 1
    content = old.sub(lambda _: edited.value, edited.content) if old and told else ""
    return edited.model_copy(update={"content": content})


def _typed(args: Mapping[str, Any], zone: tzinfo) -> dict[str, Any]:
    """The arguments as forms send them, all text: emptied where one says nothing, and a day in place of a moment."""
    typed = {name: None if name in _LEFT_OPEN and value == "" else value for name, value in args.items()}
    for name in _TERM & typed.keys():
        with suppress(ValueError, OverflowError):  # not a day: it is checked like the rest
            typed[name] = day_start(date.fromisoformat(str(typed[name]).strip()), zone)
    return typed


def _args(operation: Operation, zone: tzinfo) -> Mapping[str, Any]:
    """What a person sees and may edit; moments as they are where the user is."""
    shown = operation.model_dump(mode="json", exclude_defaults=True, exclude=_NOT_SHOWN)
    moments = {name: moment.astimezone(zone).isoformat() for name in _TERM if (moment := getattr(operation, name))}
    return shown | moments | {"action": operation.action.value}


def _description(one: Staged, zone: tzinfo, error: str) -> str:
    operation = one.operation
    whose = f"of {operation.subject}" if operation.subject != USER else ""
    value = operation.value if operation.value != operation.content else ""
    since = f"since {operation.valid_from.astimezone(zone).date().isoformat()}" if operation.valid_from else ""
    until = f"until {operation.valid_to.astimezone(zone).date().isoformat()}" if operation.valid_to else ""
    what = " ".join(filter(None, (operation.action.value, operation.attribute, whose, value, since, until)))
    said = f": {operation.content}" if operation.content else ""
    asked = f"{what}{said} ({one.ruling.why})"
    return f"Not taken: {error}.\n\n{asked}" if error else asked

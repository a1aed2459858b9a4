"""What a person decides about the changes of memory that a thread waits with: flags in, decisions out.

Out come decisions of the human-in-the-loop format, one per request and in their order (see `perdure.review`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from perdure.errors import InvalidInput
from perdure.facts import Operation
from perdure.text import check_text
from perdure.when import parse_when

Json = dict[str, Any]

ALL = "all"
_EDIT = re.compile(r"(\d+)\.(\w+)=(.*)", re.DOTALL)


def decisions_for(
    requests: Sequence[Mapping[str, Any]],
    *,
    approve: Sequence[str] = (),
    reject: Sequence[str] = (),
    edit: Sequence[str] = (),
    now: datetime,
) -> list[Json]:
    """Numbers count from 1; `all` decides what no number names. Each edit is ``N.FIELD=VALUE``, and approves.

    Raises `InvalidInput` for a number without a request, a request without a decision, or two for one.
    """
    count = len(requests)
    chosen: dict[int, Json] = {}
    for number, changes in _edits(edit, count, now).items():
        action = {"name": requests[number - 1]["name"], "args": changes}
        chosen[number] = {"type": "edit", "edited_action": action}
    default = ""
    for verdict, names in (("approve", approve), ("reject", reject)):
        for name in names:
            if name == ALL:
                if default not in {"", verdict}:
                    raise InvalidInput("everything is both approved and rejected: say `all` once")
                default = verdict
            elif chosen.setdefault(_number(name, count), {"type": verdict})["type"] != verdict:
                raise InvalidInput(f"change {name} is decided twice: decide it once")
    undecided = [number for number in range(1, count + 1) if number not in chosen]
    if undecided and not default:
        raise InvalidInput(f"nothing is decided about {', '.join(map(str, undecided))}: approve, reject or edit each")
    return [chosen.get(number) or {"type": default} for number in range(1, count + 1)]


def _edits(edit: Sequence[str], count: int, now: datetime) -> dict[int, Json]:
    """The changed fields of each edited request, by its number."""
    edits: dict[int, Json] = {}
    for text in edit:
        match = _EDIT.fullmatch(text)
        if not match or match[2] not in Operation.model_fields:
            raise InvalidInput("an edit is written as NUMBER.FIELD=VALUE, such as 1.value=Incheon or 2.content='…'")
        field, value = match[2], match[3]
        check_text(value, f"the new {field} of change {match[1]}")
        dated = field in {"valid_from", "valid_to"}
        changes = edits.setdefault(_number(match[1], count), {})
        changes[field] = parse_when(value, now).isoformat() if dated else value
    return edits


def _number(name: str, count: int) -> int:
    if not name.isdecimal() or not 1 <= int(name) <= count:
        raise InvalidInput(f"{name[:20]!r} is no change that waits: give 1 to {count}, or all")
    return int(name)

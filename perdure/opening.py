"""What a turn begins with: what memory holds for it, and the rules under which it may be changed."""

from __future__ import annotations

from dataclasses import dataclass

from perdure.asked import TimeUsed
from perdure.core import Block
from perdure.policy import Policy
from perdure.recall import Hit
from perdure.turn import AttributeUse, Usage


@dataclass(frozen=True, slots=True)
class Opening:
    hits: tuple[Hit, ...]
    attributes: tuple[AttributeUse, ...]
    """The attributes that the user has live facts of, most facts first."""
    policy: Policy
    core: tuple[Block, ...] = ()
    """The blocks of core memory, in order."""
    time: TimeUsed | None = None
    """The time that the message asks about, if it does and the run gives none."""
    usage: Usage | None = None
    """Of the model that was asked for that time, if one was."""

"""A turn as it may be kept, when a person or the policy did not want all of it remembered.

A fact that was rejected must not come back by the verbatim exchange in which it was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from perdure.facts import Operation
from perdure.turn import Turn

GAP = "[…]"
"""What stands where something was not kept."""


def withholding(turn: Turn, operations: Iterable[Operation]) -> Turn:
    """The turn without the words from which these operations were taken, and without their values in the answer."""
    said, answered = turn.user_text, turn.assistant_text
    for operation in operations:
        words = _as_said(operation.evidence)
        said = words.sub(GAP, said) if words and words.search(said) else GAP
        for value in filter(None, (operation.value, operation.content, operation.evidence)):
            if told := _as_said(value):
                said, answered = told.sub(GAP, said), told.sub(GAP, answered)
    return replace(turn, user_text=said, assistant_text=answered)


def _as_said(text: str) -> re.Pattern[str] | None:
    """The text in any case and spacing."""
    words = [re.escape(word) for word in text.split()]
    return re.compile(r"\s+".join(words), re.IGNORECASE) if words else None

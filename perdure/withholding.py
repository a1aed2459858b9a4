"""What may be kept of a turn, when a person or the policy did not want all of it remembered.

What was rejected must not come back by the verbatim exchange in which it was said, nor by the evidence of something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from perdure.facts import CORE_EDITS, Operation
from perdure.terms import terms_of
from perdure.turn import Turn

GAP = "[…]"
"""What stands where something was not kept."""
_SENTENCE = re.compile(r"[^\s.!?。！？](?:[^.!?。！？\n]|[.!?](?=\w))*[.!?。！？]*")


def withholding(turn: Turn, operations: Iterable[Operation]) -> Turn:
    """The turn without the words from which these operations were taken, and without sentences that echo their values."""
    said, answered = turn.user_text, turn.assistant_text
    for operation in operations:
        words = _as_said(operation.evidence)
        said = words.sub(GAP, said) if words and words.search(said) else GAP
        for told in (operation.content, operation.evidence):
            said, answered = _without(told, said), _without(told, answered)
        value = _value(operation)
        said, answered = _without_value(value, said), _without_value(value, answered)
    return replace(turn, user_text=said, assistant_text=answered)


def without_withheld(operations: Iterable[Operation], withheld: Sequence[Operation]) -> list[Operation]:
    """Operations of the same turn that are written, without the withheld values in their evidence.

    One that is itself about such a value has been decided about, and stays as it is.
    """
    return [_without_withheld(operation, withheld) for operation in operations]


def _without_withheld(operation: Operation, withheld: Sequence[Operation]) -> Operation:
    evidence = operation.evidence
    for other in withheld:
        pattern = _as_said(_value(other) or other.content)
        if pattern and not (pattern.search(operation.value) or pattern.search(operation.content)):
            evidence = pattern.sub(GAP, evidence)
    return operation if evidence == operation.evidence else operation.model_copy(update={"evidence": evidence})


def _without(told: str, text: str) -> str:
    pattern = _as_said(told)
    return pattern.sub(GAP, text) if pattern else text


def _value(operation: Operation) -> str:
    """What was not wanted; of an edit of core memory the new text, for the old is wanted still."""
    return operation.content if operation.action in CORE_EDITS else operation.value


def _without_value(value: str, text: str) -> str:
    """The text without the value, and without whole sentences that say a word of it in another form."""
    echoed = [terms for word in value.split() if len(word) > 1 and (terms := frozenset(terms_of(word)))]

    def kept(sentence: re.Match[str]) -> str:
        found = frozenset(terms_of(sentence[0]))
        return GAP if any(2 * len(terms & found) >= len(terms) for terms in echoed) else sentence[0]

    return _SENTENCE.sub(kept, _without(value, text))


def _as_said(text: str) -> re.Pattern[str] | None:
    """The text in any case and spacing, not as a part of other words; Korean endings may follow."""
    words = [re.escape(word) for word in text.split()]
    if not words:
        return None
    stripped = text.strip()
    before = r"(?<!\w)" if re.match(r"\w", stripped) else ""
    after = r"(?!\w)" if re.match(r"\w", stripped[-1]) and not "가" <= stripped[-1] <= "힣" else ""
    return re.compile(before + r"\s+".join(words) + after, re.IGNORECASE)

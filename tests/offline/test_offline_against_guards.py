"""A model that reads the labelled messages as well as the rules do loses nothing to the guards."""

from __future__ import annotations

from datetime import datetime

import pytest
from labelled import Case, read_cases

from perdure.facts import Operation
from perdure.models.grounding import ground
from perdure.models.memories import Memories
from perdure.offline.extract import RuleExtractor
from perdure.prompts.extract import ExtractedOperation
from perdure.turn import Known

SAYING = [case for name in ("plain", "heldout", "further", "changes") for case in read_cases(name) if case.expect]


@pytest.mark.parametrize("case", SAYING, ids=lambda case: case.text[:60])
async def test_what_is_said_passes_the_guards_as_it_is(case: Case) -> None:
    known = Known(case.recalled)
    memories = Memories(case.recalled)
    found = (await RuleExtractor().extract(case.turn, known)).operations
    grounded = ground([_as_a_model_writes(one, memories) for one in found], case.turn, known, memories)
    assert [_told(one) for one in grounded.operations] == [_told(one) for one in found]


def _as_a_model_writes(operation: Operation, memories: Memories) -> ExtractedOperation:
    ids = {memory["id"]: identity for identity, memory in memories.by_id.items()}
    return ExtractedOperation.model_validate(
        {
            **operation.model_dump(mode="json", include={"subject", "attribute", "value", "action", "content"}),
            "target": ids.get(str(operation.target), ""),
            "valid_from": _day(operation.valid_from),
            "valid_to": _day(operation.valid_to),
            "evidence": {"source": "user", "quote": operation.evidence},
        }
    )


def _told(operation: Operation) -> dict[str, object]:
    fields = {"action", "subject", "attribute", "value", "valid_from", "valid_to", "target", "trust"}
    return operation.model_dump(include=fields)


def _day(instant: datetime | None) -> str:
    return instant.date().isoformat() if instant else ""

"""The state of a consolidation: plain JSON, enough to go on behind the last batch after a kill."""

from __future__ import annotations

from typing import Any, Final

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from perdure.alike import Group

Json = dict[str, Any]

START: Final = ""
"""The cursor before the first fact."""
DONE: Final = "done"
"""The cursor behind the last."""
_GROUP: Final = TypeAdapter(Group)


class ConsolidationInput(TypedDict):
    cursor: str
    """The id of the fact behind which the survey goes on; empty to begin with the first."""


class ConsolidationOutput(TypedDict, total=False):
    surveyed: int
    merges: list[Json]
    usage: list[Json]


class ConsolidationState(ConsolidationInput):
    context: Json
    """`ConsolidationContext` of the run that began it: whoever resumes it may bring another."""
    surveyed: int
    """How many facts were compared with the others."""
    taken: list[str]
    """Ids of facts that are in a group already, behind the cursor."""
    groups: list[Json]
    """`Group.to_json` of those that are still to be worded."""
    proposals: list[Json]
    """Those that are worded: ``group``, ``sentence`` (empty: by rule), ``why``, and whether they are ``same``."""
    merges: list[Json]
    """`Merging.to_json` of each group that is done."""
    usage: list[Json]
    """`Usage.to_json` of each call of a model."""


def group_of(document: Json) -> Group:
    """The group that `Group.to_json` gave."""
    return _GROUP.validate_python(document)

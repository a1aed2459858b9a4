"""States that an earlier version of Perdure checkpointed, as this version knows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from perdure.errors import ConfigurationError
from perdure.graph.state import STATE_VERSION, Json, State

ASKED_WITHOUT_TERM = {"question_hours": 24.0 * 3660}
"""Version 1 asked without a term. The longest that there is stands for it: no question lapses because of an upgrade."""


def upgraded(state: State, thread: str) -> State:
    """The state of a turn that any earlier version may have begun; ``thread`` is the name of the thread it is in.

    Doing it again changes nothing, and what this version has written into an older turn stays as it is. Raises
    `ConfigurationError` for a state of a newer version.
    """
    check_version(state)
    raised = cast(Json, state)
    if raised["state_version"] == 1:
        raised = _from_1(raised, thread)
    if raised["state_version"] == 2:
        raised = _from_2(raised)
    if raised["state_version"] == 3:
        raised = _from_3(raised)
    return cast(State, raised)


def check_version(state: Mapping[str, Any]) -> None:
    """Raise `ConfigurationError` for a state that a newer version has written, and this one cannot read."""
    version = state.get("state_version", STATE_VERSION)
    if version > STATE_VERSION:
        raise ConfigurationError(
            f"the thread was last run by a newer Perdure (its state has version {version}, this one knows {STATE_VERSION}):"
            " upgrade Perdure"
        )


def _from_1(state: Json, thread: str) -> Json:
    """Version 1 knew neither policies nor time zones, named no thread, and did not say when or why it extracted."""
    turn, candidates = state["turn"], state["candidates"]
    extracted_since = bool(candidates.get("at"))
    return {
        **state,
        "state_version": 2,
        "turn": {
            "thread": thread,
            "message": turn["message"],
            "at": turn["at"],
            "time_zone": "UTC",
            "language": turn["language"],
            "agent": turn["agent"],
            "run_policy": turn["policy"],
            "policy": {} if extracted_since else ASKED_WITHOUT_TERM,
        },
        "recalled": {"attributes": [], **state["recalled"]},
        "candidates": {"gate": {}, "decisions": [], **candidates, "at": candidates.get("at") or turn["at"]},
    }


def _from_2(state: Json) -> Json:
    """Version 2 ranked by one score, and did not read the time in a question."""
    recalled = state["recalled"]
    hits = [
        {"relevance": hit["score"], "corroboration": 1, "weak": False, "why": None, **hit} for hit in recalled["hits"]
    ]
    return {**state, "state_version": 3, "recalled": {"time": None, **recalled, "hits": hits}}


def _from_3(state: Json) -> Json:
    """Version 3 had neither core memory nor tools."""
    asked: Json = {"noted": [], "refused": []}
    return {**asked, **state, "state_version": 4, "recalled": {"core": [], **state["recalled"]}}

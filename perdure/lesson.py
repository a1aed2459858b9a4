"""What tasks that are alike have taught: which of them went well, and what is told of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from perdure.episodes import Episode
from perdure.turn import Language, Usage

FAILED = "failed"
"""The outcome of a task that was cut short by an error."""
CANCELLED = "CancelledError"
"""The error of one that somebody stopped: that says nothing of its approach."""
WENT_WELL = 0.5
"""Quality from which on a task counts as one that went well."""
SOURCES_SHOWN = 8
"""Episodes that a lesson names in its words; its details name all."""

SUPERSEDED = "a newer lesson has taken its place"
STALE = "a task that it was drawn from proved wrong"

Result = Literal["well", "badly", "unknown"]


@dataclass(frozen=True, slots=True)
class Tried:
    """A task that is learned from."""

    task: str
    approach: str
    outcome: str
    notes: str
    error: str
    result: Result


@dataclass(frozen=True, slots=True)
class LessonText:
    """What is told of tasks that are alike; how many went well is counted, not told."""

    works: str
    fails: str
    tried: str = ""
    """Of those of which nobody said how well they went."""
    by: str = "rules"
    """The chat model that worded it."""
    usage: tuple[Usage, ...] = ()


def tried_of(episode: Episode) -> Tried:
    """A `task` episode, whoever wrote its details."""
    lines = [*episode.content.splitlines(), "", "", ""]
    told = {name: str(episode.details.get(name) or "") for name in ("task", "approach", "outcome", "notes", "error")}
    return Tried(
        task=told["task"] or lines[0],
        approach=told["approach"] or lines[1],
        outcome=told["outcome"] or lines[2],
        notes=told["notes"],
        error=told["error"],
        result=_result(episode.details),
    )


def _result(details: Mapping[str, Any]) -> Result:
    quality = details.get("quality")
    if isinstance(quality, int | float) and not isinstance(quality, bool):
        return "well" if quality >= WENT_WELL else "badly"
    if details.get("error") == CANCELLED:
        return "unknown"
    return "badly" if details.get("error") or details.get("outcome") == FAILED else "unknown"


def lesson_content(tried: Sequence[Tried], sources: Sequence[Episode], text: LessonText, language: Language) -> str:
    """The lesson as it is kept: a line each for what it is about, what works, what does not, and where it comes from."""
    words = _WORDS[language]
    counts = {result: sum(one.result == result for one in tried) for result in ("well", "badly")}
    shown = [str(episode.id)[:8] for episode in sources[:SOURCES_SHOWN]]
    rest = len(sources) - len(shown)
    lines = [
        words["about"].format(task=tried[0].task, tried=len(tried), **counts),
        words["works"].format(_closed(text.works)) if text.works else "",
        words["fails"].format(_closed(text.fails)) if text.fails else "",
        words["tried"].format(_closed(text.tried)) if text.tried else "",
        words["sources"].format(", ".join(shown) + (f", +{rest}" if rest else "")),
    ]
    return "\n".join(line for line in lines if line)


def _closed(text: str) -> str:
    """With a full stop: in a prompt the lines stand behind one another."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "about": "Tasks like “{task}”: {tried} tried, {well} went well, {badly} went badly.",
        "works": "What works: {}",
        "fails": "What does not work: {}",
        "tried": "What was tried: {}",
        "sources": "(from tasks {})",
    },
    "ko": {
        "about": "“{task}” 같은 작업: {tried}번 시도, {well}번 성공, {badly}번 실패.",
        "works": "통하는 방법: {}",
        "fails": "통하지 않는 방법: {}",
        "tried": "시도한 방법: {}",
        "sources": "(출처 작업 {})",
    },
}

"""LoCoMo (Maharana et al. 2024): which turns of a long conversation hold the answer. Conversations 0–4 are development.

The audit corrects evidence that is cited wrongly; questions of which it found the answer to be invented are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.quality_suite import Bench, Row, Suite, Target
from bench.rankers import Memory, Question, Ranking, ids
from bench.scores import mean, recall_at, reciprocal_rank

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single"}
TARGETS = {"R@5": Target(0.68), "R@10": Target(0.77)}
_TURN = re.compile(r"D:?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Case:
    category: int
    question: Question
    cited: frozenset[str]
    """The turns that hold the answer, as the data set says; empty if it names none."""
    audited: frozenset[str]
    """As the audit says; empty where it found the answer to be invented."""


async def run(bench: Bench) -> list[Row]:
    conversations = list(enumerate(bench.json("locomo/locomo10.json")))
    errors = {error["question_id"]: error for error in bench.json("locomo/errors.json")}
    memories: list[Memory] = []
    cases: list[Case] = []
    for number, conversation in bench.chosen(conversations, lambda _, one: one[0] < 5):
        own = list(memories_of(conversation))
        memories += own
        cases += cases_of(number, conversation, errors, {memory.id for memory in own})
    found = await bench.contest.run("locomo", memories, [case.question for case in cases])
    return [
        row
        for audited in (True, False)
        for category in (0, *CATEGORIES)
        for row in _rows(cases, found, category, audited)
    ]


def _rows(cases: Sequence[Case], found: dict[str, list[Ranking]], category: int, audited: bool) -> Iterator[Row]:
    """Category 0 is all of them together."""
    measures = {
        "R@5": lambda ranking, wanted: recall_at(5, ranking, wanted),
        "R@10": lambda ranking, wanted: recall_at(10, ranking, wanted),
        "MRR": reciprocal_rank,
    }
    picked = [
        (place, wanted)
        for place, case in enumerate(cases)
        if category in (0, case.category) and (wanted := case.audited if audited else case.cited)
    ]
    name = f"{CATEGORIES.get(category, 'all')}, {'audited' if audited else 'as published'}"
    for measure, score in measures.items():
        figures = {
            contestant: mean(score(ids(rankings[place]), wanted) for place, wanted in picked)
            for contestant, rankings in found.items()
        }
        target = TARGETS.get(measure) if audited and not category else None
        yield Row("locomo", f"{name}: {measure}", len(picked), figures, target)


def memories_of(conversation: dict[str, Any]) -> Iterator[Memory]:
    """Its turns, in order; each conversation is a user of its own, each session a thread."""
    user = conversation["sample_id"]
    sessions = conversation["conversation"]
    for number in sorted(int(key.split("_")[1]) for key, turns in sessions.items() if isinstance(turns, list)):
        said_at = datetime.strptime(sessions[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(
            tzinfo=UTC
        )
        for turn in sessions[f"session_{number}"]:
            caption = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            text = f"{turn['speaker']}: {turn['text']}{caption}"
            identity = f"{user} {turn['dia_id']}"
            thread = f"{user} session {number}"
            yield Memory(identity, text, said_at, user, thread=thread, exchange=True, speaker=turn["speaker"])


def cases_of(
    number: int, conversation: dict[str, Any], errors: dict[str, dict[str, Any]], known: set[str]
) -> Iterator[Case]:
    """Its questions, asked on the day after the last session; the adversarial ones, which nothing answers, are left out,
    and evidence that is no turn too."""
    user = conversation["sample_id"]
    asked_at = max(memory.at for memory in memories_of(conversation)) + timedelta(days=1)
    for place, asked in enumerate(conversation["qa"]):
        if asked["category"] not in CATEGORIES:
            continue
        error = errors.get(f"locomo_{number}_qa{place}")
        cited = turns(user, asked["evidence"]) & known
        audited = cited
        if error:
            invented = error["error_type"] == "HALLUCINATION"
            audited = frozenset() if invented else turns(user, error["correct_evidence"]) & known
        yield Case(asked["category"], Question(asked["question"], user, asked_at=asked_at), cited, audited)


def turns(user: str, evidence: Sequence[str]) -> frozenset[str]:
    """The ids of the turns that are cited; some citations hold several, or are misspelled."""
    return frozenset(
        f"{user} D{int(session)}:{int(turn)}" for cited in evidence for session, turn in _TURN.findall(cited)
    )


SUITE = Suite("locomo", ("locomo/locomo10.json", "locomo/errors.json"), run)
